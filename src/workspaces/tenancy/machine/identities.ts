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
 * Each login by the role looks at all of them.
 * @limit machine identities of a team or an agent pool, identities -> 422
 */
const MAX_OF_OWNER = 100;
/** @limit roles whose machine identities are in memory, roles -> the one unused for longest is read again */
const MAX_KEPT_ROLES = 1000;
/** @limit machine identities whose last use is in memory, identities -> the one unused for longest is noted again */
const MAX_NOTED = 10_000;
const NOTED_EVERY_MS = 60_000;

/** What somebody says of a new identity. */
export type MachineIdentityInput = Pick<MachineIdentity, 'mount' | 'role' | 'commonName'>;

/** As far as it decides what a machine is. */
export type Login = Pick<Machine, 'mount' | 'role' | 'commonName'>;

/** What a machine is: whoever is an agent of a pool acts for no team. */
export interface Acting {
  readonly teams: readonly TeamGrant[];
  readonly pool: PoolIdentity | undefined;
}

/** What the service works with. */
export interface MachineIdentitiesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly teams: Teams;
  readonly hooks: TenancyHooks;
  /** Told when noting a use fails, which no request waits for. */
  readonly report: (error: unknown) => void;
}

/** The bridge from the certificate method: which machine acts for which team, or is an agent of which pool. */
export class MachineIdentities {
  readonly #options: MachineIdentitiesOptions;
  readonly #candidates: ReadThroughCache<readonly Candidate[]>;
  /** When the use of an identity was last noted: nobody reads it to decide. */
  readonly #noted = lruCache<string, number>(MAX_NOTED);

  constructor(options: MachineIdentitiesOptions) {
    this.#options = options;
    this.#candidates = new ReadThroughCache(options.database, MAX_KEPT_ROLES);
  }

  /** What a machine that is let in now is, see `#deciding`. */
  async actsFor(machine: Machine): Promise<Acting> {
    const deciding = await this.#deciding(machine);
    for (const { identityId } of deciding) this.#noteUse(identityId);
    return {
      teams: deciding.flatMap((candidate) => (candidate.teamId === null ? [] : [teamGrant(candidate)])),
      pool: deciding.find((candidate) => candidate.agentPoolId !== null),
    };
  }

  /**
   * What decides for a login, in each organization that has an identity for it. Where several of one organization fit, the most
   * specific decides: one with a common name before one without, then the oldest. One of a pool decides alone.
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

  /** @throws 404 for whoever may not decide it, 422 for one that is there already, or one too many */
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
          throw unprocessable([{ detail: `There are at most ${MAX_OF_OWNER} machine identities` }]);
        }
        await store.insertIdentity(tx, row);
      });
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      throw unprocessable([
        attributeIssue('role', 'There is an identity for this mount, role and common name already'),
      ]);
    }
    return this.find(actor, row.id);
  }

  /** @throws 404 for whoever may not decide them */
  async list(actor: Actor, owner: IdentityOwner, page: Page): Promise<Slice<MachineIdentity>> {
    await this.#manage(actor, owner);
    return store.listIdentitiesOfOwner(this.#options.database, owner, page);
  }

  /** Those that the actor decides, of all organizations: of teams for owners, of pools for whoever manages those. */
  async all(actor: Actor, filter: IdentityFilter, page: Page): Promise<Slice<MachineIdentity>> {
    return this.#listVisible(actor, filter, undefined, page);
  }

  /** Of those, the ones that decide what a machine is that comes in by this login. */
  async decidingFor(actor: Actor, login: Login, page: Page): Promise<Slice<MachineIdentity>> {
    const deciding = await this.#deciding(login);
    const ids = deciding.map(({ identityId }) => identityId);
    return this.#listVisible(actor, login, ids, page);
  }

  /** @throws 404 when there is none, or the actor may not decide it */
  async find(actor: Actor, id: string): Promise<MachineIdentity> {
    const identity = await store.findIdentity(this.#options.database, id);
    if (identity === undefined) throw notFound();
    await this.#manage(actor, ownerOf(identity));
    return identity;
  }

  /** Whoever came in by it is let in no more. @throws 404 when there is none, or the actor may not decide it */
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

/** Whose an identity is. */
function ownerOf({ teamId, agentPoolId }: Pick<MachineIdentity, 'teamId' | 'agentPoolId'>): IdentityOwner {
  return teamId === null ? { type: 'agent-pools', id: agentPoolId ?? '' } : { type: 'teams', id: teamId };
}
