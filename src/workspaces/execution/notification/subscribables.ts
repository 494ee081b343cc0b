import { notFound } from '../../jsonapi/errors.ts';
import { type Actor, grantIn, type Tenancy } from '../../tenancy/index.ts';
import type { WorkspaceFinder } from '../../workspace/index.ts';
import type { Owner } from './notification.ts';

/** Scope of a configuration, as the API names it. The ID of an organization is its name. */
export interface Subscribable {
  readonly type: 'workspaces' | 'projects' | 'teams' | 'organizations';
  readonly id: string;
}

/** Services that find what may have notification configurations. */
export interface SubscribablesOptions extends Pick<Tenancy, 'organizations' | 'projects' | 'teams'> {
  readonly finder: WorkspaceFinder;
}

/** Finds the workspace, project, team or organization of a configuration, for actors that may manage it. */
export class Subscribables {
  readonly #options: SubscribablesOptions;

  constructor(options: SubscribablesOptions) {
    this.#options = options;
  }

  /**
   * Finds a scope. Organization tokens may not manage notifications.
   * @throws 404 if it does not exist, or without permission
   */
  async find(actor: Actor, subscribable: Subscribable): Promise<Owner> {
    const owner = await this.#owner(actor, subscribable);
    if (grantIn(actor, owner.organizationId).setsUpOnly) throw notFound();
    return owner;
  }

  async #owner(actor: Actor, { type, id }: Subscribable): Promise<Owner> {
    const { finder, organizations, projects, teams } = this.#options;
    if (type === 'workspaces') {
      const { organizationId } = await finder.find(actor, { id }, 'can-update');
      return { organizationId, workspaceId: id, projectId: null, teamId: null };
    }
    if (type === 'projects') {
      const { organizationId } = await projects.find(actor, id, 'can-update');
      return { organizationId, workspaceId: null, projectId: id, teamId: null };
    }
    if (type === 'teams') {
      // Messages show what members of the team may see, so the actor must be able to become one.
      const { organizationId } = await teams.find(actor, id, 'can-update-membership');
      return { organizationId, workspaceId: null, projectId: null, teamId: id };
    }
    const organization = await organizations.find(actor, id, 'can-update');
    return { organizationId: organization.id, workspaceId: null, projectId: null, teamId: null };
  }
}

/** Returns the scope of a configuration. @param organizationName name of its organization */
export function subscribableOf({ workspaceId, projectId, teamId }: Owner, organizationName: string): Subscribable {
  if (workspaceId !== null) return { type: 'workspaces', id: workspaceId };
  if (projectId !== null) return { type: 'projects', id: projectId };
  if (teamId !== null) return { type: 'teams', id: teamId };
  return { type: 'organizations', id: organizationName };
}
