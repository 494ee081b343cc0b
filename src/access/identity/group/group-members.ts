import { type Queries, sql } from '../../../storage/index.ts';
import { inSome, SOME_IDS, type SomeIds } from '../../model/id-batches.ts';

type Group = { group_id: string };
type Entity = { entity_id: string };
type Id = { id: string };

const entities = sql<Group, Id>(
  'SELECT entity_id AS id FROM group_entity WHERE group_id = :group_id ORDER BY entity_id',
);
const groups = sql<Group, Id>('SELECT member_id AS id FROM group_member WHERE group_id = :group_id ORDER BY member_id');
const parents = sql<{ member_id: string }, Id>(
  'SELECT group_id AS id FROM group_member WHERE member_id = :member_id ORDER BY group_id',
);
const ofEntity = sql<Entity, Id>(
  'SELECT group_id AS id FROM group_entity WHERE entity_id = :entity_id ORDER BY group_id',
);

const addEntities = sql<Group & SomeIds>(
  `INSERT INTO group_entity (entity_id, group_id) SELECT id, :group_id FROM entity WHERE id IN ${SOME_IDS}
   ON CONFLICT (entity_id, group_id) DO NOTHING`,
);
const removeEntities = sql<Group & SomeIds>(
  `DELETE FROM group_entity WHERE group_id = :group_id AND entity_id IN ${SOME_IDS}`,
);
const addGroups = sql<Group & SomeIds>(
  `INSERT INTO group_member (member_id, group_id) SELECT id, :group_id FROM identity_group WHERE id IN ${SOME_IDS}
   ON CONFLICT (member_id, group_id) DO NOTHING`,
);
const removeGroups = sql<Group & SomeIds>(
  `DELETE FROM group_member WHERE group_id = :group_id AND member_id IN ${SOME_IDS}`,
);
const count = sql<Group>(
  `UPDATE identity_group SET entities = (SELECT COUNT(*) FROM group_entity WHERE group_entity.group_id = :group_id)
   WHERE id = :group_id`,
);

const entity = sql<Id, Id>('SELECT id FROM entity WHERE id = :id');
const group = sql<Id, Id>('SELECT id FROM identity_group WHERE id = :id');

const inTooMany = sql<{ most: number } & SomeIds, Id>(
  `SELECT entity_id AS id FROM group_entity WHERE entity_id IN ${SOME_IDS} GROUP BY entity_id HAVING COUNT(*) > :most LIMIT 1`,
);
const memberOfTooMany = sql<{ most: number } & SomeIds, Id>(
  `SELECT member_id AS id FROM group_member WHERE member_id IN ${SOME_IDS} GROUP BY member_id HAVING COUNT(*) > :most LIMIT 1`,
);

const forgetEntities = sql<Group>('DELETE FROM group_entity WHERE group_id = :group_id');
const forgetGroups = sql<Group>('DELETE FROM group_member WHERE group_id = :group_id');
const forgetParents = sql<Group>('DELETE FROM group_member WHERE member_id = :group_id');
const countLess = sql<Entity>(
  `UPDATE identity_group SET entities = entities - 1
   WHERE id IN (SELECT group_id FROM group_entity WHERE entity_id = :entity_id)`,
);
const forgetEntity = sql<Entity>('DELETE FROM group_entity WHERE entity_id = :entity_id');

/** Types of members. */
type Kind = 'entities' | 'groups';
const ADD = { entities: addEntities, groups: addGroups };
const REMOVE = { entities: removeEntities, groups: removeGroups };
const ONE = { entities: entity, groups: group };
const TOO_MANY = { entities: inTooMany, groups: memberOfTooMany };

/** Stores the members of groups. */
export class GroupMembers {
  readonly queries: Queries;

  /** @param queries a transaction, if several statements belong together */
  constructor(queries: Queries) {
    this.queries = queries;
  }

  async entities(groupId: string): Promise<string[]> {
    return (await this.queries.all(entities, { group_id: groupId })).map(({ id }) => id);
  }

  async groups(groupId: string): Promise<string[]> {
    return (await this.queries.all(groups, { group_id: groupId })).map(({ id }) => id);
  }

  /** Returns the groups with this group as a direct member. */
  async parents(groupId: string): Promise<string[]> {
    return (await this.queries.all(parents, { member_id: groupId })).map(({ id }) => id);
  }

  /** Returns the groups with this entity as a direct member. */
  async ofEntity(entityId: string): Promise<string[]> {
    return (await this.queries.all(ofEntity, { entity_id: entityId })).map(({ id }) => id);
  }

  /** Adds members. Returns false if one of them does not exist; the caller must then roll the transaction back. */
  async add(groupId: string, kind: Kind, ids: readonly string[]): Promise<boolean> {
    let added = 0;
    for (const some of inSome(ids)) added += await this.queries.run(ADD[kind], { group_id: groupId, ...some });
    if (kind === 'entities') await this.queries.run(count, { group_id: groupId });
    return added === ids.length;
  }

  async remove(groupId: string, kind: Kind, ids: readonly string[]): Promise<void> {
    for (const some of inSome(ids)) await this.queries.run(REMOVE[kind], { group_id: groupId, ...some });
    if (kind === 'entities') await this.queries.run(count, { group_id: groupId });
  }

  /** Returns the first id that does not exist. */
  async unknown(kind: Kind, ids: readonly string[]): Promise<string | undefined> {
    for (const id of ids) if (!(await this.queries.one(ONE[kind], { id }))) return id;
    return undefined;
  }

  /** Returns one of these members that is a direct member of more than `most` groups. */
  async inMoreThan(most: number, kind: Kind, ids: readonly string[]): Promise<string | undefined> {
    for (const some of inSome(ids)) {
      const found = await this.queries.one(TOO_MANY[kind], { most, ...some });
      if (found) return found.id;
    }
    return undefined;
  }

  /** Removes all members and memberships of a group. */
  async forgetGroup(groupId: string): Promise<void> {
    for (const statement of [forgetEntities, forgetGroups, forgetParents]) {
      await this.queries.run(statement, { group_id: groupId });
    }
  }

  /** Removes all entities of a group. */
  async forgetEntities(groupId: string): Promise<void> {
    await this.queries.run(forgetEntities, { group_id: groupId });
    await this.queries.run(count, { group_id: groupId });
  }

  async forgetEntity(entityId: string): Promise<void> {
    await this.queries.run(countLess, { entity_id: entityId });
    await this.queries.run(forgetEntity, { entity_id: entityId });
  }
}
