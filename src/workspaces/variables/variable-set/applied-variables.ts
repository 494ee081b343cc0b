import type { Database, Queries } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment } from '../../query/dynamic.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { WorkspaceFinder, WorkspaceView } from '../../workspace/index.ts';
import type { VariableKeeper } from '../variable/keeper.ts';
import type { Variable } from '../variable/variable.ts';
import type { VariableSetFinder } from './finder.ts';
import { effectiveVariables, type OpenVariable } from './precedence.ts';
import * as store from './store.ts';

import type { VariableSetView } from './variable-set.ts';

/**
 * @limit total size of the variables of a run, with those of all sets that apply, bytes -> the run fails with an error
 * that says so
 */
const MAX_BYTES = 10_485_760;

/** Applies variable sets to workspaces. Actors who may read a workspace's variables also see those from sets. */
export class AppliedVariables {
  readonly #database: Database;
  readonly #workspaces: WorkspaceFinder;
  readonly #sets: VariableSetFinder;
  readonly #keeper: VariableKeeper;

  constructor(database: Database, workspaces: WorkspaceFinder, sets: VariableSetFinder, keeper: VariableKeeper) {
    this.#database = database;
    this.#workspaces = workspaces;
    this.#sets = sets;
    this.#keeper = keeper;
  }

  /** Returns the sets that apply to a workspace for any reason, by name. */
  async sets(actor: Actor, workspaceId: string, query: string, page: Page): Promise<Slice<VariableSetView>> {
    const workspace = await this.#workspaces.find(actor, { id: workspaceId }, 'can-read-variable');
    const { id, organizationId, projectId } = workspace;
    const where = [
      fragment`s.organization_id = ${organizationId}`,
      fragment`(s.project_id is null or s.project_id = ${projectId})`,
      fragment`(s.global = 1
        or s.id in (select variable_set_id from variable_set_workspace where workspace_id = ${id})
        or s.id in (select variable_set_id from variable_set_project where project_id = ${projectId}))`,
    ];
    const { items, total } = await store.listVariableSets(this.#database, where, query, page);
    return { items: await this.#sets.viewsFor(actor, items), total };
  }

  /** Returns the variables of a run of the workspace: its own and those of sets, one for each name. */
  async effective(actor: Actor, workspaceId: string): Promise<{ workspace: WorkspaceView; variables: Variable[] }> {
    const workspace = await this.#workspaces.find(actor, { id: workspaceId }, 'can-read-variable');
    const sets = await store.appliedSets(this.#database, workspaceId);
    const own = await this.#keeper.all({ type: 'workspaces', id: workspaceId });
    const ofSets = await this.#keeper.ofEach(
      'varsets',
      sets.map(({ id }) => id),
    );
    return { workspace, variables: effectiveVariables(own, sets, ofSets) };
  }

  /**
   * Returns the category and key of each variable that a run of the workspace gets from it or its sets:
   * `terraform/region`.
   */
  async names(db: Queries, workspaceId: string): Promise<string[]> {
    const sets = await store.appliedSets(db, workspaceId);
    return this.#keeper.names(
      db,
      workspaceId,
      sets.map(({ id }) => id),
    );
  }

  /**
   * Returns the variables of a run with their values, secrets included. Does not check permissions: the caller has.
   * @param given variables of the run itself
   * @returns null if they exceed `MAX_BYTES`: the number of sets is not limited
   */
  async open(workspaceId: string, given: readonly OpenVariable[]): Promise<OpenVariable[] | null> {
    const sets = await store.appliedSets(this.#database, workspaceId);
    const bytes = await Promise.all([
      this.#keeper.bytesOfEach('workspaces', [workspaceId]),
      this.#keeper.bytesOfEach(
        'varsets',
        sets.map(({ id }) => id),
      ),
    ]);
    if (bytes[0] + bytes[1] > MAX_BYTES) return null;
    const own = await this.#keeper.open('workspaces', [workspaceId]);
    const ofSets = await this.#keeper.open(
      'varsets',
      sets.map(({ id }) => id),
    );
    return effectiveVariables<OpenVariable>(own, sets, ofSets, given);
  }
}
