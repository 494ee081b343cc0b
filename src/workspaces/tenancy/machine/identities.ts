import type { Clock } from '../../../lib/clock.ts';
import { matchesGlob } from '../../../lib/glob.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { type Database, KeptReads, sql, UniqueViolation } from '../../../storage/index.ts';
import { attributeIssue, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { PoolIdentity, TenancyHooks } from '../hooks/hooks.ts';
import type { Actor } from '../permissions/actor.ts';
import { type TeamGrant, type TeamGrantRow, teamGrant } from '../permissions/grants.ts';
import type { Machine } from '../permissions/machine.ts';
import type { Teams } from '../team/teams.ts';

/**
 * Each login by the role looks at all of them.
 * @limit machine identities of a team or an agent pool, identities -> 422
 */
const MAX_OF_OWNER = 100;
/** @limit roles whose machine identities are in memory, roles -> the one unused for longest is read again */
const MAX_KEPT_ROLES = 1000;

/** Whom machines act for: a team, or a pool, as its agents. */
export interface IdentityOwner {
  readonly type: 'teams' | 'agent-pools';
  readonly id: string;
}

/** Which machines act for a team or a pool: those that came in by a role of a mount, and have a fitting common name. */
export interface MachineIdentity {
  readonly id: string;
  /** Null for one of a pool. */
  readonly teamId: string | null;
  /** Null for one of a team. */
  readonly agentPoolId: string | null;
  readonly mount: string;
  readonly role: string;
  /** A pattern with stars; empty for any. */
  readonly commonName: string;
  readonly createdAt: number;
}

/** What somebody says of a new identity. */
export type MachineIdentityInput = Pick<MachineIdentity, 'mount' | 'role' | 'commonName'>;

/** What a machine is: whoever is an agent of a pool acts for no team. */
export interface Acting {
  readonly teams: readonly TeamGrant[];
  readonly pool: PoolIdentity | undefined;
}

type Candidate = Pick<MachineIdentity, 'commonName'> &
  ((TeamGrantRow & { readonly agentPoolId: null }) | (PoolIdentity & { readonly teamId: null }));

/** What the service works with. */
export interface MachineIdentitiesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly teams: Teams;
  readonly hooks: TenancyHooks;
}

const COLUMNS = `id, team_id AS "teamId", agent_pool_id AS "agentPoolId", mount, role, common_name AS "commonName",
  created_at AS "createdAt"`;

// Every candidate of a role; the most specific come first: with a common name before without, then the oldest.
const selectCandidates = sql<{ mount: string; role: string }, Candidate>(
  `SELECT i.id AS "identityId", i.common_name AS "commonName", i.agent_pool_id AS "agentPoolId", t.id AS "teamId",
     o.id AS "organizationId", t.owners, t.access
   FROM machine_identity i LEFT JOIN team t ON t.id = i.team_id LEFT JOIN agent_pool p ON p.id = i.agent_pool_id
     JOIN organization o ON o.id = COALESCE(t.organization_id, p.organization_id) AND o.deleted_at IS NULL
   WHERE i.mount = :mount AND i.role = :role
   ORDER BY CASE i.common_name WHEN '' THEN 1 ELSE 0 END, i.created_at, i.id`,
);
const selectOne = sql<{ id: string }, MachineIdentity>(`SELECT ${COLUMNS} FROM machine_identity WHERE id = :id`);
const statements = (column: 'team_id' | 'agent_pool_id') => ({
  page: sql<{ owner: string; size: number; offset: number }, MachineIdentity>(
    `SELECT ${COLUMNS} FROM machine_identity WHERE ${column} = :owner ORDER BY id LIMIT :size OFFSET :offset`,
  ),
  count: sql<{ owner: string }, { count: number }>(
    `SELECT COUNT(*) AS count FROM machine_identity WHERE ${column} = :owner`,
  ),
});
const OF_OWNER = { teams: statements('team_id'), 'agent-pools': statements('agent_pool_id') };
const insert = sql<MachineIdentity & Record<string, string | number | null>>(
  `INSERT INTO machine_identity (id, team_id, agent_pool_id, mount, role, common_name, created_at)
   VALUES (:id, :teamId, :agentPoolId, :mount, :role, :commonName, :createdAt)`,
);
const remove = sql<{ id: string }>('DELETE FROM machine_identity WHERE id = :id');

/** The bridge from the certificate method: which machine acts for which team, or is an agent of which pool. */
export class MachineIdentities {
  readonly #options: MachineIdentitiesOptions;
  readonly #candidates: KeptReads<readonly Candidate[]>;

  constructor(options: MachineIdentitiesOptions) {
    this.#options = options;
    this.#candidates = new KeptReads(options.database, MAX_KEPT_ROLES);
  }

  /**
   * What a machine is in each organization that has an identity for it. Where several of one organization fit, the most specific
   * decides: one with a common name before one without, then the oldest.
   */
  async actsFor({ mount, role, commonName }: Machine): Promise<Acting> {
    const decided = new Map<string, Candidate>();
    const candidates = await this.#candidates.get(JSON.stringify([mount, role]), () =>
      this.#options.database.all(selectCandidates, { mount, role }),
    );
    for (const candidate of candidates) {
      const fits = candidate.commonName === '' || matchesGlob(candidate.commonName, commonName);
      if (fits && !decided.has(candidate.organizationId)) decided.set(candidate.organizationId, candidate);
    }
    const found = [...decided.values()];
    return {
      teams: found.flatMap((candidate) => (candidate.teamId === null ? [] : [teamGrant(candidate)])),
      pool: found.find((candidate) => candidate.agentPoolId !== null),
    };
  }

  /** @throws 404 for whoever may not decide it, 422 for one that is there already, or one too many */
  async create(actor: Actor, owner: IdentityOwner, input: MachineIdentityInput): Promise<MachineIdentity> {
    await this.#manage(actor, owner);
    const { clock, database } = this.#options;
    const now = clock();
    const { id } = owner;
    const of = owner.type === 'teams' ? { teamId: id, agentPoolId: null } : { teamId: null, agentPoolId: id };
    const identity = { id: prefixedId('mi', now), ...of, createdAt: now, ...input };
    try {
      await database.transaction(async (tx) => {
        const known = await tx.one(OF_OWNER[owner.type].count, { owner: id });
        if (known && known.count >= MAX_OF_OWNER) {
          throw unprocessable([{ detail: `There are at most ${MAX_OF_OWNER} machine identities` }]);
        }
        await tx.run(insert, identity);
      });
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      throw unprocessable([
        attributeIssue('role', 'There is an identity for this mount, role and common name already'),
      ]);
    }
    return identity;
  }

  /** @throws 404 for whoever may not decide them */
  async list(actor: Actor, owner: IdentityOwner, { size, offset }: Page): Promise<Slice<MachineIdentity>> {
    await this.#manage(actor, owner);
    const { database } = this.#options;
    const { page, count } = OF_OWNER[owner.type];
    const items = await database.all(page, { owner: owner.id, size, offset });
    const counted = await database.one(count, { owner: owner.id });
    return { items, total: counted?.count ?? 0 };
  }

  /** @throws 404 when there is none, or the actor may not decide it */
  async find(actor: Actor, id: string): Promise<MachineIdentity> {
    const identity = await this.#options.database.one(selectOne, { id });
    if (identity === undefined) throw notFound();
    await this.#manage(actor, ownerOf(identity));
    return identity;
  }

  /** Whoever came in by it is let in no more. @throws 404 when there is none, or the actor may not decide it */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.find(actor, id);
    await this.#options.database.run(remove, { id });
  }

  async #manage(actor: Actor, { type, id }: IdentityOwner): Promise<void> {
    const { hooks, teams } = this.#options;
    if (type === 'teams') await teams.find(actor, id, 'can-manage-machine-identities');
    else await hooks.agentPools.manage(actor, id);
  }
}

/** Whose an identity is. */
function ownerOf({ teamId, agentPoolId }: Pick<MachineIdentity, 'teamId' | 'agentPoolId'>): IdentityOwner {
  return teamId === null ? { type: 'agent-pools', id: agentPoolId ?? '' } : { type: 'teams', id: teamId };
}
