import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Actor, grantIn, type Teams, type WorkspacePermission } from '../../tenancy/index.ts';
import type { WorkspaceFinder } from '../model/finder.ts';
import { nextWorkspaceGrant, type WorkspaceGrantInput } from './rules.ts';
import { alreadyGranted, requireTeam, seenTeams, seesTeam, teamConditions } from './teams.ts';
import type { WorkspaceGrant } from './workspace-grant-store.ts';
import * as store from './workspace-grant-store.ts';

/** Manages the access of teams to single workspaces. Requires an administrator of the workspace. */
export class WorkspaceGrants {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #finder: WorkspaceFinder;
  readonly #teams: Teams;

  constructor(database: Database, clock: Clock, finder: WorkspaceFinder, teams: Teams) {
    this.#database = database;
    this.#clock = clock;
    this.#finder = finder;
    this.#teams = teams;
  }

  /**
   * Lists grants. Actors who see the workspace see the grants of the teams that they can see; its administrators see
   * all.
   */
  async list(
    actor: Actor,
    { workspaceId, teamId }: { readonly workspaceId: string; readonly teamId: string | undefined },
    page: Page,
  ): Promise<Slice<WorkspaceGrant>> {
    const { organizationId, permissions } = await this.#finder.find(actor, { id: workspaceId }, 'can-read-settings');
    const seen = permissions['can-update'] ? [] : [seenTeams(grantIn(actor, organizationId))];
    return store.listWorkspaceGrants(this.#database, workspaceId, [...seen, ...teamConditions(teamId)], page);
  }

  /**
   * Finds a grant.
   * @throws 404 when it does not exist, or the actor may not see it
   */
  async find(actor: Actor, id: string): Promise<WorkspaceGrant> {
    return this.#find(actor, id, 'can-read-settings');
  }

  /**
   * Creates a grant.
   * @throws 404 for a workspace in which the actor lacks the permission, 422 for an unknown team or one that has
   * access already
   */
  async create(actor: Actor, workspaceId: string, teamId: string, input: WorkspaceGrantInput): Promise<WorkspaceGrant> {
    const { organizationId } = await this.#finder.find(actor, { id: workspaceId }, 'can-update');
    const { visibility } = await requireTeam(this.#teams, actor, organizationId, teamId);
    const now = this.#clock();
    const grant = { id: prefixedId('tws', now), teamId, workspaceId, ...nextWorkspaceGrant(undefined, input) };
    if ((await store.insertWorkspaceGrant(this.#database, { ...grant, now })) === undefined) throw alreadyGranted();
    return { ...grant, visibility };
  }

  /**
   * Updates a grant.
   * @throws 404 without permission, 422 for single permissions of a fixed level
   */
  async update(actor: Actor, id: string, input: WorkspaceGrantInput): Promise<WorkspaceGrant> {
    const grant = await this.#find(actor, id, 'can-update');
    return this.#database.transaction(async (tx) => {
      const current = await store.claimWorkspaceGrant(tx, id);
      if (current === undefined) throw notFound();
      const next = nextWorkspaceGrant(current, input);
      await store.updateWorkspaceGrant(tx, id, next);
      return { ...grant, access: next.access, custom: next.custom };
    });
  }

  /**
   * Deletes a grant.
   * @throws 404 without permission
   */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.#find(actor, id, 'can-update');
    await store.removeWorkspaceGrant(this.#database, id);
  }

  async #find(actor: Actor, id: string, permission: WorkspacePermission): Promise<WorkspaceGrant> {
    const grant = await store.findWorkspaceGrant(this.#database, id);
    if (grant === undefined) throw notFound();
    const workspace = await this.#finder.find(actor, { id: grant.workspaceId }, permission);
    const sees = workspace.permissions['can-update'] || seesTeam(grantIn(actor, workspace.organizationId), grant);
    if (!sees) throw notFound();
    return grant;
  }
}
