import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Actor, grantIn, type ProjectPermission, type Projects, type Teams } from '../../tenancy/index.ts';
import type { ProjectGrant } from './project-grant-store.ts';
import * as store from './project-grant-store.ts';
import { nextProjectGrant, type ProjectGrantInput } from './rules.ts';
import { alreadyGranted, requireTeam, seenTeams, seesTeam, teamConditions } from './teams.ts';

/** Manages the access of teams to projects. Requires the right to manage the project's teams. */
export class ProjectGrants {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #projects: Projects;
  readonly #teams: Teams;

  constructor(database: Database, clock: Clock, projects: Projects, teams: Teams) {
    this.#database = database;
    this.#clock = clock;
    this.#projects = projects;
    this.#teams = teams;
  }

  /**
   * Lists grants. Actors who may read the project's teams see the grants of the teams that they can see; actors who
   * may manage them see all.
   */
  async list(
    actor: Actor,
    { projectId, teamId }: { readonly projectId: string; readonly teamId: string | undefined },
    page: Page,
  ): Promise<Slice<ProjectGrant>> {
    const { organizationId, permissions } = await this.#projects.find(actor, projectId, 'can-read-teams');
    const seen = permissions['can-manage-teams'] ? [] : [seenTeams(grantIn(actor, organizationId))];
    return store.listProjectGrants(this.#database, projectId, [...seen, ...teamConditions(teamId)], page);
  }

  /**
   * Finds a grant.
   * @throws 404 when it does not exist, or the actor may not see it
   */
  async find(actor: Actor, id: string): Promise<ProjectGrant> {
    return this.#find(actor, id, 'can-read-teams');
  }

  /**
   * Creates a grant.
   * @throws 404 for a project in which the actor lacks the permission, 422 for an unknown team or one that has access
   * already
   */
  async create(actor: Actor, projectId: string, teamId: string, input: ProjectGrantInput): Promise<ProjectGrant> {
    const { organizationId } = await this.#projects.find(actor, projectId, 'can-manage-teams');
    const { visibility } = await requireTeam(this.#teams, actor, organizationId, teamId);
    const now = this.#clock();
    const grant = { id: prefixedId('tprj', now), teamId, projectId, ...nextProjectGrant(undefined, input) };
    if ((await store.insertProjectGrant(this.#database, { ...grant, now })) === undefined) throw alreadyGranted();
    return { ...grant, visibility };
  }

  /**
   * Updates a grant.
   * @throws 404 without permission, 422 for single permissions of a fixed level
   */
  async update(actor: Actor, id: string, input: ProjectGrantInput): Promise<ProjectGrant> {
    const grant = await this.#find(actor, id, 'can-manage-teams');
    return this.#database.transaction(async (tx) => {
      const current = await store.claimProjectGrant(tx, id);
      if (current === undefined) throw notFound();
      const next = nextProjectGrant(current, input);
      await store.updateProjectGrant(tx, id, next);
      return { ...grant, access: next.access, custom: next.custom, projectCustom: next.projectCustom };
    });
  }

  /**
   * Deletes a grant.
   * @throws 404 without permission
   */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.#find(actor, id, 'can-manage-teams');
    await store.removeProjectGrant(this.#database, id);
  }

  async #find(actor: Actor, id: string, permission: ProjectPermission): Promise<ProjectGrant> {
    const grant = await store.findProjectGrant(this.#database, id);
    if (grant === undefined) throw notFound();
    const project = await this.#projects.find(actor, grant.projectId, permission);
    const sees = project.permissions['can-manage-teams'] || seesTeam(grantIn(actor, project.organizationId), grant);
    if (!sees) throw notFound();
    return grant;
  }
}
