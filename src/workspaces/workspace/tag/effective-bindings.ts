import type { Database } from '../../../storage/index.ts';
import type { ProjectBindings } from '../../tenancy/index.ts';
import type { Workspace } from '../model/workspace.ts';
import * as bindingStore from './binding-store.ts';
import type { ReservedTagKeys } from './reserved-keys.ts';

/** A key-value tag that is effective on a workspace. */
export interface EffectiveBinding {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  /** The project that it is inherited from; null for the workspace's own. */
  readonly projectId: string | null;
}

interface Own {
  readonly id: string;
  readonly key: string;
  readonly value: string;
}

/**
 * Merges the bindings of a workspace and of its project by key. The workspace's value overrides the project's, unless
 * the organization has disabled overrides of the key.
 */
export function effectiveBindings(
  own: readonly Own[],
  inherited: readonly (Own & { readonly projectId: string })[],
  locked: ReadonlySet<string>,
): EffectiveBinding[] {
  const mine = own.map(({ id, key, value }) => ({ id, key, value, projectId: null }));
  const theirs = inherited.map(({ id, key, value, projectId }) => ({ id, key, value, projectId }));
  // Later entries override earlier ones.
  const unlocked = theirs.filter(({ key }) => !locked.has(key));
  const enforced = theirs.filter(({ key }) => locked.has(key));
  const byKey = new Map([...unlocked, ...mine, ...enforced].map((binding) => [binding.key, binding]));
  return [...byKey.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

/** Finds the effective bindings. Everyone who sees a workspace sees them. */
export class EffectiveBindings {
  readonly #database: Database;
  readonly #projects: ProjectBindings;
  readonly #reserved: ReservedTagKeys;

  constructor(database: Database, projects: ProjectBindings, reserved: ReservedTagKeys) {
    this.#database = database;
    this.#projects = projects;
    this.#reserved = reserved;
  }

  /**
   * Returns the bindings of workspaces of one organization by workspace id, with three queries for any number of
   * workspaces.
   */
  async bindingsOf(workspaces: readonly Workspace[]): Promise<ReadonlyMap<string, readonly EffectiveBinding[]>> {
    const [first] = workspaces;
    if (first === undefined) return new Map();
    const ids = workspaces.map(({ id }) => id);
    const projectIds = [...new Set(workspaces.map(({ projectId }) => projectId))];
    const own = Map.groupBy(
      await bindingStore.bindingsOfWorkspaces(this.#database, ids),
      ({ workspaceId }) => workspaceId,
    );
    const inherited = Map.groupBy(await this.#projects.inherited(projectIds), ({ projectId }) => projectId);
    const locked = inherited.size === 0 ? new Set<string>() : await this.#reserved.locked(first.organizationId);
    return new Map(
      workspaces.map(({ id, projectId }) => [
        id,
        effectiveBindings(own.get(id) ?? [], inherited.get(projectId) ?? [], locked),
      ]),
    );
  }
}
