/**
 * Measures queries of the explorer over 20,000 workspaces: CPU time of the process, the longest block of the thread that
 * serves requests, and the first query after a start. Each workspace has 4 providers, 25 resource types and 3
 * modules.
 *
 *     npm run bench:explorer [-- --database postgres --workspaces 20000 --rounds 20]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { eachInSlices } from '../src/lib/slices.ts';
import { Blobs, createKeyring, FileBlobs, sql } from '../src/storage/index.ts';
import { queryOf } from '../src/workspaces/execution/explorer/query-parameters.ts';
import { search } from '../src/workspaces/execution/explorer/search.ts';
import { readInherited } from '../src/workspaces/execution/explorer/table/row-store.ts';
import type { ExplorerRow } from '../src/workspaces/execution/explorer/table/rows.ts';
import { ExplorerTables } from '../src/workspaces/execution/explorer/table/tables.ts';
import type { WorkspaceItem } from '../src/workspaces/execution/explorer/workspace-fields.ts';
import { openSummary } from '../src/workspaces/state/version/summary.ts';
import { openMigrated } from '../test/support/migrated-databases.ts';
import { fillExplored } from './support/explored.ts';
import { needDatabase } from './support/filled.ts';
import { median } from './support/measure.ts';
import { Collections, Turns } from './support/turns.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    workspaces: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '20' },
  },
});
const COUNT = Number(values.workspaces);
const ROUNDS = Number(values.rounds);
const kind = values.database === 'postgres' ? 'postgres' : 'sqlite';

needDatabase(kind);

const QUERIES = {
  'first page': 'type=workspaces',
  'name contains': 'type=workspaces&filter[0][workspace_name][contains][0]=77',
  'three filters, sorted':
    'type=workspaces&sort=-last_applied_at&filter[0][resource_count][gt][0]=5&filter[1][current_run_status][is][0]=applied&filter[2][days_since_apply][gteq][0]=30',
  'sorted by status, then name': 'type=workspaces&sort=current_run_status,-workspace_name',
  'uses a provider version': 'type=workspaces&filter[0][providers][contains][0]=hashicorp/aws/5.3',
  'engine versions': 'type=tf_versions',
  providers: 'type=providers&sort=-workspace_count',
  modules: 'type=modules',
  'resource types': 'type=resource_types&sort=-instance_count',
  'resource types of some': 'type=resource_types&filter[0][workspaces][contains][0]=77',
};

const insertOrganization = sql<{ now: number }>(
  `INSERT INTO organization (id, name, email, default_project_id, default_execution_mode, allow_force_delete_workspaces,
     workspace_count, created_at) VALUES ('org-1', 'bench', 'a@b.c', 'prj-explored', 'remote', 0, 0, :now)`,
);
const change = sql<{ now: number }>(
  `UPDATE workspace SET version = version + 1, updated_at = :now WHERE resource_count = 39 AND name LIKE '%-11%'`,
);

const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-'));
const keyring = await createKeyring({ file: join(folder, 'keyring') });
const blobs = new Blobs(new FileBlobs(join(folder, 'blobs')), keyring);
const { database, close } = await openMigrated(kind, 'workspaces');
await database.run(insertOrganization, { now: Date.now() });
await fillExplored(database, { keyring, folder: join(folder, 'blobs'), organization: 'org-1', count: COUNT });
const context = { organizationName: 'bench', inherited: await readInherited(database, 'org-1'), now: Date.now() };
const readable = { isVisible: true, runs: true, states: true };
const tables = new ExplorerTables(database, Date.now, ({ blobName, dataKey, summary }) =>
  blobName && dataKey && summary ? openSummary(blobs, { name: blobName, dataKey }, summary) : undefined,
);

const first = await measured(() => run(QUERIES['first page']));
console.log(`${values.database}, ${COUNT} workspaces; the first query after a start: ${inWords(first)}`);
for (const [name, query] of Object.entries(QUERIES))
  console.log(`${name}: ${inWords(await repeated(() => run(query)))}`);
const changed = await repeated(async () => {
  await database.run(change, { now: Date.now() });
  await run(QUERIES['first page']);
});
console.log(`after one of a thousand changed: ${inWords(changed)}`);
await close();
rmSync(folder, { recursive: true });

async function run(parameters: string): Promise<void> {
  const query = queryOf(
    Object.fromEntries(new URLSearchParams(parameters)) as unknown as Parameters<typeof queryOf>[0],
  );
  const { table } = await tables.current('org-1');
  const rows = await table.byName();
  const items: WorkspaceItem[] = [];
  await eachInSlices(rows.length, (at) => items.push({ row: rows[at] as ExplorerRow, readable, context }));
  const result = await search(items, query);
  await result.rows(0, 20);
}

interface Measured {
  readonly cpu: number;
  readonly blocked: number;
  /** Time of the longest full garbage collection, which may be the longest block. */
  readonly collected: number;
}

/** The CPU time is that of the process, with the threads that collect garbage; a block is that of its main thread. */
async function measured(work: () => Promise<void>): Promise<Measured> {
  const before = process.cpuUsage();
  const [turns, collections] = [new Turns(), new Collections()];
  await work();
  const cpu = milliseconds(process.cpuUsage(before));
  return { cpu, blocked: await turns.stop(), collected: await collections.stop() };
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

async function repeated(work: () => Promise<void>): Promise<Measured> {
  await work();
  const rounds: Measured[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measured(work));
  return {
    cpu: median(rounds.map(({ cpu }) => cpu)),
    blocked: Math.max(...rounds.map(({ blocked }) => blocked)),
    collected: Math.max(...rounds.map(({ collected }) => collected)),
  };
}

function inWords({ cpu, blocked, collected }: Measured): string {
  const collection = collected === 0 ? '' : `, longest full garbage collection ${collected.toFixed(1)} ms`;
  return `${cpu.toFixed(1)} ms of CPU, longest block ${blocked.toFixed(1)} ms${collection}`;
}
