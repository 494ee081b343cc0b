import { AppError } from '../../../lib/errors.ts';
import type { Authentication } from '../authentication/authentication.ts';
import type { Organizations } from '../organization/organizations.ts';
import { type Actor, grantIn } from '../permissions/actor.ts';
import { type Piece, piecesOf, type Reason } from '../permissions/explain.ts';
import { type Grant, grantsOf } from '../permissions/grants.ts';
import type { Teams } from '../team/teams.ts';
import type { Users } from '../user/users.ts';

/** User or team to explain. Default: the caller. */
export interface SubjectQuery {
  readonly userId?: string | undefined;
  readonly username?: string | undefined;
  readonly teamId?: string | undefined;
}

/** User or team whose permissions are explained. */
export interface Subject {
  readonly type: 'users' | 'teams' | 'organizations' | 'agents' | 'task-results';
  readonly id: string;
  /** Display name; null if there is none. */
  readonly name: string | null;
  /** Kind of the caller's credential, if the caller requests its own permissions. */
  readonly token: Actor['kind'] | null;
  /** Actor with the grants of the subject, for evaluation. */
  readonly actor: Actor;
  readonly pieces: readonly Piece<Grant>[];
  /** Reason why the subject has no access at all, regardless of its grants. */
  readonly barred: Reason | undefined;
  /** Names of the subject's teams that the caller may see. */
  readonly teamNames: ReadonlyMap<string, string>;
}

export interface SubjectsOptions {
  readonly authentication: Authentication;
  readonly organizations: Organizations;
  readonly teams: Teams;
  readonly users: Users;
}

/** Organization that the explanation is about. */
interface Place {
  readonly id: string;
  readonly name: string;
}

/** Resolves the user or team whose permissions are explained. */
export class Subjects {
  readonly #options: SubjectsOptions;

  constructor(options: SubjectsOptions) {
    this.#options = options;
  }

  /**
   * Finds the user or team whose permissions are explained.
   * @param requireMayAsk called before anything about another user or team is looked up
   * @throws 404 for another user or team without permission; 422 for a user or team that is not in the organization
   */
  async find(asker: Actor, organization: Place, query: SubjectQuery, requireMayAsk: () => void): Promise<Subject> {
    const { userId, username, teamId } = query;
    if ([userId, username, teamId].filter((named) => named !== undefined).length > 1) {
      throw wrong('filter', 'Ask about one user or one team');
    }
    if (isSelf(asker, query)) return this.#own(asker, organization.id);
    requireMayAsk();
    if (teamId !== undefined) return this.#team(asker, organization.id, teamId);
    return this.#user(asker, organization, query);
  }

  async #own(asker: Actor, organizationId: string): Promise<Subject> {
    const grant = asker.grants.get(organizationId);
    const teams = await this.#options.teams.granted(asker, organizationId, grant?.teamIds ?? []);
    const pieces = grant === undefined ? [] : piecesOf(grant, teams.grants);
    const [team = ''] = grant?.teamIds ?? [];
    const whose = { ...ownName(asker, team, teams.names), token: asker.kind, actor: asker };
    return { ...whose, pieces, barred: undefined, teamNames: teams.names };
  }

  async #team(asker: Actor, organizationId: string, id: string): Promise<Subject> {
    const { grants, names } = await this.#options.teams.granted(asker, organizationId, [id]);
    const name = names.get(id);
    if (name === undefined) throw wrong('filter[team][id]', 'The organization has no such team');
    const actor: Actor = { kind: 'team', teamId: id, credential: '', grants: grantsOf(grants) };
    const pieces = piecesOf(grantIn(actor, organizationId), grants);
    return { type: 'teams', id, name, token: null, actor, pieces, barred: undefined, teamNames: names };
  }

  async #user(asker: Actor, organization: Place, { userId, username }: SubjectQuery): Promise<Subject> {
    const { authentication, organizations, teams, users } = this.#options;
    const user = await users.known(userId === undefined ? { username } : { id: userId });
    const actor = user && (await authentication.actorOf(user.id));
    const grant = actor?.grants.get(organization.id);
    if (user === undefined || actor === undefined || grant === undefined) {
      const parameter = userId === undefined ? 'filter[user][username]' : 'filter[user][id]';
      throw wrong(parameter, 'The organization has no such user');
    }
    const { grants, names } = await teams.granted(asker, organization.id, grant.teamIds);
    const { userTokensEnabled } = await organizations.find(asker, organization.name, 'can-traverse');
    const suspended = user.suspendedAt === null ? undefined : 'suspended';
    return {
      type: 'users',
      id: user.id,
      name: user.username,
      token: null,
      actor,
      pieces: piecesOf(grant, grants),
      barred: suspended ?? (userTokensEnabled === 1 ? undefined : 'user-tokens'),
      teamNames: names,
    };
  }
}

function isSelf(asker: Actor, { userId, username, teamId }: SubjectQuery): boolean {
  if (teamId !== undefined) return asker.kind === 'team' && asker.teamId === teamId;
  if (userId !== undefined) return asker.kind === 'user' && asker.id === userId;
  return username === undefined || (asker.kind === 'user' && asker.username === username);
}

function ownName(
  asker: Actor,
  teamId: string,
  names: ReadonlyMap<string, string>,
): Pick<Subject, 'type' | 'id' | 'name'> {
  if (asker.kind === 'user') return { type: 'users', id: asker.id, name: asker.username };
  if (asker.kind === 'organization') return { type: 'organizations', id: asker.organizationId, name: null };
  if (asker.kind === 'machine') return { type: 'teams', id: teamId, name: asker.machine.commonName };
  if (asker.kind === 'agent') return { type: 'agents', id: asker.agentId ?? asker.agentPoolId ?? '', name: null };
  if (asker.kind === 'task') return { type: 'task-results', id: asker.resultId, name: null };
  return { type: 'teams', id: asker.teamId, name: names.get(asker.teamId) ?? null };
}

function wrong(parameter: string, detail: string): AppError {
  return new AppError('unprocessable', detail, { issues: [{ detail, parameter }] });
}
