import type { Clock } from '../../../lib/clock.ts';
import { matchesGlob } from '../../../lib/glob.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { type Database, KeptReads, sql, UniqueViolation } from '../../../storage/index.ts';
import { attributeIssue, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { Actor } from '../permissions/actor.ts';
import { type TeamGrant, type TeamGrantRow, teamGrant } from '../permissions/grants.ts';
import type { Machine } from '../permissions/machine.ts';
import type { Teams } from '../team/teams.ts';

/**
 * Each login by the role looks at all of them.
 * @limit machine identities of a team, identities -> 422
 */
const MAX_PER_TEAM = 100;
/** @limit roles whose machine identities are in memory, roles -> the one unused for longest is read again */
const MAX_KEPT_ROLES = 1000;

/** Which machines act for a team: those that came in by a role of a mount, and have a fitting common name. */
export interface MachineIdentity {
  readonly id: string;
  readonly teamId: string;
  readonly mount: string;
  readonly role: string;
  /** A pattern with stars; empty for any. */
  readonly commonName: string;
  readonly createdAt: number;
}

/** What an owner says of a new identity. */
export type MachineIdentityInput = Pick<MachineIdentity, 'mount' | 'role' | 'commonName'>;

type Candidate = TeamGrantRow & Pick<MachineIdentity, 'commonName'>;

const COLUMNS = 'id, team_id AS "teamId", mount, role, common_name AS "commonName", created_at AS "createdAt"';

// Every candidate of a role; the most specific come first: with a common name before without, then the oldest.
const selectCandidates = sql<{ mount: string; role: string }, Candidate>(
  `SELECT i.common_name AS "commonName", t.id AS "teamId", t.organization_id AS "organizationId", t.owners, t.access
   FROM machine_identity i JOIN team t ON t.id = i.team_id
     JOIN organization o ON o.id = t.organization_id AND o.deleted_at IS NULL
   WHERE i.mount = :mount AND i.role = :role
   ORDER BY CASE i.common_name WHEN '' THEN 1 ELSE 0 END, i.created_at, i.id`,
);
const selectOne = sql<{ id: string }, MachineIdentity>(`SELECT ${COLUMNS} FROM machine_identity WHERE id = :id`);
const selectPage = sql<{ teamId: string; size: number; offset: number }, MachineIdentity>(
  `SELECT ${COLUMNS} FROM machine_identity WHERE team_id = :teamId ORDER BY id LIMIT :size OFFSET :offset`,
);
const countOfTeam = sql<{ teamId: string }, { count: number }>(
  'SELECT COUNT(*) AS count FROM machine_identity WHERE team_id = :teamId',
);
const insert = sql<MachineIdentity & Record<string, string | number>>(
  `INSERT INTO machine_identity (id, team_id, mount, role, common_name, created_at)
   VALUES (:id, :teamId, :mount, :role, :commonName, :createdAt)`,
);
const remove = sql<{ id: string }>('DELETE FROM machine_identity WHERE id = :id');

/** The bridge from the certificate method: which machine acts for which team. Owners of the organization keep it. */
export class MachineIdentities {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #teams: Teams;
  readonly #candidates: KeptReads<readonly Candidate[]>;

  constructor(database: Database, clock: Clock, teams: Teams) {
    this.#database = database;
    this.#candidates = new KeptReads(database, MAX_KEPT_ROLES);
    this.#clock = clock;
    this.#teams = teams;
  }

  /**
   * The teams a machine acts for: one in each organization that has an identity for it. Where several of one
   * organization fit, the most specific decides: one with a common name before one without, then the oldest.
   */
  async teamsOf({ mount, role, commonName }: Machine): Promise<TeamGrant[]> {
    const teams = new Map<string, TeamGrant>();
    const candidates = await this.#candidates.get(JSON.stringify([mount, role]), () =>
      this.#database.all(selectCandidates, { mount, role }),
    );
    for (const candidate of candidates) {
      const fits = candidate.commonName === '' || matchesGlob(candidate.commonName, commonName);
      if (fits && !teams.has(candidate.organizationId)) teams.set(candidate.organizationId, teamGrant(candidate));
    }
    return [...teams.values()];
  }

  async create(actor: Actor, teamId: string, input: MachineIdentityInput): Promise<MachineIdentity> {
    const team = await this.#teams.find(actor, teamId, 'can-manage-machine-identities');
    const now = this.#clock();
    const identity = { id: prefixedId('mi', now), teamId: team.id, createdAt: now, ...input };
    try {
      await this.#database.transaction(async (tx) => {
        const known = await tx.one(countOfTeam, { teamId });
        if (known && known.count >= MAX_PER_TEAM) {
          throw unprocessable([{ detail: `A team has at most ${MAX_PER_TEAM} machine identities` }]);
        }
        await tx.run(insert, identity);
      });
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      throw unprocessable([
        attributeIssue('role', 'The team has an identity for this mount, role and common name already'),
      ]);
    }
    return identity;
  }

  async list(actor: Actor, teamId: string, { size, offset }: Page): Promise<Slice<MachineIdentity>> {
    await this.#teams.find(actor, teamId, 'can-manage-machine-identities');
    const items = await this.#database.all(selectPage, { teamId, size, offset });
    const counted = await this.#database.one(countOfTeam, { teamId });
    return { items, total: counted?.count ?? 0 };
  }

  async find(actor: Actor, id: string): Promise<MachineIdentity> {
    const identity = await this.#database.one(selectOne, { id });
    if (identity === undefined) throw notFound();
    await this.#teams.find(actor, identity.teamId, 'can-manage-machine-identities');
    return identity;
  }

  async delete(actor: Actor, id: string): Promise<void> {
    await this.find(actor, id);
    await this.#database.run(remove, { id });
  }
}
