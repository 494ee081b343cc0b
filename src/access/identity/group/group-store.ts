import { type Queries, sql } from '../../../storage/index.ts';
import type { Group, GroupDetails, ListedGroup } from './group.ts';
import { GroupAliasStore } from './group-alias-store.ts';
import { GroupMembers } from './group-members.ts';

type Row = {
  id: string;
  name: string;
  type: string;
  metadata: string;
  policies: string;
  entities: number;
  modify_index: number;
  created_at: number;
  updated_at: number;
};
type ListedRow = Row & { parents: number };

const COLUMNS = 'id, name, type, metadata, policies, entities, modify_index, created_at, updated_at';
const LISTED = `SELECT ${COLUMNS}, (SELECT COUNT(*) FROM group_member WHERE member_id = identity_group.id) AS parents
  FROM identity_group`;

const byId = sql<{ id: string }, Row>(`SELECT ${COLUMNS} FROM identity_group WHERE id = :id`);
const byName = sql<{ name: string }, Row>(`SELECT ${COLUMNS} FROM identity_group WHERE name = :name`);
const pageById = sql<{ after: string; most: number }, ListedRow>(`${LISTED} WHERE id > :after ORDER BY id LIMIT :most`);
const pageByName = sql<{ after: string; most: number }, ListedRow>(
  `${LISTED} WHERE name > :after ORDER BY name LIMIT :most`,
);
const insert = sql<Row>(`INSERT INTO identity_group (${COLUMNS}) VALUES (${COLUMNS.replace(/\w+/g, ':$&')})`);
// The statements that write members update the number of entities.
const update = sql<Pick<Row, 'id' | 'name' | 'metadata' | 'policies' | 'updated_at'>>(
  `UPDATE identity_group SET name = :name, metadata = :metadata, policies = :policies, updated_at = :updated_at,
     modify_index = modify_index + 1 WHERE id = :id`,
);
const remove = sql<{ id: string }>('DELETE FROM identity_group WHERE id = :id');

/** Stores groups, without their members. */
export class GroupStore {
  readonly #queries: Queries;

  /** @param queries a transaction, if several statements belong together */
  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async find(id: string): Promise<Group | undefined> {
    const row = await this.#queries.one(byId, { id });
    return row && toGroup(row);
  }

  async findByName(name: string): Promise<Group | undefined> {
    const row = await this.#queries.one(byName, { name });
    return row && toGroup(row);
  }

  async details(group: Group): Promise<GroupDetails> {
    const members = new GroupMembers(this.#queries);
    return {
      ...group,
      alias: await new GroupAliasStore(this.#queries).ofGroup(group.id),
      memberEntityIds: await members.entities(group.id),
      memberGroupIds: await members.groups(group.id),
      parentGroupIds: await members.parents(group.id),
    };
  }

  async page(by: 'id' | 'name', after: string, most: number): Promise<ListedGroup[]> {
    const rows = await this.#queries.all(by === 'id' ? pageById : pageByName, { after, most });
    const external = rows.filter(({ type }) => type === 'external').map(({ id }) => id);
    const aliases = await new GroupAliasStore(this.#queries).ofGroups(external);
    return rows.map((row) => ({ ...toGroup(row), parents: row.parents, alias: aliases.get(row.id) }));
  }

  async insert(group: Group): Promise<void> {
    await this.#queries.run(insert, {
      id: group.id,
      type: group.type,
      entities: group.entities,
      modify_index: group.modifyIndex,
      created_at: group.createdAt,
      ...changeable(group),
    });
  }

  /** Updates name, metadata and policies. */
  async update(group: Group): Promise<void> {
    await this.#queries.run(update, { id: group.id, ...changeable(group) });
  }

  /** Removes a group. Its memberships and its alias must be removed before. */
  async remove(id: string): Promise<void> {
    await this.#queries.run(remove, { id });
  }
}

function changeable({ name, metadata, policies, updatedAt }: Group) {
  return { name, metadata: JSON.stringify(metadata), policies: JSON.stringify(policies), updated_at: updatedAt };
}

function toGroup(row: Row): Group {
  return {
    id: row.id,
    name: row.name,
    type: row.type === 'external' ? 'external' : 'internal',
    metadata: JSON.parse(row.metadata),
    policies: JSON.parse(row.policies),
    entities: row.entities,
    modifyIndex: row.modify_index,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
