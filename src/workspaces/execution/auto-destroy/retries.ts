import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import { conflict, notFound } from '../../jsonapi/errors.ts';
import { type Actor, principalIn } from '../../tenancy/index.ts';
import { holdWorkspace, setAutoDestroy, type WorkspaceFinder, type WorkspaceView } from '../../workspace/index.ts';
import { setAutoDestroyRetrier } from '../approval/authors.ts';
import * as store from './store.ts';

const NOTHING_FAILED =
  'No automatic destroy run of this workspace has failed, so there is nothing to retry. The attribute auto-destroy-explanation says what the server plans';
const DUE = 'A user retries the destroy run. It starts within a minute.';

/** Retries of failed destroy runs, by users. */
export class AutoDestroyRetries {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #workspaces: WorkspaceFinder;

  constructor(database: Database, clock: Clock, workspaces: WorkspaceFinder) {
    this.#database = database;
    this.#clock = clock;
    this.#workspaces = workspaces;
  }

  /**
   * Makes the next attempt due now, and forgets the earlier ones.
   * @throws 404 without permission; 409 if no attempt has failed
   */
  async retry(actor: Actor, workspaceId: string): Promise<WorkspaceView> {
    const wanted = 'can-manage-ephemeral-workspaces';
    const { organizationId } = await this.#workspaces.find(actor, { id: workspaceId }, wanted);
    await this.#database.transaction(async (tx) => {
      const now = this.#clock();
      if ((await holdWorkspace(tx, workspaceId)) === undefined) throw notFound();
      const row = await store.findPlan(tx, workspaceId);
      const hasFailed = row?.state === 'failed' || row?.state === 'blocked' || row?.state === 'stopped';
      if (row === undefined || !hasFailed) throw conflict(NOTHING_FAILED);
      await store.putPlan(tx, { ...row, state: 'failed', nextAt: now, attempts: 0, runId: null });
      await setAutoDestroyRetrier(tx, workspaceId, principalIn(actor, organizationId));
      const outcome = { status: 'scheduled', at: row.dueAt, explanation: DUE, runId: null } as const;
      await setAutoDestroy(tx, workspaceId, { ...outcome, nextAttemptAt: now });
    });
    return this.#workspaces.find(actor, { id: workspaceId }, wanted);
  }
}
