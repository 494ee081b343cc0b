import type { Clock } from '../../lib/clock.ts';
import { type Database, sql } from '../../storage/index.ts';
import type { TemplateIdentity } from '../acl/index.ts';
import type { Token } from '../model/token.ts';
import { aliasNameOf } from './alias/alias-name.ts';
import { IDENTITY_VERSION } from './common/changing.ts';
import type { EntityDetails } from './entity/entity.ts';
import { EntityAliasService } from './entity/entity-alias-service.ts';
import { type EntityGrants, EntityGrantsCache } from './entity/entity-grants.ts';
import { EntityService } from './entity/entity-service.ts';
import { KnownAliases } from './entity/known-aliases.ts';
import { type AliasKey, type KnownAlias, LoginStore } from './entity/login-store.ts';
import { ExternalMembers } from './group/external-members.ts';
import type { GroupDetails } from './group/group.ts';
import { GroupAliasService } from './group/group-alias-service.ts';
import { GroupService } from './group/group-service.ts';
import type { Query } from './query.ts';

const currentVersion = sql<Record<string, never>, { version: number }>(`SELECT ${IDENTITY_VERSION} AS version`);

/** Maximum number of aliases that one step removes. */
const STEP = 1000;

export interface LoginIdentityRequest {
  /** Id of the mount. */
  readonly mountId: string;
  /** Name in the login, such as a common name. Not normalized. */
  readonly aliasName: string;
  /**
   * Key of the issuer that vouches for the name: two issuers may give one name to different machines. Absent: the
   * mount vouches.
   */
  readonly issuer?: string;
  /**
   * Names of the external groups at the mount; the entity leaves all others. Absent if the method does not know
   * groups.
   */
  readonly groups?: readonly string[];
  /** Stored with the alias. Undefined: the mount does not store metadata. */
  readonly metadata: Readonly<Record<string, string>> | undefined;
  /** Cache. If absent, nothing is cached. */
  readonly memory?: {
    /** Version of the mount that the login knows. */
    readonly mountVersion: number;
    /**
     * Whether cached aliases may be used. The caller must then check this version of the mount and the returned
     * identity version.
     */
    readonly suffices: boolean;
  };
}

/** Why a login must be refused: the entity is disabled, or the name is invalid. */
export interface Unidentified {
  readonly refused: 'disabled' | 'unusable-name';
}

/** The identity of a login. */
export interface LoginIdentity {
  readonly entityId: string;
  readonly identityPolicies: readonly string[];
  readonly identityVersion: number;
}

/** Placeholder id of an entity that a login would create. */
const NOT_YET = '00000000-0000-0000-0000-000000000000';

/** Identities behind tokens: entities, groups and their aliases at the mounts. */
export class IdentityService {
  readonly entities: EntityService;
  readonly aliases: EntityAliasService;
  readonly groups: GroupService;
  readonly groupAliases: GroupAliasService;
  readonly #grants: EntityGrantsCache;
  readonly #logins: LoginStore;
  readonly #known = new KnownAliases();
  readonly #members: ExternalMembers;
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#grants = new EntityGrantsCache(database);
    this.entities = new EntityService(database, clock, (id) => this.#grants.read(id));
    this.aliases = new EntityAliasService(database, clock);
    this.groups = new GroupService(database, clock);
    this.groupAliases = new GroupAliasService(database, clock);
    this.#logins = new LoginStore(database);
    this.#members = new ExternalMembers(database);
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Finds or creates the entity of a login, with at most one read if nothing is new. Concurrent logins get the same
   * entity.
   */
  async forLogin(request: LoginIdentityRequest): Promise<LoginIdentity | Unidentified> {
    const { mountId, groups, metadata, memory } = request;
    const key = aliasKeyOf(request);
    if ('refused' in key) return key;
    const kept = metadata ? JSON.stringify(metadata) : null;
    const remembered = memory?.suffices && kept === null ? this.#known.find(key, memory.mountVersion) : undefined;
    const alias =
      remembered ?? (await this.#logins.find(key)) ?? (await this.#logins.findOrCreate(key, kept, this.#clock()));
    if (isDisabled(alias)) return DISABLED;
    await this.#keepMetadata(alias, kept);
    if (memory) this.#known.keep(key, memory.mountVersion, alias);
    const { entity_id: entityId, identity_version: version } = alias;
    const isMoved = groups && (await this.#members.put({ entityId, mountId, names: groupNames(groups), version }));
    const identityVersion = isMoved ? await this.#version() : version;
    const { policies } = await this.#grants.grantsOf(entityId, identityVersion);
    return { entityId, identityPolicies: policies, identityVersion };
  }

  /** Decides like `forLogin`, but changes nothing. If the alias does not exist, a login would create it. */
  async foreseeLogin(request: LoginIdentityRequest): Promise<Pick<LoginIdentity, 'entityId'> | Unidentified> {
    const key = aliasKeyOf(request);
    if ('refused' in key) return key;
    const alias = await this.#logins.find(key);
    if (alias && isDisabled(alias)) return DISABLED;
    return { entityId: alias?.entity_id ?? NOT_YET };
  }

  /**
   * Returns the holdings of an entity.
   * @param version identity version that was read with the token
   */
  grants(entityId: string, version: number): Promise<EntityGrants> {
    return this.#grants.grantsOf(entityId, version);
  }

  /** Returns the policies that the token's entity adds now. */
  async policiesOf({ entityId }: Pick<Token, 'entityId'>): Promise<readonly string[]> {
    if (entityId === null) return [];
    return (await this.grants(entityId, await this.#version())).policies;
  }

  /**
   * Returns the values for templates. Undefined if the entity was deleted or disabled; its templates then have no
   * value.
   */
  async templateIdentity(
    entityId: string,
    { groups }: Pick<EntityGrants, 'groups'>,
  ): Promise<TemplateIdentity | undefined> {
    const entity = await this.entities.find({ id: entityId });
    if (!entity || entity.disabled) return undefined;
    const { id, name, metadata, aliases } = entity;
    const byAccessor = aliases.map((alias) => [
      alias.mountAccessor,
      { id: alias.id, name: alias.name, metadata: alias.metadata ?? {}, customMetadata: alias.customMetadata ?? {} },
    ]);
    const held = groups.map((group) => ({ id: group.id, name: group.name, metadata: group.metadata }));
    return { id, name, metadata, aliases: Object.fromEntries(byAccessor), groups: held };
  }

  async findEntity(query: Query): Promise<EntityDetails | undefined> {
    if ('id' in query || 'name' in query) return this.entities.details(query);
    const { store } = this.aliases;
    const alias = await ('aliasId' in query
      ? store.find(query.aliasId)
      : store.findByName(query.accessor, query.aliasName));
    return alias && this.entities.details({ id: alias.entityId });
  }

  async findGroup(query: Query): Promise<GroupDetails | undefined> {
    if ('id' in query || 'name' in query) return this.groups.find(query);
    const { store } = this.groupAliases;
    const alias = await ('aliasId' in query
      ? store.find(query.aliasId)
      : store.findByName(query.accessor, query.aliasName));
    return alias && this.groups.find({ id: alias.groupId });
  }

  /**
   * Removes some aliases of a disabled mount, in one bounded step. Returns false when none are left. Entities and
   * groups stay.
   */
  async removeSomeOfMount(mountId: string): Promise<boolean> {
    if (await this.groupAliases.removeSomeOfMount(mountId)) return true;
    return (await this.aliases.store.removeOfMount(mountId, STEP)) === STEP;
  }

  async #version(): Promise<number> {
    return (await this.#database.one(currentVersion, {}))?.version ?? 0;
  }

  async #keepMetadata({ id, metadata }: KnownAlias, wanted: string | null): Promise<void> {
    if (metadata !== wanted) await this.#logins.setMetadata(id, wanted, this.#clock());
  }
}

const DISABLED: Unidentified = { refused: 'disabled' };
const isDisabled = ({ disabled }: KnownAlias): boolean => disabled === 1;

function aliasKeyOf({ mountId, aliasName, issuer = '' }: LoginIdentityRequest): AliasKey | Unidentified {
  const name = aliasNameOf(aliasName);
  return name === undefined ? { refused: 'unusable-name' } : { mountId, name, issuer };
}

/** Ignores names that cannot be an alias. */
const groupNames = (groups: readonly string[]): readonly string[] =>
  [...new Set(groups.map(aliasNameOf))].filter((name) => name !== undefined).sort();
