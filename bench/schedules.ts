/**
 * Measures what schedules cost the server: sweeps in which nothing is due, beside 5 and beside many schedules that are
 * not; and a project's schedule that is due in 5 and in 5,000 workspaces at once. Agents are played by one statement
 * that ends the runs between sweeps. The longest blocks are CPU time of the thread that serves requests, beside those of
 * an idle loop.
 *
 *     npm run bench:schedules [-- --database postgres --workspaces 5000]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createKeyring, FileBlobs, LocalSignals, sql } from '../src/storage/index.ts';
import { createWorkspaces } from '../src/workspaces/index.ts';
import { DEFAULT_SETTINGS } from '../src/workspaces/workspace/model/settings.ts';
import { openMigrated } from '../test/support/migrated-databases.ts';
import { needDatabase } from './support/filled.ts';
import { median } from './support/measure.ts';
import { blocks, idleBlock, Turns } from './support/turns.ts';

const { values } = parseArgs({
  options: { database: { type: 'string', default: 'sqlite' }, workspaces: { type: 'string', default: '5000' } },
});
needDatabase(values.database);
const many = Number(values.workspaces);
const DAY = 86_400_000;

const NUMBERS = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :count)';
const insertOrganization = sql<{ now: number }>(
  `INSERT INTO organization (id, name, email, default_project_id, default_execution_mode, allow_force_delete_workspaces,
     settings, workspace_count, created_at)
   VALUES ('org-bench', 'bench', 'a@example.com', 'few', 'remote', 0, '{}', 0, :now)`,
);
const insertProject = sql<{ id: string; now: number }>(
  `INSERT INTO project (id, organization_id, name, workspace_count, created_at)
   VALUES (:id, 'org-bench', :id, 0, :now)`,
);
const insertWorkspaces = sql<{ project: string; count: number; settings: string; now: number }>(
  `${NUMBERS} INSERT INTO workspace (id, organization_id, project_id, name, settings, execution_mode, resource_count, version,
     created_at, updated_at, latest_change_at)
   SELECT 'ws-' || :project || cast(100000 + i as text), 'org-bench', :project,
     :project || cast(100000 + i as text), :settings, 'remote', 0, 1, :now, :now, :now FROM n`,
);
const insertConfigurations = sql<{ project: string; now: number }>(
  `INSERT INTO configuration_version (id, workspace_id, source, status, auto_queue_runs, speculative, provisional,
     timestamps, size, backing, created_by_type, created_by_id, created_at)
   SELECT 'cv-' || id, id, 'tfe-api', 'uploaded', 0, 0, 0, '{}', 1, 'kept', 'users', 'user-1', :now
   FROM workspace WHERE project_id = :project`,
);
const insertSchedule = sql<{ project: string; nextAt: number; now: number }>(
  `INSERT INTO schedule (id, organization_id, project_id, name, operation, cron, time_zone, jitter, when_busy, paused,
     next_at, distributed_to, created_at)
   VALUES ('sched-' || :project, 'org-bench', :project, 'nightly', 'plan', '0 2 * * *', 'UTC', 0, 'skip', 0, :nextAt,
     '', :now)`,
);
const insertResting = sql<{ project: string; nextAt: number; now: number }>(
  `INSERT INTO schedule (id, organization_id, workspace_id, name, operation, cron, time_zone, jitter, when_busy, paused,
     next_at, distributed_to, created_at)
   SELECT 'sched-' || id, 'org-bench', id, 'rests', 'plan', '0 2 * * *', 'UTC', 0, 'skip', 0, :nextAt, '', :now
   FROM workspace WHERE project_id = :project`,
);
const endRuns = sql<{ now: number }>(
  `UPDATE run SET status = 'planned_and_finished', queued = 0, finished_at = :now WHERE finished_at IS NULL`,
);
const countOutcomes = sql<{ id: string }, { count: number }>(
  'SELECT count(*) AS count FROM schedule_outcome WHERE schedule_id = :id',
);

const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-bench-'));
const { database, close } = await openMigrated(values.database === 'postgres' ? 'postgres' : 'sqlite', 'workspaces');
let now = Date.UTC(2030, 0, 1, 12);
const { execution } = createWorkspaces({
  ...{ database, signals: new LocalSignals(), keyring: await createKeyring({ file: join(folder, 'keyring') }) },
  ...{ blobStore: new FileBlobs(join(folder, 'blobs')), clock: () => now, execution: 'embedded' },
  report: (error: unknown) => console.error(error),
});

async function project(name: string, count: number): Promise<void> {
  const settings = JSON.stringify({ ...DEFAULT_SETTINGS, 'execution-mode': 'remote' });
  await database.run(insertProject, { id: name, now });
  await database.run(insertWorkspaces, { project: name, count, settings, now });
  await database.run(insertConfigurations, { project: name, now });
}

/** Returns the time of one sweep, milliseconds. */
async function sweep(): Promise<number> {
  const begun = performance.now();
  await execution.runReconciler.sweep();
  return performance.now() - begun;
}

async function idle(what: string): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n < 21; n++) times.push(await sweep());
  console.log(`${what.padEnd(48)} ${median(times).toFixed(1).padStart(7)} ms for one sweep`);
}

async function due(name: string, count: number): Promise<void> {
  await project(name, count);
  await database.run(insertSchedule, { project: name, nextAt: now, now });
  const [times, held, idle]: [number[], number[], number[]] = [[], [], []];
  let cpu = 0;
  for (let done = 0; done < count; ) {
    const turns = new Turns();
    const used = process.cpuUsage();
    times.push(await sweep());
    const { user, system } = process.cpuUsage(used);
    cpu += (user + system) / 1000;
    held.push(await turns.stop());
    idle.push(await idleBlock(50));
    done = (await database.one(countOutcomes, { id: `sched-${name}` }))?.count ?? 0;
    await database.run(endRuns, { now });
    now += 30_000;
  }
  const total = times.reduce((sum, time) => sum + time, 0);
  const figures = `${times.length} sweeps, longest ${Math.max(...times).toFixed(0)} ms, ${(total / count).toFixed(1)} ms (CPU ${(cpu / count).toFixed(1)} ms) for each workspace`;
  console.log(`${`due in ${count} workspaces`.padEnd(48)} ${figures}; ${blocks(held, idle)}`);
}

await database.run(insertOrganization, { now });
await project('few', 5);
await database.run(insertResting, { project: 'few', nextAt: now + 100 * DAY, now });
await idle('nothing due, 5 schedules');
await due('small', 5);
await project('rests', many);
await database.run(insertResting, { project: 'rests', nextAt: now + 100 * DAY, now });
await idle(`nothing due, ${many + 5} schedules`);
await due('large', many);
await close();
await rm(folder, { recursive: true });
process.exit(0);
