import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { changing } from '../common/changing.ts';
import { generatedName, plainName, storedName } from '../common/names.ts';
import type { Group, GroupDetails, ListedGroup } from './group.ts';
import { GroupAliasStore } from './group-alias-store.ts';
import { type GroupChange, groupChange } from './group-fields.ts';
import { GroupMembers } from './group-members.ts';
import { GroupStore } from './group-store.ts';
import { assertTree } from './group-tree.ts';

/** @limit groups with an entity as a direct member, groups -> 400 */
export const MAX_GROUPS_OF_ENTITY = 100;
/** @limit groups with a group as a direct member, groups -> 400 */
const MAX_PARENTS = 100;

type Body = Readonly<Record<string, unknown>>;

/** Identifies a group. */
export type GroupKey = { readonly id: string } | { readonly name: string };

/** Management of groups and their members. */
export class GroupService {
  readonly #database: Database;
  readonly #store: GroupStore;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#store = new GroupStore(database);
    this.#clock = clock;
  }

  async find(key: GroupKey): Promise<GroupDetails | undefined> {
    const group = await find(this.#store, key);
    return group && this.#store.details(group);
  }

  page(by: 'id' | 'name', after: string, most: number): Promise<ListedGroup[]> {
    return this.#store.page(by, after, most);
  }

  /**
   * Creates or updates a group.
   * @param key group to update; an unknown name, or no key, creates a group
   * @returns the created group; undefined after an update
   * @throws AppError bad-request
   */
  write(key: GroupKey | undefined, body: Body): Promise<Group | undefined> {
    const asked = groupChange(body);
    const change = key && 'name' in key ? { ...asked, name: storedName(key.name) } : asked;
    return changing(this.#database, async (tx) => {
      const stored = key && (await find(new GroupStore(tx), key));
      if (key && 'id' in key && !stored) refuse('invalid group ID');
      const group = stored ? await this.#update(tx, stored, change) : await this.#create(tx, change);
      await setMembers(tx, group, change);
      return stored ? undefined : group;
    });
  }

  /** Deletes a group with its memberships and its alias. Does nothing if it does not exist. */
  remove(key: GroupKey): Promise<void> {
    return changing(this.#database, async (tx) => {
      const store = new GroupStore(tx);
      const group = await find(store, key);
      if (!group) return;
      await new GroupAliasStore(tx).removeOfGroup(group.id);
      await new GroupMembers(tx).forgetGroup(group.id);
      await store.remove(group.id);
    });
  }

  async #create(tx: Transaction, change: GroupChange): Promise<Group> {
    const { name = generatedName('group'), type = 'internal', metadata = {}, policies = [] } = change;
    const now = this.#clock();
    const times = { createdAt: now, updatedAt: now };
    const group = { id: randomUUID(), name, type, metadata, policies, entities: 0, modifyIndex: 1, ...times };
    const store = new GroupStore(tx);
    if (await store.findByName(name)) refuse('group name is already in use');
    await store.insert(group);
    return group;
  }

  async #update(tx: Transaction, stored: Group, { name, type, metadata, policies }: GroupChange): Promise<Group> {
    if (type !== undefined && type !== stored.type) refuse('group type cannot be changed');
    const group = {
      ...stored,
      ...(name !== undefined && { name }),
      ...(metadata && { metadata }),
      ...(policies && { policies }),
      updatedAt: this.#clock(),
    };
    const store = new GroupStore(tx);
    const other = await store.findByName(group.name);
    if (other && other.id !== group.id) refuse('group name is already in use');
    await store.update(group);
    return group;
  }
}

/** Returns a new external group with default values. It has no alias yet. */
export function newExternalGroup(now: number): Group {
  return {
    id: randomUUID(),
    name: generatedName('group'),
    type: 'external',
    metadata: {},
    policies: [],
    entities: 0,
    modifyIndex: 1,
    createdAt: now,
    updatedAt: now,
  };
}

function find(store: GroupStore, key: GroupKey): Promise<Group | undefined> {
  return 'id' in key ? store.find(key.id) : store.findByName(plainName(key.name));
}

async function setMembers(tx: Transaction, group: Group, { memberEntityIds, memberGroupIds }: GroupChange) {
  const members = new GroupMembers(tx);
  const isExternal = group.type === 'external';
  if (memberEntityIds) {
    if (isExternal) refuse("member entities can't be set manually for external groups");
    const added = await replace(members, group, 'entities', memberEntityIds);
    const full = await members.inMoreThan(MAX_GROUPS_OF_ENTITY, 'entities', added);
    if (full) refuse(`the entity "${full}" is already in ${MAX_GROUPS_OF_ENTITY} groups`);
  }
  if (memberGroupIds) {
    if (isExternal) refuse("member groups can't be set for external groups");
    const added = await replace(members, group, 'groups', memberGroupIds);
    const full = await members.inMoreThan(MAX_PARENTS, 'groups', added);
    if (full) refuse(`the group "${full}" is already in ${MAX_PARENTS} groups`);
  }
}

/** Returns the members that were added. */
async function replace(
  members: GroupMembers,
  group: Group,
  kind: 'entities' | 'groups',
  wanted: readonly string[],
): Promise<readonly string[]> {
  const before = new Set(await members[kind](group.id));
  const after = new Set(wanted);
  const added = wanted.filter((id) => !before.has(id));
  const gone = [...before].filter((id) => !after.has(id));
  if (gone.length > 0) await members.remove(group.id, kind, gone);
  if (added.length === 0) return added;
  if (kind === 'groups') await assertTree(members.queries, group.id, added);
  if (!(await members.add(group.id, kind, added))) refuse(await unknown(members, kind, added));
  return added;
}

async function unknown(members: GroupMembers, kind: 'entities' | 'groups', ids: readonly string[]): Promise<string> {
  const id = (await members.unknown(kind, ids)) ?? '';
  return `invalid ${kind === 'entities' ? 'entity ID' : 'member group ID'} "${id.slice(0, 100)}"`;
}

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}
