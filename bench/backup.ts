/**
 * Measures a backup of a server with many rows and states: the speed of creating, verifying and restoring it, and how
 * long the serving thread was blocked during a scheduled backup under a load of writes and reads from another process,
 * compared with the same load without a backup.
 *
 *     npm run bench:backup [-- --rows 300000 --states 600 --database postgres]
 *
 * PostgreSQL comes from LOCKKEEPER_TEST_POSTGRES: `node test/support/with-postgres.ts node bench/backup.ts --database
 * postgres`.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { locate, verifyBackup } from '../src/backup/index.ts';
import { type Made, restoreInstallation, sealedColumns, startApplication } from '../src/composition/index.ts';
import { type Config, loadConfig } from '../src/config/index.ts';
import { BlobWriter, createKeyring, sql } from '../src/storage/index.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '300000' },
    states: { type: 'string', default: '600' },
    database: { type: 'string', default: 'sqlite' },
  },
});
const STATE_BYTES = 500_000;
const QUIET_MS = 8_000;
const LOAD = `
const { Agent, request } = require('node:http');
const [address, token] = process.argv.slice(1);
const agent = new Agent({ keepAlive: true });
const ask = (method, path, body) => new Promise((done) => {
  const sent = request(address + path, { agent, method, headers: { 'x-vault-token': token } }, (answer) => answer.resume().on('end', done));
  sent.on('error', done);
  sent.end(body);
});
const loop = async (...what) => { for (;;) { await ask(...what); await new Promise((next) => setTimeout(next, 5)); } };
for (let n = 0; n < 3; n++) { loop('POST', '/v1/auth/token/create', '{"ttl":"1m"}'); loop('GET', '/v1/auth/token/lookup-self'); }`;

const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-bench-'));
const destination = join(folder, 'backups');
mkdirSync(destination);
const configOf = (name: string, backup = ''): Config => {
  const place =
    values.database === 'postgres'
      ? `type: postgres, schema: bench_${name}, blob_directory: blobs-${name}`
      : `type: sqlite, directory: data-${name}`;
  const file = `listeners: [{ address: "127.0.0.1:0", services: [access, workspaces], plain_http: true, console: false }]
storage: { ${place} }
keyring_file: keyring.json
workers: 1
${backup}`;
  const url = process.env.LOCKKEEPER_TEST_POSTGRES;
  return loadConfig({ file, environment: url ? { LOCKKEEPER_STORAGE_URL: url } : {}, flags: [] }, folder);
};
const silent = pino({ level: 'silent' });
const keyring = await createKeyring({ file: join(folder, 'keyring.json') });
const plain = configOf('one');

const insertToken = sql<{ from: number; to: number; hash: Uint8Array; now: number }>(
  `WITH RECURSIVE n (i) AS (SELECT CAST(:from AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < :to)
   INSERT INTO token (id, secret_hash, accessor, path, display_name, policies, metadata, bound_cidrs, orphan, period, explicit_max_ttl, creation_ttl, created_at)
   SELECT 'bench' || i, :hash, 'accessor' || i, 'auth/token/create', 'bench token number ' || i, '["default","readers"]',
     '{"purpose":"a row of about the size that a token has"}', '[]', 1, 0, 0, 0, :now FROM n`,
);

/** Creates the data to back up. Returns a token for the load. */
async function fill(): Promise<string> {
  const { addresses, databases, access, workspaces, blobStore, stop } = await startApplication({
    ...{ config: plain, logger: silent, keyring },
  });
  for (let from = 1; from <= Number(values.rows); from += 10_000) {
    const to = Math.min(from + 9_999, Number(values.rows));
    await databases.access.run(insertToken, { from, to, hash: randomBytes(32), now: Date.now() });
  }
  const user = await workspaces.tenancy.users.create({ username: 'bench', email: 'bench@example.com' });
  const { text } = await workspaces.tenancy.tokens.issue(user.id, { description: 'bench', expiresAt: null });
  const made = async (path: string, type: string, attributes: object): Promise<string> => {
    const headers = { authorization: `Bearer ${text}`, 'content-type': 'application/vnd.api+json' };
    const body = JSON.stringify({ data: { type, attributes } });
    const answer = await fetch(`${addresses[0]}/api/v2/${path}`, { method: 'POST', headers, body });
    return ((await answer.json()) as { data: { id: string } }).data.id;
  };
  await made('organizations', 'organizations', { name: 'bench', email: 'bench@example.com' });
  const workspace = await made('organizations/bench/workspaces', 'workspaces', { name: 'one' });
  const fail = (error: unknown) => {
    throw error;
  };
  const blobs = new BlobWriter({ blobStore, keyring, clock: Date.now, report: fail });
  for (let n = 0; n < Number(values.states); n++) {
    const options = { owner: { workspaceId: workspace }, kind: 'state', maxBytes: STATE_BYTES };
    await blobs.write([randomBytes(STATE_BYTES)], options, (draft) =>
      databases.workspaces.transaction((tx) => blobs.keep(tx, draft)),
    );
  }
  const token = await access.tokens.createRoot();
  await stop();
  return token;
}

/** Returns the maximum and the median time that the thread was blocked while an action ran under load, milliseconds. */
async function pauses(config: Config, token: string, until: (made: Promise<Made>) => Promise<unknown>) {
  let tell: (made: Made) => void = () => {};
  const made = new Promise<Made>((resolve) => {
    tell = resolve;
  });
  const write = (line: string) => {
    const { msg, milliseconds, ...rest } = JSON.parse(line);
    if (msg === 'backup created') tell({ ...rest, seconds: milliseconds / 1000 });
    else if (rest.level >= 50) process.stderr.write(line);
  };
  const { addresses, stop } = await startApplication({ config, logger: pino({ level: 'info' }, { write }), keyring });
  const load = spawn(process.execPath, ['-e', LOAD, addresses[0] ?? '', token]);
  await sleep(2_000);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let [before, cpu] = [cpuOfThread(), 0];
  const turns = setInterval(() => {
    const now = cpuOfThread();
    cpu = Math.max(cpu, now - before);
    before = now;
  }, 1);
  await until(made);
  clearInterval(turns);
  delay.disable();
  load.kill();
  await once(load, 'close');
  await stop();
  return { longest: delay.max / 1e6, usual: delay.percentile(99) / 1e6, cpu };
}

/** CPU time in milliseconds. It excludes waiting for a processor on a shared machine. */
function cpuOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const shown = ({ longest, usual, cpu }: Awaited<ReturnType<typeof pauses>>) =>
  `longest ${longest.toFixed(1)} ms (of CPU ${cpu.toFixed(1)} ms), 99 % below ${usual.toFixed(1)} ms`;
const rate = (bytes: number, seconds: number, cpu?: number) =>
  `${(bytes / 1e6 / seconds).toFixed(0)} MB/s (${seconds.toFixed(1)} s${cpu === undefined ? '' : `, ${cpu.toFixed(1)} s of CPU`})`;

async function timed<T>(work: () => Promise<T>) {
  const [began, before] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - began) / 1000, cpu: (user + system) / 1e6, result };
}

try {
  const token = await fill();
  const without = await pauses(plain, token, () => sleep(QUIET_MS));
  let made: Made | undefined;
  const scheduled = configOf('one', `backup: { schedule: 24h, destination: backups }`);
  const within = await pauses(scheduled, token, async (making) => {
    made = await making;
  });
  if (made === undefined) throw new Error('no backup was made');
  const { backup, bytes, rows, blobs, seconds } = made;
  console.log(`${values.database}: ${rows} rows, ${blobs} contents, ${(bytes / 1e6).toFixed(0)} MB`);
  console.log(`thread that serves, under load:   ${shown(without)}`);
  console.log(`the same while a backup is made:  ${shown(within)}`);
  console.log(`create, under that load   ${rate(bytes, seconds)}`);
  const { place, name = '' } = await locate(backup, undefined);
  const read = async () => place.read(name);
  const verified = await timed(async () =>
    verifyBackup(await read(), { keyring, ...sealedColumns, report: (failure) => console.log(failure) }),
  );
  console.log(
    `verify                    ${rate(bytes, verified.seconds, verified.cpu)}, ${verified.result.failed} failures`,
  );
  const target = { config: configOf('two'), keyring, logger: silent, revokeTokens: false };
  const restored = await timed(async () => restoreInstallation(await read(), target));
  console.log(`restore                   ${rate(bytes, restored.seconds, restored.cpu)}`);
  console.log(`memory at its peak, all of it in one process: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
} finally {
  rmSync(folder, { recursive: true });
}
