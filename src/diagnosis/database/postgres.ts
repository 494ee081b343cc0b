import type { Client } from 'pg';
import { type Finding, failure, skipped, success, warning } from '../../lib/finding/finding.ts';
import { STANDBYS, type StandbyRow, standbyLags } from '../../storage/index.ts';
import { sizeText } from '../disk/space.ts';
import type { Check } from '../model/check.ts';
import type { Site } from '../model/site.ts';
import { pooler } from './pooler.ts';
import { end, firstConnection, postgresOf, row, withClient } from './postgres-client.ts';

const OLDEST = 15;
/** Round-trip time that is a warning, milliseconds: each request runs several statements in sequence. */
const SLOW_ANSWER = 10;
const ANSWERS = 9;
/** Replication lag that is a warning, seconds: a standby that takes over would lack acknowledged writes. */
const LAG = 10;
/** Replication lag that is a warning, bytes (one WAL file): the lag in seconds does not grow while the replay is paused. */
const LAG_BYTES = 16_777_216;

/** The PostgreSQL server and the connection to it. */
export const POSTGRES_CHECKS: readonly Check[] = [
  { name: 'connection', run: connection },
  { name: 'version', run: onClient(version) },
  { name: 'settings', run: onClient(settings) },
  pooler,
  { name: 'connections', run: onClient(connections) },
  { name: 'replication', run: onClient(replication) },
];

function onClient(check: (client: Client, site: Site) => Promise<Finding>): Check['run'] {
  return (site, signal) => withClient(site, signal, (client) => check(client, site));
}

async function connection(site: Site, signal: AbortSignal): Promise<Finding> {
  const { schema } = postgresOf(site);
  const client = await firstConnection(site, signal).catch((error: Error) => error);
  if (client instanceof Error) {
    const { code = 'no answer', message } = client as NodeJS.ErrnoException;
    return failure(`cannot be reached: ${code}`, 'check that PostgreSQL runs, and correct storage.url', message);
  }
  try {
    const { exists } = await row<{ exists: boolean }>(client, HAS_SCHEMA, [schema]);
    if (!exists) return failure('the schema does not exist', 'run lockkeeper init', schema);
    const milliseconds = await latency(client);
    const found = `${milliseconds.toFixed(1)} ms round trip`;
    if (milliseconds < SLOW_ANSWER) return success(found);
    return warning(
      found,
      'run the server and its database in the same network: each request makes several round trips',
    );
  } finally {
    await end(client);
  }
}

const HAS_SCHEMA = 'SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1) AS exists';

async function latency(client: Client): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ANSWERS; round++) {
    const began = performance.now();
    await client.query('SELECT 1');
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b)[ANSWERS >> 1] ?? 0;
}

async function version(client: Client): Promise<Finding> {
  const { name, standby } = await row<{ name: string; standby: boolean }>(
    client,
    "SELECT current_setting('server_version') AS name, pg_is_in_recovery() AS standby",
  );
  if (Number.parseInt(name, 10) < OLDEST)
    return failure(`PostgreSQL ${name}`, `update it: PostgreSQL ${OLDEST} is the oldest supported version`);
  if (standby) {
    const advice = 'connect to the primary (target_session_attrs=read-write, or an address that follows the primary)';
    return failure(`PostgreSQL ${name}, a standby: it is read-only`, advice);
  }
  return success(`PostgreSQL ${name}`);
}

interface Settings {
  readonly durable: string;
  readonly idle: string;
  readonly statement: string;
}

/**
 * Checks the settings of a new session. The server's sessions set their own statement_timeout, but the session for
 * signals is long-lived.
 */
async function settings(client: Client): Promise<Finding> {
  const { durable, idle, statement } = await row<Settings>(
    client,
    `SELECT current_setting('synchronous_commit') AS durable, current_setting('idle_session_timeout') AS idle,
       current_setting('statement_timeout') AS statement`,
  );
  if (durable === 'off') {
    return failure(
      'synchronous_commit is off',
      'set it to on for the user or database: acknowledged writes could be lost',
    );
  }
  if (idle !== '0') {
    const advice = 'set it to 0 for the user: the connections for signals are idle for hours';
    return warning(`idle_session_timeout is ${idle}`, advice);
  }
  const own = statement === '0' ? 'no statement_timeout of the server' : `statement_timeout of the server ${statement}`;
  return success(`synchronous_commit ${durable}, ${own}; sessions of Lockkeeper set 30 s`);
}

interface Connections {
  readonly most: number;
  readonly reserved: number;
  readonly ofRole: number;
  readonly ofDatabase: number;
  readonly used: number;
  readonly hosts: number;
}

/** Checks that PostgreSQL allows the connections of all nodes. */
async function connections(client: Client, site: Site): Promise<Finding> {
  const { poolSize, workers } = postgresOf(site);
  const found = await row<Connections>(client, CONNECTIONS);
  const limits = [found.most - found.reserved, found.ofRole, found.ofDatabase].filter((limit) => limit >= 0);
  const available = Math.min(...limits);
  const nodes = site.nodes ?? Math.max(1, found.hosts);
  // Each process has one connection for signals beside its pool.
  const needed = nodes * workers * (poolSize + 1);
  const text = `${available} allowed, ${found.used} in use, ${needed} needed: ${nodes} ${nodes === 1 ? 'node' : 'nodes'} with ${workers} ${workers === 1 ? 'process' : 'processes'} of ${poolSize} and one for signals`;
  if (needed <= available) return success(text);
  return warning(
    text,
    'raise max_connections (or the limit of the user or database), or lower storage.pool_size or workers',
  );
}

const CONNECTIONS = `SELECT current_setting('max_connections')::int AS most,
  current_setting('superuser_reserved_connections')::int AS reserved,
  (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS "ofRole",
  (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS "ofDatabase",
  (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
  (SELECT count(DISTINCT coalesce(client_addr::text, ''))::int FROM pg_stat_activity WHERE application_name = 'lockkeeper') AS hosts`;

async function replication(client: Client): Promise<Finding> {
  const { rows } = await client.query<StandbyRow>(STANDBYS);
  if (rows.length === 0) return skipped('no standby is connected');
  const lags = standbyLags(rows);
  if (lags === undefined) return skipped('the user may not see them: grant it pg_monitor');
  const seconds = Math.max(...lags.map((lag) => lag.seconds));
  const bytes = Math.max(...lags.map((lag) => lag.bytes));
  const found = `${rows.length} ${rows.length === 1 ? 'standby' : 'standbys'}, ${seconds.toFixed(1)} s and ${sizeText(bytes)} behind`;
  const names = lags.map(({ name, state }) => `${name} ${state}`).join(', ');
  const isStreaming = lags.every(({ state }) => state === 'streaming');
  if (isStreaming && seconds < LAG && bytes < LAG_BYTES) return success(found, names);
  return warning(
    found,
    'a standby that takes over now would lack the latest writes: check its network and disk, and whether its replay is paused',
    names,
  );
}
