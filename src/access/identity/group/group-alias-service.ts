import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { described, parseFields, text } from '../../operation/fields.ts';
import { mountNamed } from '../alias/alias-mounts.ts';
import { usableAliasName } from '../alias/alias-name.ts';
import type { WrittenAlias } from '../alias/alias-operations.ts';
import { changing } from '../common/changing.ts';
import type { MountedGroupAlias } from './group.ts';
import { GroupAliasStore } from './group-alias-store.ts';
import { GroupMembers } from './group-members.ts';
import { newExternalGroup } from './group-service.ts';
import { GroupStore } from './group-store.ts';

/** Fields of a write of a group alias. */
export const GROUP_ALIAS_FIELDS = described(
  { name: text(), mount_accessor: text(), canonical_id: text() },
  {
    name: 'Name of the group at the mount.',
    mount_accessor: 'Accessor of the mount.',
    canonical_id: 'Id of an external group. Empty: unchanged, or a new group.',
  },
);

/** Number of groups in one step. */
const STEP = 50;

/** Management of group aliases. */
export class GroupAliasService {
  readonly store: GroupAliasStore;
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.store = new GroupAliasStore(database);
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Creates or updates an alias.
   * @param id alias to update; undefined creates one, by default with a new group
   * @returns undefined if nothing has changed
   * @throws AppError bad-request
   */
  write(id: string | undefined, body: Readonly<Record<string, unknown>>): Promise<WrittenAlias | undefined> {
    const { values } = parseFields(GROUP_ALIAS_FIELDS, body);
    const { name: text = '', mount_accessor: accessor = '', canonical_id: wanted = '' } = values;
    return changing(this.#database, async (tx) => {
      const store = new GroupAliasStore(tx);
      const stored = id === undefined ? undefined : await store.find(id);
      if (id !== undefined && !stored) refuse('invalid group alias ID');
      if (text === '') refuse('missing alias name');
      if (accessor === '') refuse('missing mount_accessor');
      const mountId = await mountNamed(tx, accessor);
      const name = usableAliasName(mountId, text);
      const isSame = stored?.name === name && stored.mountId === mountId;
      if (stored && isSame && (wanted === '' || wanted === stored.groupId)) return undefined;
      const other = await store.named(mountId, name);
      if (other && other.id !== stored?.id) refuse('combination of mount and group alias name is already in use');
      const groupId = await this.#groupOf(tx, wanted, stored);
      const now = this.#clock();
      const alias = { id: stored?.id ?? randomUUID(), groupId, mountId, name, updatedAt: now };
      // The members came from logins with the former name, so they are removed.
      for (const one of new Set([groupId, ...(stored ? [stored.groupId] : [])]))
        await new GroupMembers(tx).forgetEntities(one);
      await store.put({ ...alias, createdAt: stored?.createdAt ?? now });
      return { id: alias.id, canonicalId: groupId };
    });
  }

  remove(id: string): Promise<void> {
    return changing(this.#database, async (tx) => {
      const stored = await new GroupAliasStore(tx).find(id);
      if (stored) await new GroupMembers(tx).forgetEntities(stored.groupId);
      await new GroupAliasStore(tx).remove(id);
    });
  }

  /**
   * Removes some group aliases of a disabled mount, with the members of their groups. Returns false when nothing is
   * left.
   */
  async removeSomeOfMount(mountId: string): Promise<boolean> {
    const some = await this.store.groupsOfMount(mountId, STEP);
    if (some.length === 0) return false;
    await changing(this.#database, async (tx) => {
      for (const id of some) {
        await new GroupMembers(tx).forgetEntities(id);
        await new GroupAliasStore(tx).removeOfGroup(id);
      }
    });
    return some.length === STEP;
  }

  async #groupOf(tx: Transaction, wanted: string, stored: MountedGroupAlias | undefined): Promise<string> {
    const groups = new GroupStore(tx);
    if (wanted !== '') {
      const group = await groups.find(wanted);
      if (!group) refuse("invalid group ID given in 'canonical_id'");
      if (group.type !== 'external') refuse("alias can't be set on an internal group");
      return group.id;
    }
    if (stored) return stored.groupId;
    const group = newExternalGroup(this.#clock());
    await groups.insert(group);
    return group.id;
  }
}

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}
