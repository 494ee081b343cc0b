import type { Transaction } from '../../../storage/index.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import {
  type Actor,
  type EngineKind,
  type Organizations,
  type ProjectPermission,
  type Projects,
  type ProjectView,
  requirePermission,
} from '../../tenancy/index.ts';

interface Placed {
  readonly organizationId: string;
  readonly projectId: string;
}

/** Place of a new workspace. */
interface NewPlace extends Placed {
  /** Settings that workspaces inherit. */
  readonly defaultEngine: EngineKind;
}

/**
 * Returns why only users who may change a project may move workspaces out of it, as a sentence without its full stop;
 * undefined if the right to move them is enough.
 */
export type RestrictsMoves = (projectId: string) => Promise<string | undefined>;

/** Decides where workspaces are: their organization and project, who may put them there, and how many there are. */
export class WorkspacePlacement {
  readonly #organizations: Organizations;
  readonly #projects: Projects;
  readonly #restrictsMoves: RestrictsMoves;

  constructor(organizations: Organizations, projects: Projects, restrictsMoves: RestrictsMoves) {
    this.#restrictsMoves = restrictsMoves;
    this.#organizations = organizations;
    this.#projects = projects;
  }

  /** Returns the project; undefined when the organization has no such project, or the actor may not see it. */
  async readable(actor: Actor, organizationId: string, projectId: string): Promise<ProjectView | undefined> {
    const projects = await this.#projects.readable(actor, [projectId]);
    return projects.find((project) => project.organizationId === organizationId);
  }

  /**
   * Returns the place of a new workspace: the project that the client names, or the default project, which is read
   * together with the organization.
   * @throws 422 for an unknown project, 404 for one in which the actor may not
   */
  async requireNew(actor: Actor, organizationName: string, named: string | undefined): Promise<NewPlace> {
    const finding = this.#organizations.find(actor, organizationName, 'can-traverse');
    if (named === undefined) {
      const project = this.#projects.findDefault(actor, organizationName, 'can-create-workspace');
      // Errors of the organization take precedence.
      project.catch(() => {});
      const { id: organizationId, defaultEngine } = await finding;
      return { organizationId, defaultEngine, projectId: (await project).id };
    }
    const { id: organizationId, defaultEngine } = await finding;
    await this.requireProject(actor, organizationId, named, 'can-create-workspace');
    return { organizationId, defaultEngine, projectId: named };
  }

  /**
   * Returns the project that a client names.
   * @throws 422 for an unknown project, 404 for one in which the actor lacks the permission
   */
  async requireProject(
    actor: Actor,
    organizationId: string,
    projectId: string,
    permission: ProjectPermission,
  ): Promise<void> {
    const project = await this.readable(actor, organizationId, projectId);
    if (project === undefined)
      throw unprocessable([{ detail: 'Project not found', pointer: '/data/relationships/project' }]);
    requirePermission(project.permissions, permission);
  }

  /**
   * A move requires the right in both projects (spec §5). If it takes the workspace away from rules of its project, it
   * also requires the right to change that project, because that right manages the rules.
   * @throws 404 without the rights to move, 422 without the right to change the project
   */
  async requireMove(actor: Actor, organizationId: string, from: string, to: string): Promise<void> {
    await this.requireProject(actor, organizationId, from, 'can-move-workspace');
    await this.requireProject(actor, organizationId, to, 'can-move-workspace');
    const restriction = await this.#restrictsMoves(from);
    if (restriction === undefined) return;
    const source = await this.readable(actor, organizationId, from);
    if (source?.permissions['can-update'] === true) return;
    throw unprocessable([{ detail: restriction, pointer: '/data/relationships/project' }]);
  }

  async entered(tx: Transaction, { organizationId, projectId }: Placed): Promise<void> {
    await Promise.all([
      this.#organizations.countWorkspaces(tx, organizationId, 1),
      this.#projects.countWorkspaces(tx, projectId, 1),
    ]);
  }

  async left(tx: Transaction, { organizationId, projectId }: Placed): Promise<void> {
    await this.#organizations.countWorkspaces(tx, organizationId, -1);
    await this.#projects.countWorkspaces(tx, projectId, -1);
  }

  async moved(tx: Transaction, from: string, to: string): Promise<void> {
    await this.#projects.countWorkspaces(tx, from, -1);
    await this.#projects.countWorkspaces(tx, to, 1);
  }
}
