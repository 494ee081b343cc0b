import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import { notFound, unprocessable } from '../../jsonapi/errors.ts';
import { type Actor, type Projects, principalIn } from '../../tenancy/index.ts';
import type { WorkspaceHooks } from '../hooks/hooks.ts';
import type { WorkspaceFinder } from '../model/finder.ts';
import type { WorkspacePlacement } from '../model/placement.ts';
import * as store from '../model/store.ts';
import { updateCopies } from './copied-fields.ts';

/** Moves many workspaces to one project. */
export class WorkspaceMoves {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #finder: WorkspaceFinder;
  readonly #projects: Projects;
  readonly #placement: WorkspacePlacement;
  readonly #hooks: Pick<WorkspaceHooks, 'settingsChanged'>;

  constructor(
    database: Database,
    clock: Clock,
    finder: WorkspaceFinder,
    parts: {
      readonly projects: Projects;
      readonly placement: WorkspacePlacement;
      readonly hooks: Pick<WorkspaceHooks, 'settingsChanged'>;
    },
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#finder = finder;
    this.#projects = parts.projects;
    this.#placement = parts.placement;
    this.#hooks = parts.hooks;
  }

  /**
   * Moves all of the workspaces or none. Requires the right in both projects (spec §5).
   * @throws 404 without permission, 422 for a workspace of another organization
   */
  async moveTo(actor: Actor, projectId: string, ids: readonly string[]): Promise<void> {
    const destination = await this.#projects.find(actor, projectId, 'can-move-workspace');
    const from = new Set<string>();
    for (const [index, id] of ids.entries()) {
      const workspace = await this.#finder.find(actor, { id }, 'can-read-settings');
      if (workspace.organizationId !== destination.organizationId) {
        throw unprocessable([{ detail: 'The workspace belongs to another organization', pointer: `/data/${index}` }]);
      }
      from.add(workspace.projectId);
    }
    from.delete(projectId);
    for (const source of from) {
      await this.#placement.requireMove(actor, destination.organizationId, source, projectId);
    }
    // A fixed order prevents deadlocks between transactions.
    await this.#database.transaction(async (tx) => {
      for (const id of [...new Set(ids)].sort()) {
        const current = await store.claimWorkspace(tx, id);
        if (current?.projectId === projectId) continue;
        if (current === undefined || !from.has(current.projectId)) throw notFound();
        const { name, settings } = current;
        const now = this.#clock();
        await store.updateWorkspace(tx, { id, projectId, name, settings }, now);
        await updateCopies(tx, id, current, { name, projectId });
        await this.#placement.moved(tx, current.projectId, projectId);
        const { organizationId } = destination;
        const change = {
          workspaceId: id,
          organizationId,
          before: settings,
          after: settings,
          isNewInProject: true,
          by: principalIn(actor, organizationId),
          now,
        };
        for (const listener of this.#hooks.settingsChanged) await listener(tx, change);
      }
    });
  }
}
