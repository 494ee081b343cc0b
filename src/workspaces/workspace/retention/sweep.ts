import { PeriodicTask } from '../../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../../lib/background/task-definition.ts';
import type { Clock } from '../../../lib/clock.ts';
import { randomText } from '../../../lib/ids.ts';
import type { Database } from '../../../storage/index.ts';
import type { WorkspaceHooks } from '../hooks/hooks.ts';
import type { RetainedStore } from '../hooks/retained.ts';
import { type RetentionPolicy, retentionOf } from './policy.ts';
import * as store from './store.ts';
import * as sweepStore from './sweep-store.ts';

/** Dependencies of the sweep. */
export interface RetentionSweepOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly hooks: Pick<WorkspaceHooks, 'retained'>;
  /** Reports errors. The sweep continues with the next workspace. */
  readonly report: (error: unknown) => void;
}

const DAY = 86_400_000;
const MINUTE = 60_000;
/** Time between the end of a pass and the start of the next. */
const INTERVAL = 60 * MINUTE;
/** Longer than any step. If a node dies, another one continues after the lease. */
const LEASE = 10 * MINUTE;
/** Limits of one step. */
const WORKSPACES = 20;
const BATCH = 100;
const BATCHES = 5;
/** Milliseconds between two steps, so that requests get their turn; REST applies if there is no work. */
const PAUSE = 20;
const REST = MINUTE;

const SWEEP: TaskDefinition = {
  name: 'retention',
  description: 'Deletes data according to the retention policies of organizations and workspaces.',
  runsOn: 'leader',
  period: REST,
};

/**
 * Deletes data according to the retention policies in the background, in small steps, on one node at a time (lease).
 * The position is stored, so a restart continues there.
 */
export class RetentionSweep {
  readonly #options: RetentionSweepOptions;
  readonly #holder = randomText(16);
  readonly background: PeriodicTask;

  constructor(options: RetentionSweepOptions) {
    this.#options = options;
    const step = async () => ((await this.step()) ? PAUSE : REST);
    this.background = new PeriodicTask({ task: SWEEP, step, first: PAUSE, afterFailure: REST, report: options.report });
  }

  /** Runs one bounded step. Returns whether there is more to do. */
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

  /** Sweeps some of the workspaces of the policy. Returns the new position. */
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

  /** Returns whether nothing is left to delete in the workspace. */
  async #sweep(policy: RetentionPolicy, workspaceId: string): Promise<boolean> {
    let complete = true;
    for (const retained of this.#options.hooks.retained) {
      const freed = this.#free(retained, policy, workspaceId).catch((error: unknown) => {
        this.background.report(error);
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
