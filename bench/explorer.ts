/**
 * Measures queries of the explorer over 20,000 workspaces: CPU time of the process, the longest time for which it
 * serves nothing else, and the first query after a start. Each workspace has 4 providers, 25 resource types and 3
 * modules.
 *
 *     npm run bench:explorer [-- --database postgres --workspaces 20000 --rounds 20]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { eachInSlices } from '../src/lib/slices.ts';
import {
  Blobs,
  createKeyring,
  type Database,
  FileBlobs,
  type Params,
  sql,
  type WrittenBlob,
} from '../src/storage/index.ts';
import { queryOf } from '../src/workspaces/execution/explorer/query-parameters.ts';
import { search } from '../src/workspaces/execution/explorer/search.ts';
import { readInherited } from '../src/workspaces/execution/explorer/table/row-store.ts';
import type { ExplorerRow } from '../src/workspaces/execution/explorer/table/rows.ts';
import { ExplorerTables } from '../src/workspaces/execution/explorer/table/tables.ts';
import type { WorkspaceItem } from '../src/workspaces/execution/explorer/workspace-fields.ts';
import { openSummary, sealSummary } from '../src/workspaces/state/version/summary.ts';
import { DEFAULT_SETTINGS } from '../src/workspaces/workspace/model/settings.ts';
import { openMigrated } from '../test/support/migrated-databases.ts';
import { needDatabase } from './support/filled.ts';
import { median } from './support/measure.ts';

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

const NUMBERS =
  'WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < cast(:count AS integer))';
const change = sql<{ now: number }>(
  `UPDATE workspace SET version = version + 1, updated_at = :now WHERE resource_count = 39 AND name LIKE '%-11%'`,
);

const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-'));
const keyring = await createKeyring({ file: join(folder, 'keyring') });
const blobs = new Blobs(new FileBlobs(join(folder, 'blobs')), keyring);
const { database, close } = await openMigrated(kind, 'workspaces');
await fill(database, await blobs.write([Buffer.from('{}')], { scope: 'bench', maxBytes: 10 }));
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
}

/** A turn of the event loop counts with its CPU time, so that other programs on the machine do not matter. */
async function measured(work: () => Promise<void>): Promise<Measured> {
  const before = process.cpuUsage();
  let last = before;
  let blocked = 0;
  let isOver = false;
  const turn = (): void => {
    blocked = Math.max(blocked, milliseconds(process.cpuUsage(last)));
    last = process.cpuUsage();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  turn();
  return { cpu: milliseconds(process.cpuUsage(before)), blocked };
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

async function repeated(work: () => Promise<void>): Promise<Measured> {
  await work();
  const rounds: Measured[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measured(work));
  return { cpu: median(rounds.map(({ cpu }) => cpu)), blocked: Math.max(...rounds.map(({ blocked }) => blocked)) };
}

function inWords({ cpu, blocked }: Measured): string {
  return `${cpu.toFixed(1)} ms of CPU, longest block ${blocked.toFixed(1)} ms`;
}

/** All workspaces have the same state. */
async function fill(db: Database, blob: WrittenBlob): Promise<void> {
  const now = Date.now();
  const uses = JSON.stringify({
    providers: ['aws', 'random', 'null', 'tls'].map((name) => `registry.opentofu.org/hashicorp/${name}`),
    types: Array.from({ length: 25 }, (_, at) => [`aws_type_${at}`, at % 4, at + 1]),
    modules: ['vpc', 'eks', 'eks.nodes'],
  });
  const statements: readonly (readonly [text: string, params: Params])[] = [
    [
      `INSERT INTO organization (id, name, email, default_project_id, default_execution_mode,
         allow_force_delete_workspaces, workspace_count, created_at) VALUES ('org-1', 'bench', 'a@b.c', 'prj-1', 'remote', 0, 0, :now)`,
      { now },
    ],
    [
      `INSERT INTO project (id, organization_id, name, workspace_count, created_at) VALUES ('prj-1', 'org-1', 'one', 0, :now)`,
      { now },
    ],
    [
      `${NUMBERS} INSERT INTO workspace (id, organization_id, project_id, name, settings, resource_count, version,
         created_at, updated_at, latest_change_at, current_run_status, current_state_version_id)
       SELECT 'ws-' || i, 'org-1', 'prj-1', 'team-' || (i % 50) || '-' || ((i * 7919) % cast(:count as integer)), :settings, i % 40, 1, :now, :now, :now,
         CASE WHEN i % 20 = 0 THEN 'errored' ELSE 'applied' END, 'sv-' || i FROM n`,
      { count: COUNT, now, settings: JSON.stringify(DEFAULT_SETTINGS) },
    ],
    [
      `INSERT INTO blob (name, workspace_id, content_hash, size, data_key, key_version, uses, created_at)
       VALUES (:name, 'ws-0', :hash, 2, :dataKey, 1, :count, :now)`,
      { name: blob.name, hash: blob.hash, dataKey: blob.dataKey, count: COUNT, now },
    ],
    [
      `INSERT INTO state_content (blob_name, format, encrypted, engine_version, resource_count, output_count, outputs,
         resources, overview, summary) VALUES (:name, 4, 0, '1.10.5', 25, 0, :none, :none, :none, :summary)`,
      { name: blob.name, none: new Uint8Array(1), summary: sealSummary(blobs, blob, uses) },
    ],
    [
      `${NUMBERS} INSERT INTO state_version (id, workspace_id, position, status, intermediate, serial, md5, forced, size,
         creator, state_blob, created_at)
       SELECT 'sv-' || i, 'ws-' || i, 1, 'finalized', 0, 1, '', 0, 1, '{}', :name, CAST(:now AS BIGINT) - CAST(i % 90 AS BIGINT) * 86400000 FROM n`,
      { count: COUNT, now, name: blob.name },
    ],
    [
      `${NUMBERS} INSERT INTO workspace_packages (workspace_id, packages, recorded_at, applied_at)
       SELECT 'ws-' || i, '{"providers":[{"source":"registry.opentofu.org/hashicorp/aws","version":"5.' || (i % 60) ||
         '.0"}],"modules":[{"key":"vpc","source":"registry.opentofu.org/acme/vpc/aws","version":"2.' || (i % 30) || '.0"}]}',
         :now, CAST(:now AS BIGINT) - CAST(i % 90 AS BIGINT) * 86400000 FROM n`,
      { count: COUNT, now },
    ],
  ];
  for (const [text, params] of statements) await db.transaction((tx) => tx.run(sql<Params>(text), params));
}
