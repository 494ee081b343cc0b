import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../../test/support/databases.ts';
import { openMigrated } from '../../../test/support/migrated-databases.ts';
import { sql } from '../../storage/index.ts';
import { IdentityService } from './identity-service.ts';

type Range = { first: number; last: number };

/** Inserts rows directly: too many to create through the API. */
const numbers =
  '(WITH RECURSIVE number (n) AS (SELECT CAST(:first AS integer) UNION ALL SELECT n + 1 FROM number WHERE n < :last) SELECT n FROM number)';
const groups = sql<Range>(
  `INSERT INTO identity_group (id, name, type, metadata, policies, entities, modify_index, created_at, updated_at)
   SELECT 'g' || n, 'g' || n, 'internal', '{}', '[]', 0, 1, 0, 0 FROM ${numbers} AS numbered`,
);
const parents = sql<Range & { member: string }>(
  `INSERT INTO group_member (member_id, group_id) SELECT :member, 'g' || n FROM ${numbers} AS numbered`,
);
const members = sql<Range & { parent: string }>(
  `INSERT INTO group_member (member_id, group_id) SELECT 'g' || n, :parent FROM ${numbers} AS numbered`,
);
const merged = sql<Range & { entity: string }>(
  `INSERT INTO merged_entity (id, entity_id) SELECT 'e' || n, :entity FROM ${numbers} AS numbered`,
);

describe.each(databaseKinds)('limits of identities, on %s', (kind) => {
  let opened: TestDatabase;
  let identities: IdentityService;

  const group = async (): Promise<string> => (await identities.groups.write(undefined, {}))?.id ?? '';
  const entity = async (): Promise<string> => (await identities.entities.write(undefined, {}))?.id ?? '';
  const setMembers = (id: string, ids: string[]) => identities.groups.write({ id }, { member_group_ids: ids });

  beforeEach(async () => {
    opened = await openMigrated(kind, 'access');
    identities = new IdentityService(opened.database, () => 0);
  });
  afterEach(() => opened.close());

  it('a thousand groups above a group that gets a member', { timeout: 60_000 }, async () => {
    const [inner, member] = [await group(), await group()];
    await opened.database.run(groups, { first: 1, last: 1001 });
    await opened.database.run(parents, { member: inner, first: 1, last: 1000 });
    await setMembers(inner, [member]);
    await setMembers(inner, []);
    await opened.database.run(parents, { member: inner, first: 1001, last: 1001 });
    await expect(setMembers(inner, [member])).rejects.toThrow('a group can be in at most 1000 groups');
  });

  it('ten thousand groups below new members', { timeout: 60_000 }, async () => {
    const [outer, member] = [await group(), await group()];
    await opened.database.run(groups, { first: 1, last: 10_001 });
    await opened.database.run(members, { parent: member, first: 1, last: 10_000 });
    await setMembers(outer, [member]);
    await setMembers(outer, []);
    await opened.database.run(members, { parent: member, first: 10_001, last: 10_001 });
    await expect(setMembers(outer, [member])).rejects.toThrow('at most 10000 groups can be below new members');
  });

  it('a thousand entities merged into one', async () => {
    const [to, one, another] = [await entity(), await entity(), await entity()];
    await opened.database.run(merged, { entity: to, first: 1, last: 999 });
    await identities.entities.merge({ to_entity_id: to, from_entity_ids: one });
    const further = identities.entities.merge({ to_entity_id: to, from_entity_ids: another });
    await expect(further).rejects.toThrow('at most 1000 entities can be merged into one');
    expect(await identities.findEntity({ id: another })).toMatchObject({ id: another });
  });
});
