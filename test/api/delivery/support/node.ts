/**
 * `node node.ts sqlite FILE '' NAME NOW CA` or `… postgres URL SCHEMA NAME NOW CA` sends the statuses of commits until
 * it is killed. NOW is the time of its clock at the start, milliseconds since 1970.
 */
import { readFileSync } from 'node:fs';
import { openPostgres, openSqlite } from '../../../../src/storage/index.ts';
import { Delivery } from '../../../../src/workspaces/delivery/index.ts';
import { statusQueue } from './statuses.ts';

const [kind, target = '', schema = '', name = '', now, ca = ''] = process.argv.slice(2);

function report(error: unknown): void {
  throw error;
}

const database = await (kind === 'sqlite'
  ? openSqlite({ file: target, report })
  : openPostgres({ url: target, schema, report }));
const started = Date.now();
const clock = () => Number(now) + Date.now() - started;
const delivery = new Delivery(
  { clock, database, report },
  { allowedAddresses: ['127.0.0.1'], authorities: [readFileSync(ca, 'utf8')] },
);
delivery.add(statusQueue(delivery.sender('x-signature'), name));
for (const task of delivery.background) await task.start();
process.stdout.write('ready\n');
// The timers of background tasks do not keep a process alive.
setInterval(() => {}, 60_000);
