import type { Clock } from '../../../lib/clock.ts';
import { randomText } from '../../../lib/ids.ts';
import { PeriodicTask } from '../../../lib/periodic-task.ts';
import type { Database } from '../../../storage/index.ts';
import type { WorkspaceHooks } from '../hooks/hooks.ts';
import type { RetainedStore } from '../hooks/retained.ts';
import { type RetentionPolicy, retentionOf } from './policy.ts';
import * as store from './store.ts';
import * as sweepStore from './sweep-store.ts';

/** What the sweep works with. */
export interface RetentionSweepOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly hooks: Pick<WorkspaceHooks, 'retained'>;
  /** Told of what fails; the sweep goes on with the next workspace. */
  readonly report: (error: unknown) => void;
}

const DAY = 86_400_000;
const MINUTE = 60_000;
/** From the end of one pass to the next. */
const INTERVAL = 60 * MINUTE;
/** Longer than any step; when a node dies, another goes on after it. */
const LEASE = 10 * MINUTE;
/** Of one step. */
const WORKSPACES = 20;
const BATCH = 100;
const BATCHES = 5;
/** Milliseconds: between two steps others have their turn; without work, this is how often one looks for some. */
const PAUSE = 20;
const REST = MINUTE;

/**
 * Frees what policies let go: from workspace to workspace in small steps, by one node at a time, beside the requests.
 * Where it stopped is stored, so that a restart goes on from there.
 */
export class RetentionSweep {
  readonly #options: RetentionSweepOptions;
  readonly #holder = randomText(16);
  readonly background: PeriodicTask;

  constructor(options: RetentionSweepOptions) {
    this.#options = options;
    const step = async () => ((await this.step()) ? PAUSE : REST);
    this.background = new PeriodicTask({ step, first: PAUSE, afterFailure: REST, report: options.report });
  }

  /** One bounded part of the work. True when there is more to do at once. */
  async step(): Promise<boolean> {
    const { clock, database } = this.#options;
    const now = clock();
    const cursor = await sweepStore.holdSweep(database, this.#holder, now, now + LEASE);
    if (cursor === undefined) return false;
    const policy = await store.nextPolicy(database, cursor.policyId);
    if (policy === undefined) {
      await sweepStore.endSweep(database, this.#holder, now + INTERVAL);
      return false;
    }
    await sweepStore.advanceSweep(database, this.#holder, await this.#underPolicy(policy, cursor));
    return true;
  }

  /** Sweeps some of the workspaces that the policy is for. Returns how far that is. */
  async #underPolicy(policy: RetentionPolicy, cursor: sweepStore.SweepCursor): Promise<sweepStore.SweepCursor> {
    const done = { policyId: policy.id, workspaceName: '' };
    if (policy.workspaceId !== null) return (await this.#sweep(policy, policy.workspaceId)) ? done : cursor;
    const { organizationId } = policy;
    const after = cursor.workspaceName;
    const workspaces = await sweepStore.workspacesAfter(this.#options.database, organizationId, after, WORKSPACES);
    let reached = cursor;
    for (const { id, name, own } of workspaces) {
      if (own === 0 && !(await this.#sweep(policy, id))) return reached;
      reached = { ...cursor, workspaceName: name };
    }
    return workspaces.length < WORKSPACES ? done : reached;
  }

  /** True when nothing that may go is left in the workspace. */
  async #sweep(policy: RetentionPolicy, workspaceId: string): Promise<boolean> {
    let complete = true;
    for (const retained of this.#options.hooks.retained) {
      const freed = this.#free(retained, policy, workspaceId).catch((error: unknown) => {
        this.#options.report(error);
        return true;
      });
      complete = (await freed) && complete;
    }
    return complete;
  }

  async #free(retained: RetainedStore, policy: RetentionPolicy, workspaceId: string): Promise<boolean> {
    const retention = retentionOf(policy, retained.kind);
    if (retention === undefined) return true;
    const before = this.#options.clock() - retention.days * DAY;
    for (let batch = 0; batch < BATCHES; batch++) {
      const older = { before, keepLatest: retention.keepLatest, limit: BATCH };
      if ((await retained.deleteOlder(workspaceId, older)) < BATCH) return true;
    }
    return false;
  }
}
