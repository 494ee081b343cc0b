import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Diagnosable } from '../../support/diagnose/diagnosed.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { PostgresServer } from '../../support/postgres/server.ts';

const ROLE = 'lockkeeper';
const MIB = 1_048_576;
/** The server caches these metrics for ten seconds. */
const SOON = { timeout: 20_000, interval: 500 };

let primary: PostgresServer;
let standby: PostgresServer | undefined;
let site: Diagnosable;
let port: number;

async function ask(server: PostgresServer | undefined, ...texts: string[]): Promise<void> {
  const client = new Client(server?.url);
  await client.connect();
  for (const text of texts) await client.query(text);
  await client.end();
}

beforeAll(async () => {
  primary = await PostgresServer.start('fsync=off');
  await ask(primary, `CREATE ROLE ${ROLE} LOGIN`, `CREATE DATABASE ${ROLE} OWNER ${ROLE}`);
  port = await freePort();
  site = new Diagnosable('{ type: postgres, schema: lockkeeper, blob_directory: blobs, pool_size: 4 }');
  const url = new URL(`/${ROLE}`, primary.url);
  url.username = ROLE;
  site.environment.LOCKKEEPER_STORAGE_URL = url.href;
  // Each worker has its own cache.
  site.configure('workers: 1', `{ address: "127.0.0.1:${port}", services: [access, metrics], plain_http: true }`);
  await site.init();
}, 60_000);
afterAll(async () => {
  await site.remove();
  standby?.remove();
  primary.remove();
});

/** `{ lockkeeper_database_standbys: 1, … }` */
async function figures(): Promise<Record<string, number>> {
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const found = page.matchAll(/^lockkeeper_database_(standbys|replication_lag_\w+)(?:\{standby="(\w+)"\})? (\S+)$/gm);
  return Object.fromEntries([...found].map(([, name, of, value]) => [of ? `${name} ${of}` : name, Number(value)]));
}

it('of a standby: authorized callers see its lag, and that it does not advance', async () => {
  const server = site.start(['serve']);
  await server.ready();
  expect(await figures()).toEqual({ standbys: 0 });
  standby = await primary.standby();
  await expect.poll(figures, SOON).toEqual({ standbys: 1 });
  const said = async () => (await site.diagnose()).found('database', 'replication');
  expect(await said()).toBe('skipped: the user may not see them: grant it pg_monitor');

  await ask(primary, `GRANT pg_monitor TO ${ROLE}`);
  const bytes = async () => (await figures())['replication_lag_bytes walreceiver'] ?? Number.NaN;
  await expect.poll(async () => (await bytes()) < MIB, SOON).toBe(true);
  expect(await figures()).toHaveProperty('replication_lag_seconds walreceiver');
  await expect.poll(said).toMatch(/^success: 1 standby, \d+\.\d s and .* behind \| walreceiver streaming$/);

  await ask(standby, 'SELECT pg_wal_replay_pause()');
  await ask(primary, 'CREATE TABLE much AS SELECT generate_series(1, 500000) AS number');
  await expect.poll(async () => (await bytes()) > 16 * MIB, SOON).toBe(true);
  expect(await said()).toMatch(/^warning: 1 standby, .* and \d\d\.?\d* MiB behind \| walreceiver streaming$/);
  server.signal('SIGTERM');
  await server.ended();
}, 120_000);
