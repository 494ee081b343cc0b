import type { Database } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Actor, WorkspacePermission } from '../../tenancy/index.ts';
import type { WorkspaceFinder, WorkspaceRef, WorkspaceView } from '../../workspace/index.ts';
import type { VariableKeeper } from './keeper.ts';
import type { ReplacingVariable, VariableInput } from './schema.ts';
import type { Variable, VariableOwner } from './variable.ts';

/** Variables and their workspace. */
export interface WorkspaceVariables {
  readonly workspace: WorkspaceView;
  readonly variables: readonly Variable[];
}

/** One variable and its workspace. */
export interface WorkspaceVariable {
  readonly workspace: WorkspaceView;
  readonly variable: Variable;
}

/** Manages the variables of single workspaces. */
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

  /**
   * Returns the workspace of a variable, for paths that do not name it.
   * @throws 404 if it does not exist, or without permission
   */
  async workspaceOf(actor: Actor, id: string): Promise<string> {
    const owner = (await this.#keeper.byId(id))?.owner;
    if (owner?.type !== 'workspaces') throw notFound();
    return (await this.#finder.find(actor, { id: owner.id }, 'can-read-variable')).id;
  }

  /**
   * Adds a variable.
   * @throws 422 for input that breaks a rule
   */
  async create(actor: Actor, workspaceId: string, input: VariableInput): Promise<WorkspaceVariable> {
    const { workspace, owner } = await this.#own(actor, workspaceId, 'can-update-variable');
    const id = await this.#database.transaction((tx) => this.#keeper.add(tx, owner, input));
    return { workspace, variable: await this.#keeper.find(owner, id) };
  }

  /**
   * Updates a variable.
   * @throws 422 for input that breaks a rule
   */
  async update(actor: Actor, workspaceId: string, id: string, input: VariableInput): Promise<WorkspaceVariable> {
    const { workspace, owner } = await this.#own(actor, workspaceId, 'can-update-variable');
    await this.#database.transaction((tx) => this.#keeper.change(tx, owner, id, input));
    return { workspace, variable: await this.#keeper.find(owner, id) };
  }

  async remove(actor: Actor, workspaceId: string, id: string): Promise<void> {
    const { owner } = await this.#own(actor, workspaceId, 'can-update-variable');
    await this.#database.transaction((tx) => this.#keeper.remove(tx, owner, id));
  }

  /** Replaces all variables. @throws 404 for an unknown id, 422 for input that breaks a rule */
  async replace(actor: Actor, workspaceId: string, entries: readonly ReplacingVariable[]): Promise<void> {
    const { owner } = await this.#own(actor, workspaceId, 'can-update-variable');
    await this.#database.transaction((tx) => this.#keeper.replace(tx, owner, entries));
  }

  /**
   * Returns the variable ids for the documents of these workspaces, by workspace id; none where the actor may not read
   * them.
   */
  async idsOf(workspaces: readonly WorkspaceView[]): Promise<ReadonlyMap<string, readonly string[]>> {
    return this.#keeper.idsOfEach('workspaces', readable(workspaces));
  }

  /** Returns the variable ids of one workspace, for actors who may read them. */
  async idsAhead(workspaceId: string): Promise<(workspace: WorkspaceView) => readonly string[]> {
    const ids = await this.#keeper.idsOf(workspaceId);
    return (workspace) => (readable([workspace]).length === 0 ? [] : ids);
  }

  /** Returns the variables that are included with the documents of workspaces. */
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
