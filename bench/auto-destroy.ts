/**
 * Measures automatic destroy runs that are due in the same minute: the rounds and CPU time until all have started, and
 * the longest blocks of the event loop, in CPU time of its thread, beside those of an idle loop. Each started run is ended at
 * once, so that the next ones may start. Server and client share one process; the CPU time is that of the rounds alone.
 *
 *     npm run bench:auto-destroy [-- --database postgres --workspaces 5000]
 */
import { parseArgs } from 'node:util';
import { type Dialect, type Params, sql } from '../src/storage/index.ts';
import { archive } from '../test/support/samples/archive.ts';
import { startTestServer, type TestServer } from '../test/support/server.ts';
import { needDatabase } from './support/filled.ts';
import { blocks, idleBlock, Turns } from './support/turns.ts';

const { values } = parseArgs({
  options: { database: { type: 'string', default: 'sqlite' }, workspaces: { type: 'string', default: '5000' } },
});
needDatabase(values.database);
const FEW = 5;
const HOUR = 3_600_000;
const ROUND = 30_000;
const STATE = JSON.stringify({
  ...{ version: 4, terraform_version: '1.10.5', serial: 1, lineage: 'bench', outputs: {} },
  resources: [
    {
      ...{ mode: 'managed', type: 'null_resource', name: 'one', provider: 'provider["registry.opentofu.org/a/b"]' },
      instances: [{ schema_version: 0, attributes: { id: '1' } }],
    },
  ],
});

async function ask(server: TestServer, method: string, path: string, body?: object) {
  const answer = await server.user(method, `/api/v2${path}`, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body?.data;
}
const document = (type: string, attributes: object) => ({ data: { type, attributes } });

/** Creates one workspace by requests, then copies it with its configuration, state and time in the database. */
async function fill(server: TestServer, count: number): Promise<void> {
  await ask(server, 'POST', '/organizations', document('organizations', { name: 'bench', email: 'a@example.com' }));
  const at = new Date(server.now() + HOUR).toISOString();
  const made = document('workspaces', { name: 'one', 'auto-destroy-at': at, 'execution-mode': 'remote' });
  const { id } = await ask(server, 'POST', '/organizations/bench/workspaces', made);
  const version = document('configuration-versions', { 'auto-queue-runs': false });
  const { attributes } = await ask(server, 'POST', `/workspaces/${id}/configuration-versions`, version);
  await server.call('PUT', new URL(attributes['upload-url']).pathname, { body: archive() });
  await ask(server, 'POST', `/workspaces/${id}/actions/lock`);
  const { createHash } = await import('node:crypto');
  const md5 = createHash('md5').update(STATE).digest('hex');
  const state = Buffer.from(STATE).toString('base64');
  await ask(server, 'POST', `/workspaces/${id}/state-versions`, document('state-versions', { serial: 1, md5, state }));
  await ask(server, 'POST', `/workspaces/${id}/actions/unlock`);
  const copies = { id: "id || '-' || n.i", workspace_id: "workspace_id || '-' || n.i" };
  await copy(server, 'workspace', `id = '${id}'`, count - 1, { id: copies.id, name: "name || '-' || n.i" });
  await copy(server, 'configuration_version', `workspace_id = '${id}'`, count - 1, copies);
  await copy(server, 'auto_destroy', `workspace_id = '${id}'`, count - 1, { workspace_id: copies.workspace_id });
  if (server.application.databases.workspaces.dialect === 'postgres') {
    await server.application.databases.workspaces.run(sql('ANALYZE'), {});
  }
}

const COLUMNS = {
  sqlite: (table: string) => `SELECT name FROM pragma_table_info('${table}') WHERE name <> ''`,
  postgres: (table: string) =>
    `SELECT column_name::text AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = '${table}'`,
};

async function copy(
  { application }: TestServer,
  table: string,
  where: string,
  count: number,
  changed: Readonly<Record<string, string>>,
): Promise<void> {
  const { workspaces: database } = application.databases;
  const columns = await database.all(sql<Params, { name: string }>(COLUMNS[database.dialect](table)), {});
  const names = columns.map(({ name }) => name);
  const selected = names.map((name) => changed[name] ?? name);
  await database.run(
    sql<{ count: number }>(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :count)
       INSERT INTO ${table} (${names.join(', ')}) SELECT ${selected.join(', ')} FROM ${table}, n WHERE ${table}.${where}`,
    ),
    { count },
  );
}

const selectStarted = sql<Record<string, never>, { runId: string }>(
  `SELECT run_id AS "runId" FROM auto_destroy WHERE state = 'running'`,
);

async function measure(count: number): Promise<void> {
  const server = await startTestServer(values.database as Dialect);
  try {
    await fill(server, count);
    const { databases, workspaces } = server.application;
    server.advance(HOUR);
    const [rounds, held, idle]: [number[], number[], number[]] = [[], [], []];
    let [started, cpu] = [0, 0];
    while (started < count) {
      const turns = new Turns();
      const used = process.cpuUsage();
      const from = performance.now();
      await workspaces.execution.runReconciler.sweep();
      rounds.push(performance.now() - from);
      const { user, system } = process.cpuUsage(used);
      cpu += (user + system) / 1000;
      held.push(await turns.stop());
      idle.push(await idleBlock(50));
      const running = await databases.workspaces.all(selectStarted, {});
      started += running.length;
      for (const { runId } of running) await ask(server, 'POST', `/runs/${runId}/actions/cancel`);
      server.advance(ROUND);
    }
    const longest = Math.max(...rounds);
    console.log(
      `${values.database}, ${count} due: all started after ${rounds.length} rounds (${(rounds.length / 2).toFixed(1)} min); ` +
        `CPU ${(cpu / count).toFixed(2)} ms for each run, ${(cpu / rounds.length).toFixed(0)} ms for each round; ` +
        `longest round ${longest.toFixed(0)} ms; ${blocks(held, idle)}`,
    );
  } finally {
    await server.stop();
  }
}

await measure(FEW);
await measure(Number(values.workspaces));
