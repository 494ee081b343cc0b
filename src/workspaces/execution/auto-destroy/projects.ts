import type { Clock } from '../../../lib/clock.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { findWorkspaces, holdWorkspace } from '../../workspace/index.ts';
import { setAutoDestroyAuthorOfProject } from '../approval/authors.ts';
import type { Reconciler } from '../job/run-reconciler.ts';
import type { AutoDestroyPlans } from './plans.ts';
import * as store from './project-store.ts';

/** @limit workspaces that get the new auto-destroy setting of their project in one transaction, workspaces -> the others follow in the next one */
const STEP = 100;
/** @limit steps in which one sweep passes new auto-destroy settings of projects to workspaces, steps -> the next sweep continues */
const STEPS = 20;
/** Time until the next try of a step that failed unexpectedly, milliseconds. */
const LATER = 600_000;

/**
 * Passes a changed setting of a project to the schedule of its workspaces, in bounded steps. Documents of workspaces
 * show the setting at once.
 */
export class AutoDestroyProjects implements Reconciler {
  readonly #clock: Clock;
  readonly #plans: AutoDestroyPlans;

  constructor(clock: Clock, plans: AutoDestroyPlans) {
    this.#clock = clock;
    this.#plans = plans;
  }

  /** Notes that the setting of a project changed, in the transaction of the change. */
  readonly changed = async (tx: Transaction, projectId: string, by: Identifier): Promise<void> => {
    await store.addProject(tx, projectId, this.#clock());
    await setAutoDestroyAuthorOfProject(tx, projectId, by);
  };

  /** Returns each changed project as often as it may take a step in this sweep. */
  async due(db: Queries): Promise<string[]> {
    const projects = await store.changedProjects(db, this.#clock(), STEPS);
    const times = projects.length === 0 ? 0 : Math.floor(STEPS / projects.length);
    return Array.from({ length: times }, () => projects).flat();
  }

  /** Takes one step. @param projectId changed project */
  async reconcile(tx: Transaction, projectId: string): Promise<void> {
    const ids = await store.nextWorkspaces(tx, projectId, STEP);
    if (ids === undefined) return;
    const now = this.#clock();
    // Locks each workspace before its row of the schedule, as changes of settings do.
    for (const id of ids) await holdWorkspace(tx, id);
    for (const workspace of await findWorkspaces(tx, ids)) {
      if (workspace.settings['inherits-project-auto-destroy']) await this.#plans.replan(tx, workspace, now);
    }
    await store.noteProgress(tx, projectId, ids.length < STEP ? undefined : ids.at(-1), now);
  }

  async postpone(tx: Transaction, projectId: string): Promise<void> {
    await store.delayProject(tx, projectId, this.#clock() + LATER);
  }
}
