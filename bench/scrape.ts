/**
 * Measures a metrics scrape with 20,000 workspaces (each with a waiting run in one of 100 pools and ten finished
 * runs), 2,000 agents and 20,000 notification configurations, compared with an empty server: its duration, and the
 * longest block of the event loop. Server and scraper share one process, so CPU time includes both. Each scrape reads
 * from the database.
 *
 *     npm run bench:scrape [-- --database postgres --workspaces 20000 --rounds 5]
 */

import { Agent } from 'node:https';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Database, type Dialect, type Params, sql } from '../src/storage/index.ts';
import { archive } from '../test/support/samples/archive.ts';
import { startTestServer, type TestServer } from '../test/support/server.ts';
import { needDatabase } from './support/filled.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    workspaces: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
  },
});
const COUNT = Number(values.workspaces);
const POOLS = 100;
const AGENTS = 2_000;
const RUNS_OVER = 10;
/** Metrics from the database are cached for ten seconds. */
const HOLD_MS = 10_500;

needDatabase(values.database);

async function made(server: TestServer, path: string, type: string, attributes: object, relationships: object = {}) {
  const body = { data: { type, attributes, relationships } };
  const answer = await server.user('POST', `/api/v2${path}`, body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.data;
}

/** Creates one of each by requests, then copies it in the database. */
async function fill(server: TestServer): Promise<void> {
  await made(server, '/organizations', 'organizations', { name: 'bench', email: 'a@example.com' });
  const pool = (await made(server, '/organizations/bench/agent-pools', 'agent-pools', { name: 'pool' })).id;
  const agentToken = { description: 'bench' };
  const token = await made(server, `/agent-pools/${pool}/authentication-tokens`, 'authentication-tokens', agentToken);
  const agent = await server.call('POST', `/api/v2/agent-pools/${pool}/agents`, {
    token: token.attributes.token,
    body: { data: { type: 'agents', attributes: { name: 'bench' } } },
  });
  const mode = { name: 'one', 'execution-mode': 'agent', 'agent-pool-id': pool };
  const workspace = (await made(server, '/organizations/bench/workspaces', 'workspaces', mode)).id;
  const told = { name: 'told', 'destination-type': 'generic', enabled: true, triggers: ['run:completed'] };
  const configuration = `/workspaces/${workspace}/notification-configurations`;
  const url = 'https://203.0.113.1/';
  const { id: notified } = await made(server, configuration, 'notification-configurations', {
    ...told,
    url,
    enabled: false,
  });
  const versions = `/workspaces/${workspace}/configuration-versions`;
  const version = await made(server, versions, 'configuration-versions', { 'auto-queue-runs': false });
  await server.call('PUT', new URL(version.attributes['upload-url']).pathname, { body: archive() });
  const of = { workspace: { data: { type: 'workspaces', id: workspace } } };
  const run = (await made(server, '/runs', 'runs', {}, of)).id;
  const { workspaces: database } = server.application.databases;
  const [n, p] = ["'-' || n.i", `'-' || (n.i % ${POOLS})`];
  await copies(database, 'agent_pool', pool, POOLS, { id: `id || ${n}`, name: `name || ${n}` });
  await copies(database, 'agent', agent.body.data.id, AGENTS, {
    id: `id || ${n}`,
    agent_pool_id: `agent_pool_id || ${p}`,
  });
  await copies(database, 'workspace', workspace, COUNT, { id: `id || ${n}`, name: `name || ${n}` });
  const inWorkspace = { id: `id || ${n}`, workspace_id: `workspace_id || ${n}` };
  await copies(database, 'run', run, COUNT, { ...inWorkspace, queue_pool: `queue_pool || ${p}` });
  const over = { status: "'applied'", active: '0', queued: '0', finished_at: 'created_at', queue_pool: 'queue_pool' };
  for (let round = 0; round < RUNS_OVER; round++) {
    await copies(database, 'run', run, COUNT, { ...inWorkspace, id: `id || '-${round}' || ${n}`, ...over });
  }
  await copies(database, 'notification_configuration', notified, COUNT, {
    ...inWorkspace,
    due_at: 'created_at + 99999999',
  });
  if (database.dialect === 'postgres') await database.run(sql('ANALYZE'), {});
}

const COLUMNS = {
  sqlite: (table: string) => `SELECT name FROM pragma_table_info('${table}') WHERE name <> ''`,
  postgres: (table: string) =>
    `SELECT column_name::text AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = '${table}'`,
};

async function copies(
  database: Database,
  table: string,
  id: string,
  count: number,
  changed: Readonly<Record<string, string>>,
): Promise<void> {
  const columns = await database.all(sql<Params, { name: string }>(COLUMNS[database.dialect](table)), {});
  const names = columns.map(({ name }) => name);
  const selected = names.map((name) => changed[name] ?? name);
  await database.run(
    sql<{ id: string; count: number }>(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :count)
       INSERT INTO ${table} (${names.join(', ')}) SELECT ${selected.join(', ')} FROM ${table}, n WHERE ${table}.id = :id`,
    ),
    { id, count },
  );
}

async function measure(name: string, server: TestServer): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const found: { took: number; cpu: number; held: number; kept: number; bytes: number }[] = [];
  for (let round = 0; round <= Number(values.rounds); round++) {
    if (round > 0) await sleep(HOLD_MS);
    delay.enable();
    await sleep(50);
    delay.reset();
    const used = process.cpuUsage();
    const from = performance.now();
    const { text } = await server.call('GET', '/metrics', { agent });
    const took = performance.now() - from;
    const { user, system } = process.cpuUsage(used);
    await sleep(5);
    const held = delay.max / 1e6;
    delay.disable();
    const again = performance.now();
    await server.call('GET', '/metrics', { agent });
    found.push({ took, cpu: (user + system) / 1000, held, kept: performance.now() - again, bytes: text.length });
  }
  agent.destroy();
  const [first, ...rest] = found;
  if (!first) return;
  const middle = (of: (one: NonNullable<typeof first>) => number) =>
    rest.map(of).sort((a, b) => a - b)[Math.floor(rest.length / 2)] ?? 0;
  const most = Math.max(...rest.map(({ held }) => held));
  console.log(
    `${name}: first ${first.took.toFixed(1)} ms; then ${middle(({ took }) => took).toFixed(1)} ms read again (CPU of both ${middle(({ cpu }) => cpu).toFixed(1)} ms), ` +
      `${middle(({ kept }) => kept).toFixed(1)} ms kept; event loop held for ${most.toFixed(1)} ms at most; ${first.bytes} bytes`,
  );
}

const kind = values.database as Dialect;
for (const [name, prepare] of [
  ['empty', async () => {}],
  [`${COUNT} workspaces`, fill],
] as const) {
  const server = await startTestServer(kind);
  try {
    await prepare(server);
    await measure(`${kind}, ${name}`, server);
  } finally {
    await server.stop();
  }
}
