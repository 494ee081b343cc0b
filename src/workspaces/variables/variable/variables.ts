import type { Database } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Actor, WorkspacePermission } from '../../tenancy/index.ts';
import type { WorkspaceFinder, WorkspaceRef, WorkspaceView } from '../../workspace/index.ts';
import type { VariableKeeper } from './keeper.ts';
import type { ReplacingVariable, VariableInput } from './schema.ts';
import type { Variable, VariableOwner } from './variable.ts';

/** Variables with the workspace that they belong to. */
export interface WorkspaceVariables {
  readonly workspace: WorkspaceView;
  readonly variables: readonly Variable[];
}

/** One of them. */
export interface WorkspaceVariable {
  readonly workspace: WorkspaceView;
  readonly variable: Variable;
}

/** The variables of single workspaces (facts of the original, §6.9). */
export class Variables {
  readonly #database: Database;
  readonly #finder: WorkspaceFinder;
  readonly #keeper: VariableKeeper;

  constructor(database: Database, finder: WorkspaceFinder, keeper: VariableKeeper) {
    this.#database = database;
    this.#finder = finder;
    this.#keeper = keeper;
  }

  async list(actor: Actor, ref: WorkspaceRef): Promise<WorkspaceVariables> {
    const workspace = await this.#finder.find(actor, ref, 'can-read-variable');
    return { workspace, variables: await this.#keeper.all(ownerOf(workspace)) };
  }

  async show(actor: Actor, workspaceId: string, id: string): Promise<WorkspaceVariable> {
    const workspace = await this.#finder.find(actor, { id: workspaceId }, 'can-read-variable');
    return { workspace, variable: await this.#keeper.find(ownerOf(workspace), id) };
  }

  /** The workspace that a variable belongs to, for paths that do not say it. @throws 404 */
  async workspaceOf(actor: Actor, id: string): Promise<string> {
    const owner = (await this.#keeper.byId(id))?.owner;
    if (owner?.type !== 'workspaces') throw notFound();
    return (await this.#finder.find(actor, { id: owner.id }, 'can-read-variable')).id;
  }

  /** @throws 422 for what breaks a rule */
  async create(actor: Actor, workspaceId: string, input: VariableInput): Promise<WorkspaceVariable> {
    const { workspace, owner } = await this.#own(actor, workspaceId, 'can-update-variable');
    const id = await this.#database.transaction((tx) => this.#keeper.add(tx, owner, input));
    return { workspace, variable: await this.#keeper.find(owner, id) };
  }

  /** @throws 422 for what breaks a rule */
  async update(actor: Actor, workspaceId: string, id: string, input: VariableInput): Promise<WorkspaceVariable> {
    const { workspace, owner } = await this.#own(actor, workspaceId, 'can-update-variable');
    await this.#database.transaction((tx) => this.#keeper.change(tx, owner, id, input));
    return { workspace, variable: await this.#keeper.find(owner, id) };
  }

  async remove(actor: Actor, workspaceId: string, id: string): Promise<void> {
    const { owner } = await this.#own(actor, workspaceId, 'can-update-variable');
    await this.#database.transaction((tx) => this.#keeper.remove(tx, owner, id));
  }

  /** Those given, and no others. @throws 404 for an unknown id, 422 for what breaks a rule */
  async replace(actor: Actor, workspaceId: string, entries: readonly ReplacingVariable[]): Promise<void> {
    const { owner } = await this.#own(actor, workspaceId, 'can-update-variable');
    await this.#database.transaction((tx) => this.#keeper.replace(tx, owner, entries));
  }

  /** What the documents of these workspaces point at, by the id of the workspace: nothing where it may not be read. */
  async idsOf(workspaces: readonly WorkspaceView[]): Promise<ReadonlyMap<string, readonly string[]>> {
    return this.#keeper.idsOfEach('workspaces', readable(workspaces));
  }

  /** The same of one, for whoever may read them. */
  async idsAhead(workspaceId: string): Promise<(workspace: WorkspaceView) => readonly string[]> {
    const ids = await this.#keeper.idsOf(workspaceId);
    return (workspace) => (readable([workspace]).length === 0 ? [] : ids);
  }

  /** The variables that those documents point at. */
  async ofWorkspaces(workspaces: readonly WorkspaceView[]): Promise<Variable[]> {
    return this.#keeper.ofEach('workspaces', readable(workspaces));
  }

  async #own(actor: Actor, id: string, permission: WorkspacePermission) {
    const workspace = await this.#finder.find(actor, { id }, permission);
    return { workspace, owner: ownerOf(workspace) };
  }
}

function readable(workspaces: readonly WorkspaceView[]): string[] {
  return workspaces.filter(({ permissions }) => permissions['can-read-variable']).map(({ id }) => id);
}

function ownerOf({ id }: WorkspaceView): VariableOwner {
  return { type: 'workspaces', id };
}
