import type { Clock } from '../../../../lib/clock.ts';
import { prefixedId } from '../../../../lib/ids.ts';
import type { Queries, Transaction } from '../../../../storage/index.ts';
import { conflict } from '../../../jsonapi/errors.ts';
import { principalAccess, RUNS, reaches } from '../../../tenancy/index.ts';
import type { AppliedVariables } from '../../../variables/index.ts';
import { missingApprovals } from '../../approval/approvals.ts';
import { engineOf } from '../../lifecycle/engine.ts';
import { isExecutedByAgents } from '../executable.ts';
import { addEvent } from '../history/event-store.ts';
import type { Run } from '../run.ts';
import type { RunLocks } from '../run-state-machine.ts';
import type { RunStart } from '../start.ts';
import * as store from '../store.ts';
import { type ApplyFacts, CHECKS, refusalBefore } from './checks.ts';
import { findPlace, type Place } from './place-store.ts';
import { notePlanned, type Planned, plannedOf } from './planned-store.ts';

/** Dependencies of `ApplyChecks`. */
export interface ApplyChecksOptions {
  readonly clock: Clock;
  readonly locks: RunLocks;
  readonly variables: Pick<AppliedVariables, 'names'>;
  readonly start: Pick<RunStart, 'variables'>;
  /** Returns why a run that the server started is not wanted any more; undefined if it is (auto-destroy/wanted.ts). */
  readonly whyUnwanted: (tx: Transaction, run: Run, now: number) => Promise<string | undefined>;
  /** Whether agents execute the runs of the mode `remote` (executable.ts). */
  readonly isRemoteOfAgents: boolean;
}

const GONE = 'The workspace was deleted';
const OTHER_CHECKS = CHECKS.filter(({ name }) => name !== 'approvals');

/** Result of the checks of a run. Texts have no full stop at their end. */
export interface ApplyVerdict {
  /** All reasons against the apply; undefined if it may start. */
  readonly refusal: string | undefined;
  /** Reasons besides missing approvals, which come later by themselves. */
  readonly otherRefusal: string | undefined;
  /** Why the run is not wanted any more, so that it ends and does not wait for a user; one of the reasons. */
  readonly unwanted?: string | undefined;
}

/**
 * Compares the facts that a plan relied on with the current facts (checks.ts). Reads all of them in the transaction
 * that advances the run, after `RunStateMachine.claim`. A failed read fails that transaction, so that nothing is
 * applied unchecked.
 */
export class ApplyChecks {
  readonly #options: ApplyChecksOptions;

  constructor(options: ApplyChecksOptions) {
    this.#options = options;
  }

  /**
   * Stores the inputs of a plan when its job is handed out, before the job document is read. Later changes are not in
   * the plan, although the agent may start it later. Each document that is read before the start stores its own
   * inputs.
   */
  async noteHandedOut(tx: Transaction, { id, fence }: Run): Promise<void> {
    const run = await store.claimRun(tx, id);
    if (run?.status === 'plan_queued' && run.fence === fence) await this.#note(tx, run);
  }

  /**
   * Stores the inputs of a plan that starts now without a job document: its executor is not an agent, or an earlier
   * version of the server handed it out.
   */
  async noteStarted(tx: Transaction, run: Run): Promise<void> {
    if ((await plannedOf(tx, run.id)) === undefined) await this.#note(tx, run);
  }

  async #note(tx: Transaction, run: Run): Promise<void> {
    if (run.parameters['plan-only']) return;
    const place = await findPlace(tx, run.workspaceId);
    if (place === undefined) return;
    await notePlanned(tx, run.id, {
      variables: await this.#variables(tx, run),
      stateVersionId: place.stateVersionId,
      workspaceName: place.name,
      workingDirectory: place.workingDirectory,
    });
  }

  /** Returns the inputs of the run's plan; undefined for a plan that started before they were stored. */
  planned(db: Queries, runId: string): Promise<Planned | undefined> {
    return plannedOf(db, runId);
  }

  /**
   * Checks a run whose plan is about to be applied. Takes the lock of its workspace again if that is free.
   * @returns why the run must not be applied, without the last full stop; undefined if it may be applied
   */
  async refusal(tx: Transaction, run: Run): Promise<string | undefined> {
    return (await this.verdict(tx, run)).refusal;
  }

  /** Checks a run as `refusal` does, and tells missing approvals from other reasons. */
  async verdict(tx: Transaction, run: Run): Promise<ApplyVerdict> {
    const place = await findPlace(tx, run.workspaceId);
    if (place === undefined) return { refusal: GONE, otherRefusal: GONE };
    const unwanted = await this.#options.whyUnwanted(tx, run, this.#options.clock());
    const facts = {
      ...(await this.#facts(tx, run, place)),
      ...{ missingApprovals: await missingApprovals(tx, run), unwanted },
    };
    const refusal = refusalBefore('apply', facts);
    const otherRefusal = refusalBefore('apply', facts, OTHER_CHECKS);
    if (refusal !== undefined || !run.holdsWorkspace || place.holder !== null) {
      return { refusal, otherRefusal, unwanted };
    }
    const locked = await this.#options.locks.lockForRun(tx, run.workspaceId, run.id);
    const lost = locked ? undefined : 'The run has lost the lock of its workspace';
    return { refusal: lost, otherRefusal: lost };
  }

  /** Checks a run as `refusal` does, for a request that confirms it. @throws 409 with the reason */
  async require(tx: Transaction, run: Run): Promise<void> {
    const refusal = await this.refusal(tx, run);
    if (refusal !== undefined) throw refusedConfirmation(refusal);
  }

  /** Returns why no agent will execute a run that waits for one; undefined if an agent may. */
  async refusalToWait(tx: Transaction, run: Run): Promise<string | undefined> {
    const place = await findPlace(tx, run.workspaceId);
    return place === undefined ? GONE : refusalBefore('plan', await this.#facts(tx, run, place));
  }

  /** Adds an event with the reason why a run with `auto-apply` waits for confirmation. */
  async noteRefusal(tx: Transaction, { id: runId }: Run, refusal: string): Promise<void> {
    const now = this.#options.clock();
    const description = `The run is not applied automatically: ${refusal}`;
    const event = { runId, action: 'auto_apply_refused', actor: null, commentId: null, description, createdAt: now };
    await addEvent(tx, { id: prefixedId('re', now), ...event });
  }

  async #facts(tx: Transaction, run: Run, place: Place): Promise<ApplyFacts> {
    return {
      ...{ runId: run.id, holdsWorkspace: run.holdsWorkspace, place },
      planned: await plannedOf(tx, run.id),
      variables: await this.#variables(tx, run),
      engine: engineOf(run),
      author: await this.#author(tx, run, place),
      isPlanForeign: run.fence === 0 && isExecutedByAgents(place.executionMode, this.#options.isRemoteOfAgents),
    };
  }

  async #variables(tx: Transaction, run: Run): Promise<string[]> {
    const given = (this.#options.start.variables(run) ?? []).map(({ key }) => `terraform/${key}`);
    const stored = await this.#options.variables.names(tx, run.workspaceId);
    return [...new Set([...stored, ...given])].toSorted();
  }

  async #author(tx: Transaction, run: Run, place: Place): Promise<ApplyFacts['author']> {
    if (run.confirmedBy === null && run.appliesBySettings) return null;
    const { name, access } = await principalAccess(tx, run.confirmedBy ?? run.createdBy, place.organizationId, place);
    return { name, mayApply: reaches(RUNS, access.runs, 'apply') };
  }
}

/** Error 409 for a request that confirms a run. @param refusal without the last full stop */
export function refusedConfirmation(refusal: string) {
  return conflict(`${refusal}. Nothing was applied. Correct this and confirm again, or discard the run`);
}
