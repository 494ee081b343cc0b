import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { attributeIssue, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { takingName } from '../organization/name.ts';
import type { Organizations } from '../organization/organizations.ts';
import { type Actor, grantIn, requirePermission } from '../permissions/actor.ts';
import { type Grant, NO_ACCESS, type OrganizationAccess, parseAccess, teamGrant } from '../permissions/grants.ts';
import { type TeamPermission, teamPermissions, unownedFlags } from '../permissions/team.ts';
import * as memberStore from './member-store.ts';
import type { TeamFilter, TeamInput } from './store.ts';
import * as store from './store.ts';

/** As in HCP Terraform, names may contain spaces and slashes: groups of identity providers have them. */
const NAME = /^[\w/-](?:[\w /-]{0,88}[\w/-])?$/;
const RULE = 'Name must have 1 to 90 letters, digits, spaces, -, _ and /, without a space at the start or end';

/** Group of users and machines with common permissions. */
export interface Team {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly name: string;
  /** True for the owners team: it has all permissions in its organization and cannot be deleted. */
  readonly owners: boolean;
  readonly visibility: store.Visibility;
  readonly access: OrganizationAccess;
  /** Name of the team at an identity provider. */
  readonly ssoTeamId: string | null;
  /** Whether members may create tokens of the team. */
  readonly allowsMemberTokens: boolean;
  readonly userCount: number;
  /** Group of the SCIM directory that gives the team. */
  readonly scimGroupName: string | null;
  readonly scimPaused: number;
  /** 1 while SCIM provisioning is on. */
  readonly scimEnabled: number;
  readonly scimUpdatedAt: number | null;
}

/** Team with the actor's permissions on it. */
export interface TeamView extends Team {
  readonly permissions: Readonly<Record<TeamPermission, boolean>>;
}

/** Manages the teams of an organization. Users get their permissions from their teams. */
export class Teams {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #organizations: Organizations;

  constructor(database: Database, clock: Clock, organizations: Organizations) {
    this.#database = database;
    this.#clock = clock;
    this.#organizations = organizations;
  }

  /**
   * Finds a team.
   * @throws 404 if it does not exist, or without permission
   */
  async find(actor: Actor, id: string, permission: TeamPermission): Promise<TeamView> {
    const row = await store.findTeam(this.#database, id);
    if (row === undefined) throw notFound();
    const view = viewOf(actor, row);
    requirePermission(view.permissions, permission);
    return view;
  }

  /** Returns the teams with these ids that the actor may read. */
  async readable(actor: Actor, ids: readonly string[]): Promise<TeamView[]> {
    const rows = await store.findTeams(this.#database, ids);
    return rows
      .filter(({ organizationId }) => actor.grants.has(organizationId))
      .map((row) => viewOf(actor, row))
      .filter(({ permissions }) => permissions['can-read']);
  }

  /** Returns the organization access of teams, with the names of the teams that the actor may read. */
  async granted(actor: Actor, organizationId: string, ids: readonly string[]) {
    const found = ids.length === 0 ? [] : await store.findTeams(this.#database, ids);
    const rows = found.filter((row) => row.organizationId === organizationId);
    const seen = rows.filter((row) => viewOf(actor, row).permissions['can-read']);
    return {
      grants: rows.map((row) => teamGrant({ ...row, teamId: row.id })),
      names: new Map(seen.map(({ id, name }) => [id, name])),
    };
  }

  /** Lists the teams that the actor may read, by name. */
  async list(actor: Actor, organization: string, filter: TeamFilter, page: Page): Promise<Slice<TeamView>> {
    const { id, grant } = await this.#organizations.find(actor, organization, 'can-traverse');
    const { items, total } = await store.listTeams(this.#database, id, grant, filter, page);
    return { items: items.map((row) => viewOf(actor, row)), total };
  }

  /**
   * Creates a team.
   * @throws 404 without permission; 422 for a name that is taken and for flags that the actor does not have
   */
  async create(actor: Actor, organizationName: string, input: TeamInput & { name: string }): Promise<TeamView> {
    const organization = await this.#organizations.find(actor, organizationName, 'can-create-team');
    checkInput(organization.grant, input);
    const createdAt = this.#clock();
    const team = { id: prefixedId('team', createdAt), organizationId: organization.id, owners: false, createdAt };
    await takingName(() => store.insertTeam(this.#database, team, settingsOf(NEW_TEAM, input)));
    const row = await store.findTeam(this.#database, team.id);
    if (row === undefined) throw notFound();
    return viewOf(actor, row);
  }

  /** Creates the owners team of a new organization, with its first member. */
  async createOwners(tx: Transaction, organizationId: string, userId: string): Promise<string> {
    const createdAt = this.#clock();
    const id = prefixedId('team', createdAt);
    await store.insertTeam(tx, { id, organizationId, owners: true, createdAt }, { ...NEW_TEAM, name: 'owners' });
    await memberStore.addMember(tx, id, userId);
    return id;
  }

  /**
   * Updates a team.
   * @throws 404 without permission; 422 as `create`, and for the owners team
   */
  async update(actor: Actor, id: string, input: TeamInput): Promise<TeamView> {
    const { access = {}, ...rest } = input;
    const team = await this.#changeable(actor, id);
    if (Object.keys(access).length > 0) requirePermission(team.permissions, 'can-update-organization-access');
    if (Object.keys(rest).length > 0) requirePermission(team.permissions, 'can-update-name');
    checkInput(grantIn(actor, team.organizationId), input);
    await takingName(() =>
      this.#database.transaction(async (tx) => {
        const current = await store.claimTeam(tx, id);
        if (current === undefined) throw notFound();
        await store.updateTeam(tx, id, settingsOf(current, input));
      }),
    );
    return this.find(actor, id, 'can-read');
  }

  /**
   * Deletes a team.
   * @throws 404 without permission; 422 for the owners team
   */
  async delete(actor: Actor, id: string): Promise<void> {
    const team = await this.#changeable(actor, id);
    requirePermission(team.permissions, 'can-destroy');
    await store.removeTeam(this.#database, id);
  }

  /** Actors that can see the owners team get an error that explains that it cannot be changed. */
  async #changeable(actor: Actor, id: string): Promise<TeamView> {
    const team = await this.find(actor, id, 'can-read');
    if (team.owners) throw unprocessable([{ detail: 'The owners team cannot be changed or deleted' }]);
    return team;
  }
}

type Stored = Parameters<typeof store.updateTeam>[2];

const NEW_TEAM: Stored = {
  name: '',
  visibility: 'secret',
  access: JSON.stringify(NO_ACCESS),
  ssoTeamId: null,
  allowsMemberTokens: 1,
};

/** Returns the settings after the input. */
function settingsOf(current: Stored, { access, allowsMemberTokens, ...input }: TeamInput): Stored {
  return {
    ...current,
    ...input,
    access: JSON.stringify({ ...parseAccess(current.access), ...access }),
    allowsMemberTokens: Number(allowsMemberTokens ?? current.allowsMemberTokens),
  };
}

function checkInput(grant: Grant, { access = {}, name }: TeamInput): void {
  const issues = unownedFlags(grant, access);
  if (name !== undefined && !NAME.test(name)) issues.push(attributeIssue('name', RULE));
  if (issues.length > 0) throw unprocessable(issues);
}

function viewOf(actor: Actor, { access, owners, allowsMemberTokens, ...row }: store.TeamRow): TeamView {
  const team = {
    ...row,
    owners: owners === 1,
    allowsMemberTokens: allowsMemberTokens === 1,
    access: parseAccess(access),
  };
  const grant = grantIn(actor, team.organizationId);
  return { ...team, permissions: teamPermissions(grant, team, actor.kind === 'user') };
}
