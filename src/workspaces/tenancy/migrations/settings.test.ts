import { afterEach, describe, expect, test } from 'vitest';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../../../test/support/databases.ts';
import { migrate, sql } from '../../../storage/index.ts';
import { workspacesMigrations } from '../../modules.ts';
import { settings } from './settings.ts';

const BEFORE = workspacesMigrations.slice(0, workspacesMigrations.indexOf(settings));

const ROWS = [
  `INSERT INTO account (id, username, email, created_at) VALUES
     ('user-ada', 'ada', 'Ada@example.com', 1), ('user-bob', 'bob', 'bob@example.com', 2),
     ('user-twin', 'twin', 'ada@example.com', 3), ('user-eve', 'eve', 'eve@example.com', 4)`,
  `INSERT INTO organization (id, name, email, default_project_id, default_execution_mode,
     allow_force_delete_workspaces, workspace_count, created_at)
   VALUES ('org-one', 'one', 'a@b.c', 'prj-1', 'remote', 0, 0, 1), ('org-two', 'two', 'a@b.c', 'prj-2', 'remote', 0, 0, 1)`,
  `INSERT INTO team (id, organization_id, name, owners, visibility, access, created_at) VALUES
     ('team-1', 'org-one', 'owners', 1, 'secret', '{}', 1), ('team-2', 'org-one', 'ops', 0, 'secret', '{}', 1),
     ('team-3', 'org-two', 'owners', 1, 'secret', '{}', 1)`,
  `INSERT INTO team_member (team_id, account_id) VALUES
     ('team-1', 'user-ada'), ('team-2', 'user-ada'), ('team-2', 'user-bob'), ('team-2', 'user-twin'), ('team-3', 'user-bob')`,
];

const memberships = sql<Record<string, never>, Record<string, string>>(
  'SELECT organization_id AS org, account_id AS account, email, status FROM organization_membership ORDER BY org, email',
);

describe.each(databaseKinds)('0004-settings on %s', (kind) => {
  let opened: TestDatabase;
  afterEach(() => opened.close());

  test('users of a team become members of its organization, once for each email address', async () => {
    opened = await openTestDatabase(kind);
    const { database } = opened;
    await migrate(database, 'workspaces', BEFORE);
    for (const statement of ROWS) await database.run(sql(statement), {});
    await migrate(database, 'workspaces', workspacesMigrations);
    const status = 'active';
    const found = await database.all(memberships, {});
    expect(found.map(({ account: _account, ...rest }) => rest)).toEqual([
      { org: 'org-one', email: 'ada@example.com', status },
      { org: 'org-one', email: 'bob@example.com', status },
      { org: 'org-two', email: 'bob@example.com', status },
    ]);
    expect(found.map(({ account }) => account)).toEqual([
      expect.stringMatching(/^user-(ada|twin)$/),
      'user-bob',
      'user-bob',
    ]);
  });
});
