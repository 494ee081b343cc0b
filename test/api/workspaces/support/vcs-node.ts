/**
 * `node vcs-node.ts sqlite FILE '' FOLDER NOW` or `… postgres URL SCHEMA FOLDER NOW` works on repositories until it is
 * killed. FOLDER has the keyring and the blobs. NOW is the time of its clock at the start, milliseconds since 1970.
 */
import { join } from 'node:path';
import { FileBlobs, LocalSignals, openKeyring, openPostgres, openSqlite } from '../../../../src/storage/index.ts';
import { createWorkspaces } from '../../../../src/workspaces/index.ts';

const [kind, target = '', schema = '', folder = '', now] = process.argv.slice(2);

function report(error: unknown): void {
  throw error;
}

const database = await (kind === 'sqlite'
  ? openSqlite({ file: target, report })
  : openPostgres({ url: target, schema, report }));
const started = Date.now();
const { vcs, delivery } = createWorkspaces({
  ...{ database, report, signals: new LocalSignals(), blobStore: new FileBlobs(join(folder, 'blobs')) },
  keyring: await openKeyring({ file: join(folder, 'keyring') }),
  clock: () => Number(now) + Date.now() - started,
  vcs: { allowedAddresses: ['127.0.0.1'] },
});
for (const task of [...vcs.background, ...delivery.background]) await task.start();
process.stdout.write('ready\n');
// The timers of background tasks do not keep a process alive.
setInterval(() => {}, 60_000);
