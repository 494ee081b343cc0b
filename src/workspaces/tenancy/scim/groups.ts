import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { type Database, type Transaction, UniqueViolation } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { makeEqual } from '../federation/managed-teams.ts';
import type { Admission } from '../user/admission.ts';
import type { Users } from '../user/users.ts';
import type { Condition } from './filter.ts';
import type { ScimGroup } from './group-store.ts';
import * as store from './group-store.ts';
import type { Operation } from './patch.ts';
import { isObject, type Json, member, nameIn } from './resource.ts';
import { notThere, scimError } from './scim-error.ts';
import * as settings from './settings-store.ts';

/** @limit groups of the SCIM directory, groups -> 400 */
const MOST_GROUPS = 10_000;
/** @limit members of one group of the SCIM directory, users -> 400 */
const MOST_MEMBERS = 10_000;
/** @limit members that one SCIM request adds or removes, users -> 400 */
const MOST_NAMED = 1_000;
/** Members that one transaction processes. */
const AT_ONCE = 25;

export interface ScimGroupsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly users: Users;
  readonly admission: Admission;
}

/** Change of the members of a group: either the full list, or members to add and to remove. */
interface Change {
  readonly displayName?: string | undefined;
  readonly externalId?: string | null | undefined;
  readonly all?: readonly string[] | undefined;
  readonly come: readonly string[];
  readonly go: readonly string[];
}

/** Groups of the directory. They give team memberships. The caller authenticates the request. */
export class ScimGroups {
  readonly #options: ScimGroupsOptions;

  constructor(options: ScimGroupsOptions) {
    this.#options = options;
  }

  /**
   * Lists groups.
   * @throws 400 for an attribute that cannot be searched
   */
  list(conditions: readonly Condition[], page: Page): Promise<Slice<ScimGroup>> {
    return store.listGroups(this.#options.database, conditions, page);
  }

  /**
   * Finds a group.
   * @throws 404 if it does not exist
   */
  async find(id: string): Promise<ScimGroup> {
    return present(await store.findGroup(this.#options.database, id));
  }

  members(id: string): Promise<readonly string[]> {
    return store.listGroupMembers(this.#options.database, id, '', MOST_MEMBERS);
  }

  /**
   * Creates a group.
   * @throws 409 if the name exists, 400 for unknown members
   */
  async create(given: Json): Promise<ScimGroup> {
    const displayName = nameIn(given, 'displayName');
    if (displayName === undefined) throw scimError('invalidValue', 'displayName: is missing');
    const createdAt = this.#options.clock();
    const externalId = nameIn(given, 'externalId') ?? null;
    const group = { id: prefixedId('scimg', createdAt), displayName, externalId, createdAt, updatedAt: createdAt };
    if ((await store.countGroups(this.#options.database, MOST_GROUPS)) >= MOST_GROUPS) {
      throw scimError('tooMany', 'The limit of groups is reached');
    }
    return this.#change(group, { come: memberIds(given.members ?? []), go: [] });
  }

  /**
   * Replaces a group.
   * @throws 404 if it does not exist; 409 and 400 as `create`
   */
  async replace(id: string, given: Json): Promise<ScimGroup> {
    const group = await this.find(id);
    const displayName = nameIn(given, 'displayName') ?? group.displayName;
    const externalId = nameIn(given, 'externalId') ?? null;
    return this.#change(group, { displayName, externalId, all: memberIds(given.members ?? []), come: [], go: [] });
  }

  /**
   * Changes parts of a group.
   * @throws as `replace`
   */
  async patch(id: string, operations: readonly Operation[]): Promise<ScimGroup> {
    const group = await this.find(id);
    return this.#change(group, operations.reduce(changed, { come: [], go: [] }));
  }

  /**
   * Deletes a group. Memberships that a user added by hand stay.
   * @throws 404
   */
  async delete(id: string): Promise<void> {
    await this.find(id);
    const { database } = this.#options;
    const leave = (tx: Transaction, accountId: string) => store.leaveGroup(tx, id, accountId);
    await this.#forEach(await this.members(id), leave);
    await settings.leaveGroup(database, id);
    // Deleting the group ends a pause, too: members that it had added leave the team.
    for (const team of await store.linkedTeams(database, id)) {
      await store.linkTeam(database, { id: team.id, groupId: null, paused: 0, now: this.#options.clock() });
      await this.giveAgain(id, team.id);
    }
    await store.removeGroup(database, id);
  }

  /**
   * Updates the team memberships of all members of a group, after a change of the teams that it gives.
   * @param teamId also updates accounts that a group has added to this team
   */
  async giveAgain(id: string, teamId?: string): Promise<void> {
    const left = teamId === undefined ? [] : await store.managedIn(this.#options.database, teamId);
    await this.#forEach([...new Set([...(await this.members(id)), ...left])], async () => undefined);
  }

  /** Processes every named member, even without a change, so that a repeated request completes an interrupted one. */
  async #change(group: ScimGroup, { displayName, externalId, all, come, go }: Change): Promise<ScimGroup> {
    const { clock, database } = this.#options;
    const before = all ? await this.members(group.id) : [];
    const wanted = new Set(all ?? come);
    const gone = all ? before.filter((id) => !wanted.has(id)) : go;
    await this.#assertRoom(group.id, wanted, all === undefined);
    const next = {
      ...group,
      ...(displayName !== undefined && { displayName }),
      ...(externalId !== undefined && { externalId }),
      updatedAt: clock(),
    };
    await naming(() => store.putGroup(database, next));
    // Name and id of a group can also give teams, so all members are updated. A repeated request completes an
    // interrupted one.
    const isNamed = displayName !== undefined || externalId !== undefined;
    if (isNamed && !all) await this.giveAgain(group.id);
    await this.#forEach([...wanted, ...gone], (tx, id) =>
      wanted.has(id) ? store.joinGroup(tx, group.id, id) : store.leaveGroup(tx, group.id, id),
    );
    return next;
  }

  /**
   * Checks new members of a group.
   * @throws 400 for unknown users, and for too many
   */
  async #assertRoom(groupId: string, wanted: ReadonlySet<string>, areMore: boolean): Promise<void> {
    const { database } = this.#options;
    if ((await store.findKnownMembers(database, [...wanted])).size < wanted.size) {
      throw scimError('invalidValue', 'members: one of the users does not exist');
    }
    const before = areMore ? await store.countGroupMembers(database, groupId, MOST_MEMBERS) : 0;
    if (before + wanted.size > MOST_MEMBERS) {
      throw scimError('tooMany', `A group may have at most ${MOST_MEMBERS} members`);
    }
  }

  /**
   * Processes a few members in each transaction, with the teams that their groups give them, so that other
   * transactions can run between.
   */
  async #forEach(ids: readonly string[], move: (tx: Transaction, id: string) => Promise<unknown>): Promise<void> {
    const { admission, database, users } = this.#options;
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      await database.transaction(async (tx) => {
        const { siteAdminGroupId } = await settings.readSettings(tx);
        for (const id of ids.slice(at, at + AT_ONCE)) {
          await move(tx, id);
          const teams = [...(await store.teamsOfAccount(tx, id)), ...(await store.pausedTeamsOf(tx, id))];
          const isSiteAdmin = siteAdminGroupId !== null && (await store.isGroupMember(tx, siteAdminGroupId, id));
          await makeEqual(tx, admission, await users.present(tx, id), { teams, isSiteAdmin });
        }
      });
      await yieldToOthers();
    }
  }
}

async function naming<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    throw scimError('uniqueness', 'displayName: another group has this name');
  }
}

function changed(change: Change, { op, path, value }: Operation): Change {
  const { come, go } = change;
  switch (path?.attribute.toLowerCase()) {
    case 'displayname':
      return op === 'remove' ? change : { ...change, displayName: nameIn({ displayName: value }, 'displayName') };
    case 'externalid':
      return { ...change, externalId: op === 'remove' ? null : (nameIn({ externalId: value }, 'externalId') ?? null) };
    case 'members':
      break;
    // Attributes that a directory sends about the group itself.
    case 'id':
    case 'schemas':
    case 'meta':
      return change;
    default:
      throw scimError('invalidPath', 'path: must be displayName, externalId or members');
  }
  const { filter, sub } = path ?? {};
  // Refuses any other path below members: interpreting it could remove more than was meant.
  if (sub !== undefined || (filter && filter.attribute.toLowerCase() !== 'value')) {
    throw scimError('invalidPath', 'path: members can only be filtered by value');
  }
  const isAll = !filter && op === 'remove' && value === undefined;
  const named = filter ? memberIds(filter.value) : memberIds(isAll ? [] : value);
  if (isAll || (op === 'replace' && !filter)) return { ...change, all: named, come: [], go: [] };
  const isOut = op === 'remove';
  if (change.all) {
    const all = isOut ? change.all.filter((id) => !named.includes(id)) : [...change.all, ...named];
    return { ...change, all };
  }
  return bounded({
    ...change,
    come: isOut ? come.filter((id) => !named.includes(id)) : [...come, ...named],
    go: isOut ? [...go, ...named] : go.filter((id) => !named.includes(id)),
  });
}

function bounded(change: Change): Change {
  if (change.come.length + change.go.length > MOST_NAMED) throw tooMany();
  return change;
}

/**
 * Returns the user ids of a list of members.
 * @throws 400 if the value is not a list of users
 */
function memberIds(value: unknown): readonly string[] {
  const given = [value].flat();
  if (given.length > MOST_NAMED) throw tooMany();
  return given.map((one) => {
    const id = isObject(one) ? member(one, 'value') : one;
    if (typeof id !== 'string' || id.length > 100 || id.includes('\0')) {
      throw scimError('invalidValue', 'members: each needs a value with the id of a user');
    }
    return id;
  });
}

const tooMany = () => scimError('tooMany', `A request may name at most ${MOST_NAMED} people`);

function present(group: ScimGroup | undefined): ScimGroup {
  if (group === undefined) throw notThere();
  return group;
}
