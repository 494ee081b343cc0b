import { afterEach, describe, expect, test } from 'vitest';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../../../test/support/databases.ts';
import { migrate, sql } from '../../../storage/index.ts';
import { workspacesMigrations } from '../../modules.ts';
import { QUEUE_CLASS } from '../lifecycle/queue.ts';
import { queue } from './queue.ts';

const BEFORE = workspacesMigrations.slice(0, workspacesMigrations.indexOf(queue));

const ORGANIZATION = `INSERT INTO organization (id, name, email, default_project_id, default_execution_mode,
   allow_force_delete_workspaces, workspace_count, created_at) VALUES ('org-1', 'one', 'a@b.c', 'prj-1', 'remote', 0, 0, 1)`;
const PROJECT = `INSERT INTO project (id, organization_id, name, workspace_count, created_at)
   VALUES ('prj-1', 'org-1', 'one', 0, 1)`;
const WORKSPACE = `INSERT INTO workspace (id, organization_id, project_id, name, settings, resource_count, version, created_at,
   updated_at, latest_change_at) VALUES ('ws-1', 'org-1', 'prj-1', 'one', '{}', 0, 1, 1, 1, 1)`;
const run = (id: string, status: string, { waits = 0, queued = 1, operation = 'plan_and_apply' } = {}) =>
  `INSERT INTO run (id, organization_id, workspace_id, configuration_version_id, status, operation, source, trigger_reason,
     message, parameters, timestamps, has_changes, waits, active, queued, version, created_by_type, created_by_id,
     created_by_name, created_at)
   VALUES ('${id}', 'org-1', 'ws-1', 'cv-1', '${status}', '${operation}', 's', 't', 'm', '{}', '{}', 0, ${waits}, 0, ${queued}, 1,
     'users', 'user-1', 'one', 7)`;
const EVENT = `INSERT INTO run_event (id, run_id, number, action, created_at) VALUES ('re-1', 'run-planning', 1, 'planning', 99)`;

const ROWS = [
  run('run-planning', 'planning'),
  run('run-applies', 'apply_queued'),
  run('run-plans', 'plan_queued'),
  run('run-plans-alone', 'plan_queued', { operation: 'plan_only' }),
  run('run-waits', 'pending', { waits: 1 }),
  run('run-saved', 'confirmed', { waits: 1, operation: 'save_plan' }),
];
const places = sql<Record<string, never>, { id: string; place: number; turn: number }>(
  'SELECT id, queue_class AS place, queue_turn AS turn FROM run ORDER BY queue_class, id',
);

describe.each(databaseKinds)('0016-queue on %s', (kind) => {
  let opened: TestDatabase;
  afterEach(() => opened.close());

  test('the runs that are in the queue have their place in it', async () => {
    opened = await openTestDatabase(kind);
    const { database } = opened;
    await migrate(database, 'workspaces', BEFORE);
    for (const statement of [ORGANIZATION, PROJECT, WORKSPACE, ...ROWS, EVENT]) await database.run(sql(statement), {});
    await migrate(database, 'workspaces', workspacesMigrations);
    const { running, apply, plan, planOnly, waiting } = QUEUE_CLASS;
    expect(await database.all(places, {})).toEqual([
      { id: 'run-planning', place: running, turn: 99 },
      { id: 'run-applies', place: apply, turn: 7 },
      { id: 'run-plans', place: plan, turn: 7 },
      { id: 'run-plans-alone', place: planOnly, turn: 7 },
      { id: 'run-saved', place: waiting, turn: 7 },
      { id: 'run-waits', place: waiting, turn: 7 },
    ]);
  });
});
