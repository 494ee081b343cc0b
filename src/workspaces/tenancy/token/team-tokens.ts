import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { type Database, UniqueViolation } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, isOneOf } from '../../query/dynamic.ts';
import type { Organizations } from '../organization/organizations.ts';
import type { Actor } from '../permissions/actor.ts';
import type { Teams, TeamView } from '../team/teams.ts';
import { expiryOf } from './expiry.ts';
import { type IssuedToken, makerOf, type TokenInput, type TokenIssuer } from './issuer.ts';
import type { TeamTokenSort, Token } from './store.ts';
import * as store from './store.ts';
import type { TtlPolicies } from './ttl-policies.ts';

export interface TeamTokensOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly issuer: TokenIssuer;
  readonly organizations: Organizations;
  readonly teams: Teams;
  readonly ttlPolicies: TtlPolicies;
}

/** Manages tokens that act as a team: any number with a description, and one without. */
export class TeamTokens {
  readonly #options: TeamTokensOptions;

  constructor(options: TeamTokensOptions) {
    this.#options = options;
  }

  /**
   * Creates a token of a team.
   * @throws 404 without permission; 422 for a repeated description and for an invalid expiry
   */
  async create(actor: Actor, teamId: string, input: TokenInput): Promise<IssuedToken> {
    const { database, issuer } = this.#options;
    const team = await this.#options.teams.find(actor, teamId, 'can-update-api-token');
    const ownership = { teamId, ...makerOf(actor, team.organizationId) };
    const limited = await this.#limited(actor, team, input);
    try {
      return await issuer.issue(database, ownership, limited);
    } catch (error) {
      throw error instanceof UniqueViolation ? descriptionTaken() : error;
    }
  }

  /** Creates the token without a description and deletes the previous one. */
  async replaceOnly(actor: Actor, teamId: string, expiresAt: number | null): Promise<IssuedToken> {
    const { database, issuer, teams } = this.#options;
    const team = await teams.find(actor, teamId, 'can-update-api-token');
    const ownership = { teamId, onlyOne: 1, ...makerOf(actor, team.organizationId) };
    const input = await this.#limited(actor, team, { description: '', expiresAt });
    return database.transaction(async (tx) => {
      if ((await store.lockTeam(tx, teamId)) === undefined) throw notFound();
      const current = await store.findTeamToken(tx, teamId);
      if (current) await store.removeToken(tx, current.id);
      return issuer.issue(tx, ownership, input);
    });
  }

  /**
   * Finds the token without a description.
   * @throws 404 if it does not exist, or without permission
   */
  async findOnly(actor: Actor, teamId: string): Promise<Token> {
    await this.#options.teams.find(actor, teamId, 'can-view-api-token');
    const token = await store.findTeamToken(this.#options.database, teamId);
    if (token === undefined) throw notFound();
    return token;
  }

  async deleteOnly(actor: Actor, teamId: string): Promise<void> {
    await this.#options.teams.find(actor, teamId, 'can-update-api-token');
    const token = await store.findTeamToken(this.#options.database, teamId);
    if (token === undefined) throw notFound();
    await store.removeToken(this.#options.database, token.id);
  }

  async list(actor: Actor, teamId: string, page: Page): Promise<Slice<Token>> {
    await this.#options.teams.find(actor, teamId, 'can-view-api-token');
    return store.listTokensOfTeams(this.#options.database, [fragment`t.id = ${teamId}`], '', 'expired-at', page);
  }

  /** Lists tokens of all teams whose tokens the actor may see. `query` is part of a team's name. */
  async listAll(
    actor: Actor,
    organization: string,
    query: string,
    sort: TeamTokenSort,
    page: Page,
  ): Promise<Slice<Token>> {
    const { database, organizations } = this.#options;
    const { id, grant } = await organizations.find(actor, organization, 'can-traverse');
    const teams = [fragment`t.organization_id = ${id}`];
    const mine = isOneOf('t.id', grant.teamIds);
    const own = actor.kind === 'user' ? fragment`(${mine} and t.allow_member_token_management = 1)` : fragment`1 = 0`;
    // Same rule as `teamPermissions` (permissions/team.ts), as SQL.
    if (!grant.owner) {
      const sees = grant.access['access-secret-teams']
        ? fragment`1 = 1`
        : fragment`(t.visibility = 'organization' or ${mine})`;
      const managed = grant.access['manage-teams'] ? fragment`(t.owners = 0 and ${sees})` : fragment`1 = 0`;
      teams.push(fragment`(${managed} or ${own})`);
    }
    return store.listTokensOfTeams(database, teams, query, sort, page);
  }

  async #limited(actor: Actor, team: TeamView, { description, expiresAt }: TokenInput): Promise<TokenInput> {
    const { clock, organizations, ttlPolicies } = this.#options;
    const organization = await organizations.find(actor, team.organizationName, 'can-traverse');
    const limit = await ttlPolicies.limitOf(organization, 'team');
    return { description, expiresAt: expiryOf(clock(), expiresAt, limit) };
  }
}

/** Official clients match on the title and the whole text. */
function descriptionTaken(): AppError {
  const detail = 'Validation failed: Description has already been taken';
  const pointer = '/data/attributes/description';
  return new AppError('unprocessable', detail, { title: 'invalid attributes', issues: [{ detail, pointer }] });
}
