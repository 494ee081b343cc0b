import type { Clock } from '../../../lib/clock.ts';
import { matchesGlob } from '../../../lib/glob.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { lruCache } from '../../../lib/lru-cache.ts';
import { type Database, ReadThroughCache, UniqueViolation } from '../../../storage/index.ts';
import { attributeIssue, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { PoolIdentity, TenancyHooks } from '../hooks/hooks.ts';
import type { Actor } from '../permissions/actor.ts';
import { type TeamGrant, teamGrant } from '../permissions/grants.ts';
import { mayInOrganization } from '../permissions/in-organization.ts';
import type { Machine } from '../permissions/machine.ts';
import type { Teams } from '../team/teams.ts';
import type { Candidate, IdentityFilter, IdentityOwner, MachineIdentity } from './store.ts';
import * as store from './store.ts';

/**
 * Each login with the role evaluates all of them.
 * @limit machine identities of a team or an agent pool, identities -> 422
 */
const MAX_OF_OWNER = 100;
/** @limit roles with machine identities in the cache, roles -> the least recently used one is read again */
const MAX_KEPT_ROLES = 1000;
/**
 * @limit machine identities whose last use is in memory, identities -> the use of the least recently used one is
 * stored again
 */
const MAX_NOTED = 10_000;
const NOTED_EVERY_MS = 60_000;

/** Fields of a new identity. */
export type MachineIdentityInput = Pick<MachineIdentity, 'mount' | 'role' | 'commonName'>;

/** Fields of a machine that select its identity. */
export type Login = Pick<Machine, 'mount' | 'role' | 'commonName'>;

/** Teams that a machine acts for, or the pool that it is an agent of. An agent acts for no team. */
export interface Acting {
  readonly teams: readonly TeamGrant[];
  readonly pool: PoolIdentity | undefined;
}

export interface MachineIdentitiesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly teams: Teams;
  readonly hooks: TenancyHooks;
  /** Called when storing the last use fails. Requests do not wait for it. */
  readonly report: (error: unknown) => void;
}

/** Maps logins of the cert auth method: to the teams that a machine acts for, or to the pool that it is an agent of. */
export class MachineIdentities {
  readonly #options: MachineIdentitiesOptions;
  readonly #candidates: ReadThroughCache<readonly Candidate[]>;
  /** Time at which the last use of an identity was stored. No decision depends on it. */
  readonly #noted = lruCache<string, number>(MAX_NOTED);

  constructor(options: MachineIdentitiesOptions) {
    this.#options = options;
    this.#candidates = new ReadThroughCache(options.database, MAX_KEPT_ROLES);
  }

  /** Returns the teams or the pool that a machine acts for now, and stores the use. See `#deciding`. */
  async actsFor(machine: Machine): Promise<Acting> {
    const deciding = await this.#deciding(machine);
    for (const { identityId } of deciding) this.#noteUse(identityId);
    return {
      teams: deciding.flatMap((candidate) => (candidate.teamId === null ? [] : [teamGrant(candidate)])),
      pool: deciding.find((candidate) => candidate.agentPoolId !== null),
    };
  }

  /**
   * Returns the identity that applies to a login, for each organization. If several of one organization match, the
   * most specific one applies: with a common name before without, then the oldest. An identity of a pool excludes all
   * others.
   */
  async #deciding({ mount, role, commonName }: Login): Promise<readonly Candidate[]> {
    const decided = new Map<string, Candidate>();
    const candidates = await this.#candidates.get(JSON.stringify([mount, role]), () =>
      store.candidateIdentities(this.#options.database, mount, role),
    );
    for (const candidate of candidates) {
      const fits = candidate.commonName === '' || matchesGlob(candidate.commonName, commonName);
      if (fits && !decided.has(candidate.organizationId)) decided.set(candidate.organizationId, candidate);
    }
    const found = [...decided.values()];
    const pool = found.find((candidate) => candidate.agentPoolId !== null);
    return pool === undefined ? found : [pool];
  }

  /**
   * Creates an identity.
   * @throws 404 without permission; 422 if the identity exists, or beyond the limit
   */
  async create(actor: Actor, owner: IdentityOwner, input: MachineIdentityInput): Promise<MachineIdentity> {
    const { organizationId } = await this.#manage(actor, owner);
    const { clock, database } = this.#options;
    const createdAt = clock();
    const of =
      owner.type === 'teams' ? { teamId: owner.id, agentPoolId: null } : { teamId: null, agentPoolId: owner.id };
    const { mount, role, commonName } = input;
    const row = { id: prefixedId('mi', createdAt), ...of, organizationId, mount, role, commonName, createdAt };
    try {
      await database.transaction(async (tx) => {
        if ((await store.countIdentities(tx, owner)) >= MAX_OF_OWNER) {
          throw unprocessable([
            { detail: `A team or an agent pool may have at most ${MAX_OF_OWNER} machine identities` },
          ]);
        }
        await store.insertIdentity(tx, row);
      });
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      throw unprocessable([attributeIssue('role', 'An identity for this mount, role and common name exists already')]);
    }
    return this.find(actor, row.id);
  }

  /**
   * Lists the identities of a team or a pool.
   * @throws 404 without permission
   */
  async list(actor: Actor, owner: IdentityOwner, page: Page): Promise<Slice<MachineIdentity>> {
    await this.#manage(actor, owner);
    return store.listIdentitiesOfOwner(this.#options.database, owner, page);
  }

  /**
   * Lists the identities that the actor may manage, of all organizations: team identities for owners, pool identities
   * for actors that manage agent pools.
   */
  async all(actor: Actor, filter: IdentityFilter, page: Page): Promise<Slice<MachineIdentity>> {
    return this.#listVisible(actor, filter, undefined, page);
  }

  /** Returns those of these identities that would apply to the given login. */
  async decidingFor(actor: Actor, login: Login, page: Page): Promise<Slice<MachineIdentity>> {
    const deciding = await this.#deciding(login);
    const ids = deciding.map(({ identityId }) => identityId);
    return this.#listVisible(actor, login, ids, page);
  }

  /**
   * Finds an identity.
   * @throws 404 if it does not exist, or without permission
   */
  async find(actor: Actor, id: string): Promise<MachineIdentity> {
    const identity = await store.findIdentity(this.#options.database, id);
    if (identity === undefined) throw notFound();
    await this.#manage(actor, ownerOf(identity));
    return identity;
  }

  /**
   * Deletes an identity. Its machines lose their access at once.
   * @throws 404 if the identity does not exist, or without permission
   */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.find(actor, id);
    await store.removeIdentity(this.#options.database, id);
  }

  async #listVisible(actor: Actor, filter: IdentityFilter, ids: readonly string[] | undefined, page: Page) {
    const seen = { all: [] as string[], pools: [] as string[] };
    for (const [id, { owner }] of actor.grants) {
      if (owner) seen.all.push(id);
      else if (mayInOrganization(actor, id, 'can-update-agent-pools')) seen.pools.push(id);
    }
    return store.listIdentitiesInOrganizations(this.#options.database, seen, filter, ids, page);
  }

  async #manage(actor: Actor, { type, id }: IdentityOwner): Promise<{ readonly organizationId: string }> {
    const { hooks, teams } = this.#options;
    if (type === 'teams') return teams.find(actor, id, 'can-manage-machine-identities');
    return hooks.agentPools.manage(actor, id);
  }

  #noteUse(id: string): void {
    const { clock, database, report } = this.#options;
    const now = clock();
    const before = now - NOTED_EVERY_MS;
    if ((this.#noted.get(id) ?? Number.NEGATIVE_INFINITY) >= before) return;
    this.#noted.set(id, now);
    store.recordIdentityUse(database, { id, now, before }).catch(report);
  }
}

/** Returns the team or pool of an identity. */
function ownerOf({ teamId, agentPoolId }: Pick<MachineIdentity, 'teamId' | 'agentPoolId'>): IdentityOwner {
  return teamId === null ? { type: 'agent-pools', id: agentPoolId ?? '' } : { type: 'teams', id: teamId };
}
