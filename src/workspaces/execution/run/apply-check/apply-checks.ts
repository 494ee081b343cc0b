import type { Clock } from '../../../../lib/clock.ts';
import { prefixedId } from '../../../../lib/ids.ts';
import type { Queries, Transaction } from '../../../../storage/index.ts';
import { conflict } from '../../../jsonapi/errors.ts';
import { principalAccess, RUNS, reaches } from '../../../tenancy/index.ts';
import type { AppliedVariables } from '../../../variables/index.ts';
import { engineOf } from '../../lifecycle/engine.ts';
import { addEvent } from '../history/event-store.ts';
import type { RunLocks } from '../progress.ts';
import type { Run } from '../run.ts';
import type { RunStart } from '../start.ts';
import { type ApplyFacts, refusalBefore } from './checks.ts';
import { type Place, placeOf } from './place-store.ts';
import { notePlanned, type Planned, plannedOf } from './planned-store.ts';

/** What the checks are made with. */
export interface ApplyChecksOptions {
  readonly clock: Clock;
  readonly locks: RunLocks;
  readonly variables: Pick<AppliedVariables, 'names'>;
  readonly start: Pick<RunStart, 'variables'>;
}

const GONE = 'The workspace is gone';

/**
 * Holds a run against what was true when it was planned (checks.ts). Everything is read in the unit of work that goes on with the run,
 * after `RunProgress.claim`. What cannot be read fails the unit of work, so that nothing is applied unchecked.
 */
export class ApplyChecks {
  readonly #options: ApplyChecksOptions;

  constructor(options: ApplyChecksOptions) {
    this.#options = options;
  }

  /** Stores what a plan that begins now is made of. */
  async notePlan(tx: Transaction, run: Run): Promise<void> {
    const place = await placeOf(tx, run.workspaceId);
    if (place === undefined) return;
    await notePlanned(tx, run.id, {
      variables: await this.#variables(tx, run),
      stateVersionId: place.stateVersionId,
      workspaceName: place.name,
      workingDirectory: place.workingDirectory,
    });
  }

  /** Returns what the plan of the run was made of; undefined where nobody noted it. */
  planned(db: Queries, runId: string): Promise<Planned | undefined> {
    return plannedOf(db, runId);
  }

  /**
   * Checks a run whose plan is to be applied, and takes the lock of its workspace again where that is free.
   * @returns why the run is not to be applied, in words without the last full stop; undefined where nothing is in the way
   */
  async refusal(tx: Transaction, run: Run): Promise<string | undefined> {
    const place = await placeOf(tx, run.workspaceId);
    if (place === undefined) return GONE;
    const refusal = refusalBefore('apply', await this.#facts(tx, run, place));
    if (refusal !== undefined || !run.active || place.holder !== null) return refusal;
    const locked = await this.#options.locks.lockForRun(tx, run.workspaceId, run.id);
    return locked ? undefined : 'The run has lost the lock of its workspace';
  }

  /** The same for somebody who waits for the answer. @throws 409 with what is in the way */
  async require(tx: Transaction, run: Run): Promise<void> {
    const refusal = await this.refusal(tx, run);
    if (refusal === undefined) return;
    throw conflict(`${refusal}. Nothing is applied: correct this and confirm again, or discard the run`);
  }

  /** Returns why a run that waits for an agent waits in vain; undefined where it does not. */
  async refusalToWait(tx: Transaction, run: Run): Promise<string | undefined> {
    const place = await placeOf(tx, run.workspaceId);
    return place === undefined ? GONE : refusalBefore('plan', await this.#facts(tx, run, place));
  }

  /** Says in the events of the run why it waits for somebody who confirms it, though it was to be applied by itself. */
  async tell(tx: Transaction, { id: runId }: Run, refusal: string): Promise<void> {
    const now = this.#options.clock();
    const description = `The run is not applied by itself: ${refusal}`;
    const event = { runId, action: 'auto_apply_refused', actor: null, commentId: null, description, createdAt: now };
    await addEvent(tx, { id: prefixedId('re', now), ...event });
  }

  async #facts(tx: Transaction, run: Run, place: Place): Promise<ApplyFacts> {
    return {
      ...{ runId: run.id, active: run.active, place },
      planned: await plannedOf(tx, run.id),
      variables: await this.#variables(tx, run),
      engine: engineOf(run),
      author: await this.#author(tx, run, place),
    };
  }

  async #variables(tx: Transaction, run: Run): Promise<string[]> {
    const given = (this.#options.start.variables(run) ?? []).map(({ key }) => `terraform/${key}`);
    const stored = await this.#options.variables.names(tx, run.workspaceId);
    return [...new Set([...stored, ...given])].toSorted();
  }

  /** A trigger starts runs in the name of somebody who need not know the workspace: its own settings let them apply. */
  async #author(tx: Transaction, run: Run, place: Place): Promise<ApplyFacts['author']> {
    if (run.confirmedBy === null && run.triggerReason === 'triggered') return null;
    const { name, access } = await principalAccess(tx, run.confirmedBy ?? run.createdBy, place.organizationId, place);
    return { name, mayApply: reaches(RUNS, access.runs, 'apply') };
  }
}
