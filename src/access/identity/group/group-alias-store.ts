import { type Queries, sql } from '../../../storage/index.ts';
import { inSome, SOME_IDS, type SomeIds } from '../../model/id-batches.ts';
import { type AliasMountRow, findMount, MOUNT_COLUMNS, toAliasMount, withMounts } from '../alias/alias-mounts.ts';
import { aliasNameAt } from '../alias/alias-name.ts';
import type { GroupAlias, MountedGroupAlias } from './group.ts';

type Row = { id: string; group_id: string; mount_id: string; name: string; created_at: number; updated_at: number };
type MountedRow = Row & AliasMountRow;

const COLUMNS = 'id group_id mount_id name created_at updated_at'.split(' ');
const ALIAS = `SELECT ${COLUMNS.map((column) => `group_alias.${column}`).join(', ')}, ${MOUNT_COLUMNS}
  ${withMounts('group_alias')}`;

const byId = sql<{ id: string }, MountedRow>(`${ALIAS} AND group_alias.id = :id`);
const ofGroup = sql<{ group_id: string }, MountedRow>(`${ALIAS} AND group_alias.group_id = :group_id`);
const ofGroups = sql<SomeIds, MountedRow>(`${ALIAS} AND group_alias.group_id IN ${SOME_IDS}`);
const byName = sql<{ mount_id: string; name: string }, MountedRow>(
  `${ALIAS} AND group_alias.mount_id = :mount_id AND group_alias.name = :name`,
);
const page = sql<{ after: string; most: number }, MountedRow>(
  `${ALIAS} AND group_alias.id > :after ORDER BY group_alias.id LIMIT :most`,
);
const insert = sql<Row>(
  `INSERT INTO group_alias (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((column) => `:${column}`).join(', ')})`,
);
const remove = sql<{ id: string }>('DELETE FROM group_alias WHERE id = :id');
const removeOfGroup = sql<{ group_id: string }>('DELETE FROM group_alias WHERE group_id = :group_id');
const groupsOfMount = sql<{ mount_id: string; most: number }, { group_id: string }>(
  'SELECT group_id FROM group_alias WHERE mount_id = :mount_id ORDER BY name LIMIT :most',
);

/** Stores group aliases. Each external group has at most one. */
export class GroupAliasStore {
  readonly #queries: Queries;

  /** @param queries a transaction, if several statements belong together */
  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async find(id: string): Promise<MountedGroupAlias | undefined> {
    const row = await this.#queries.one(byId, { id });
    return row && toAlias(row);
  }

  async ofGroup(groupId: string): Promise<MountedGroupAlias | undefined> {
    const row = await this.#queries.one(ofGroup, { group_id: groupId });
    return row && toAlias(row);
  }

  /** Returns the aliases by group id. */
  async ofGroups(groupIds: readonly string[]): Promise<ReadonlyMap<string, MountedGroupAlias>> {
    const found = new Map<string, MountedGroupAlias>();
    for (const some of inSome(groupIds)) {
      for (const row of await this.#queries.all(ofGroups, some)) found.set(row.group_id, toAlias(row));
    }
    return found;
  }

  /** Finds an alias at the mount with this accessor. */
  async findByName(accessor: string, text: string): Promise<MountedGroupAlias | undefined> {
    const mountId = await findMount(this.#queries, accessor);
    const name = mountId === undefined ? undefined : aliasNameAt(mountId, text);
    return mountId === undefined || name === undefined ? undefined : this.named(mountId, name);
  }

  async named(mountId: string, name: string): Promise<MountedGroupAlias | undefined> {
    const row = await this.#queries.one(byName, { mount_id: mountId, name });
    return row && toAlias(row);
  }

  /** Returns a page in order of ids. */
  async page(after: string, most: number): Promise<MountedGroupAlias[]> {
    return (await this.#queries.all(page, { after, most })).map(toAlias);
  }

  /** Stores an alias. Replaces its former version, and any other alias of the group. */
  async put(alias: GroupAlias): Promise<void> {
    await this.remove(alias.id);
    await this.removeOfGroup(alias.groupId);
    await this.#queries.run(insert, {
      id: alias.id,
      group_id: alias.groupId,
      mount_id: alias.mountId,
      name: alias.name,
      created_at: alias.createdAt,
      updated_at: alias.updatedAt,
    });
  }

  async remove(id: string): Promise<void> {
    await this.#queries.run(remove, { id });
  }

  async removeOfGroup(groupId: string): Promise<void> {
    await this.#queries.run(removeOfGroup, { group_id: groupId });
  }

  /** Returns some groups with an alias at the mount. */
  async groupsOfMount(mountId: string, most: number): Promise<string[]> {
    const rows = await this.#queries.all(groupsOfMount, { mount_id: mountId, most });
    return rows.map(({ group_id: id }) => id);
  }
}

function toAlias(row: MountedRow): MountedGroupAlias {
  return {
    id: row.id,
    groupId: row.group_id,
    mountId: row.mount_id,
    name: row.name,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...toAliasMount(row),
  };
}
