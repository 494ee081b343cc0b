import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { type Database, ReferenceViolation, type Transaction } from '../../../storage/index.ts';
import { conflict, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { TenancyHooks } from '../hooks/hooks.ts';
import { poolIssues } from '../organization/execution-mode.ts';
import { takingName } from '../organization/name.ts';
import type { Organizations } from '../organization/organizations.ts';
import { type Actor, principalIn } from '../permissions/actor.ts';
import { type BindingEntries, keyValues } from '../tag-binding/key-value.ts';
import { replaceBindings } from './bindings.ts';
import type { ProjectSettings, ProjectView } from './project.ts';
import type { Projects } from './projects.ts';
import { NEW_PROJECT, nextProject, type ProjectInput } from './rules.ts';
import * as store from './store.ts';

const IN_USE = 'The project still contains workspaces. Move or delete them first';
const BINDINGS = '/data/relationships/tag-bindings/data';

export interface ProjectChangesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly organizations: Organizations;
  readonly projects: Projects;
  readonly hooks: TenancyHooks;
}

/** Creates, changes and deletes projects. */
export class ProjectChanges {
  readonly #options: ProjectChangesOptions;

  constructor(options: ProjectChangesOptions) {
    this.#options = options;
  }

  /**
   * Creates a project.
   * @throws 404 without permission; 422 for invalid values
   */
  async create(
    actor: Actor,
    organizationName: string,
    input: ProjectInput,
    bindings: BindingEntries,
  ): Promise<ProjectView> {
    const { clock, database, hooks, organizations, projects } = this.#options;
    const { id: organizationId } = await organizations.find(actor, organizationName, 'can-create-project');
    const tags = keyValues(bindings, BINDINGS);
    const settings = await this.#checked(organizationId, NEW_PROJECT, input);
    const createdAt = clock();
    const id = prefixedId('prj', createdAt);
    await takingName(() =>
      database.transaction(async (tx) => {
        await store.insertProject(tx, { id, organizationId, createdAt, ...settings });
        await replaceBindings(tx, { id, organizationId }, tags, createdAt);
        if (settings.autoDestroyActivityDuration !== null) {
          await hooks.onAutoDestroyChanged(tx, id, principalIn(actor, organizationId));
        }
      }),
    );
    return projects.find(actor, id, 'can-read');
  }

  /** Creates the default project of a new organization. */
  async createDefault(tx: Transaction, organizationId: string, id: string, createdAt: number): Promise<void> {
    await store.insertProject(tx, { id, organizationId, createdAt, ...NEW_PROJECT, name: 'Default Project' });
  }

  /**
   * Updates a project.
   * @throws 404 without permission; 422 for invalid values
   */
  async update(actor: Actor, id: string, input: ProjectInput, bindings?: BindingEntries): Promise<ProjectView> {
    const { clock, database, hooks, projects } = this.#options;
    const { organizationId } = await projects.find(actor, id, 'can-update');
    const tags = bindings && keyValues(bindings, BINDINGS);
    const asked = input.execution.agentPoolId;
    if (asked) await this.#requirePool(organizationId, asked);
    await takingName(() =>
      database.transaction(async (tx) => {
        const current = await store.claimProject(tx, id);
        if (current === undefined) throw notFound();
        const { next, issues } = nextProject(current, input);
        if (issues.length > 0) throw unprocessable(issues);
        await store.updateProject(tx, id, next);
        const isOther = next.autoDestroyActivityDuration !== current.autoDestroyActivityDuration;
        if (isOther) await hooks.onAutoDestroyChanged(tx, id, principalIn(actor, organizationId));
        if (tags) await replaceBindings(tx, { id, organizationId }, tags, clock());
      }),
    );
    return projects.find(actor, id, 'can-read');
  }

  /**
   * Deletes a project.
   * @throws 409 if the project contains workspaces or is the default project
   */
  async delete(actor: Actor, id: string): Promise<void> {
    const { database, organizations, projects } = this.#options;
    const project = await projects.find(actor, id, 'can-destroy');
    const organization = await organizations.find(actor, project.organizationName, 'can-traverse');
    if (organization.defaultProjectId === id) throw conflict('The default project cannot be deleted');
    await database.transaction(async (tx) => {
      const current = await store.claimProject(tx, id);
      if (current === undefined) throw notFound();
      if (current.workspaceCount > 0) throw conflict(IN_USE);
      await store.removeProject(tx, id).catch(refuseInUse);
    });
  }

  async #checked(organizationId: string, current: ProjectSettings, input: ProjectInput): Promise<ProjectSettings> {
    const { next, issues } = nextProject(current, input);
    if (issues.length === 0) issues.push(...(await poolIssues(this.#options.hooks.agentPools, organizationId, next)));
    if (issues.length > 0) throw unprocessable(issues);
    return next;
  }

  async #requirePool(organizationId: string, defaultAgentPoolId: string): Promise<void> {
    const asked = { defaultExecutionMode: null, defaultAgentPoolId };
    const issues = await poolIssues(this.#options.hooks.agentPools, organizationId, asked);
    if (issues.length > 0) throw unprocessable(issues);
  }
}

/** A concurrent request has put a workspace into the project. */
function refuseInUse(error: unknown): never {
  throw error instanceof ReferenceViolation ? conflict(IN_USE) : error;
}
