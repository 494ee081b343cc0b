import { afterEach, describe, expect, test } from 'vitest';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../../../test/support/databases.ts';
import { migrate, sql } from '../../../storage/index.ts';
import { workspacesMigrations } from '../../modules.ts';
import { passwordPolicy } from './password-policy.ts';

const BEFORE = workspacesMigrations.slice(0, workspacesMigrations.indexOf(passwordPolicy));
const insert = sql<{ id: string; settings: string }>(
  `INSERT INTO organization (id, name, email, default_project_id, default_execution_mode, allow_force_delete_workspaces,
     workspace_count, created_at, settings) VALUES (:id, :id, 'a@b.c', 'prj-1', 'remote', 0, 0, 1, :settings)`,
);
const select = sql<Record<string, never>, { settings: string }>('SELECT settings FROM organization ORDER BY id');

describe.each(databaseKinds)('0089-password-policy on %s', (kind) => {
  let opened: TestDatabase;
  afterEach(() => opened.close());

  test('replaces a mandatory second factor, and nothing else', async () => {
    opened = await openTestDatabase(kind);
    const { database } = opened;
    await migrate(database, 'workspaces', BEFORE);
    const given = [
      { 'session-timeout': 60, 'collaborator-auth-policy': 'two_factor_mandatory', 'fork-plans': 'nobody' },
      { 'collaborator-auth-policy': 'password' },
      { note: '"collaborator-auth-policy":"two_factor_mandatory"' },
    ];
    for (const [at, settings] of given.entries())
      await database.run(insert, { id: `org-${at}`, settings: JSON.stringify(settings) });
    await migrate(database, 'workspaces', workspacesMigrations);
    const found = await database.all(select, {});
    expect(found.map(({ settings }) => JSON.parse(settings))).toEqual([
      { ...given[0], 'collaborator-auth-policy': 'password' },
      given[1],
      given[2],
    ]);
  });
});
