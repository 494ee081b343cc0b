import type { Clock } from '../../../lib/clock.ts';
import { type Blobs, type BlobWriter, type Database, findBlob, type Transaction } from '../../../storage/index.ts';
import { bodyOf } from '../../http/request-body.ts';
import { conflict, notFound } from '../../jsonapi/errors.ts';
import { type Actor, principalIn } from '../../tenancy/index.ts';
import { storeReporter } from '../approval/requesters.ts';
import { isPhaseOver, type Phase } from '../lifecycle/phase.ts';
import { isAnotherJob, isAssignedAgent, type RunFinder, refusalOf } from '../run/finder.ts';
import type { RunPhases } from '../run/phases.ts';
import type { RunStateMachine } from '../run/run-state-machine.ts';
import { OUTPUTS, type OutputKind } from './run-output.ts';
import * as store from './store.ts';

/** Dependencies of `RunOutputs`. */
export interface RunOutputsOptions {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly blobWriter: BlobWriter;
  readonly clock: Clock;
  readonly finder: RunFinder;
  readonly phases: RunPhases;
  readonly stateMachine: RunStateMachine;
}

/** A stored output that is read. */
export interface ReadOutput {
  /** Size in bytes. */
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Outputs of plans and applies besides their logs. They are encrypted, and deleted with the run. */
export class RunOutputs {
  readonly #options: RunOutputsOptions;

  constructor(options: RunOutputsOptions) {
    this.#options = options;
  }

  /**
   * Stores an output from the executing program, and replaces an earlier one. Uses constant memory, and is durable
   * when it resolves.
   * @throws 404 without permission, 409 when the phase is over or an agent other than the actor executes the run, 413 when the
   * output is too large
   */
  async put(actor: Actor, kind: OutputKind, phaseId: string, body: AsyncIterable<Uint8Array>): Promise<void> {
    const { blobWriter, clock, database, finder, phases } = this.#options;
    const phase = await phases.find(actor, OUTPUTS[kind].of, phaseId);
    const run = await finder.find(actor, phase.runId);
    const isLate = isHandedInLate(actor, kind, phase);
    if ((!run.permissions.executeTrial && !isLate) || isAnotherJob(actor, phaseId)) throw refusalOf(actor);
    finder.requireExecutor(actor, run);
    if (isPhaseOver(phase.status) && !isLate) throw tooLate(phase);
    const { workspaceId } = run;
    const { maxBytes, of } = OUTPUTS[kind];
    await blobWriter.write(bodyOf(body), { owner: { workspaceId }, kind: 'run-output', maxBytes }, (draft) =>
      database.transaction(async (tx) => {
        if (!isLate) await this.#stillCarried(tx, actor, phase);
        if (of === 'plan') await storeReporter(tx, run, principalIn(actor, run.organizationId));
        const blobName = await blobWriter.keep(tx, draft);
        await store.putOutput(tx, { phaseId, kind, blobName, size: draft.size, createdAt: clock() });
      }),
    );
  }

  /**
   * Returns a stored output; undefined if nothing was uploaded.
   * @throws 404 without permission
   */
  async read(actor: Actor, kind: OutputKind, phaseId: string): Promise<ReadOutput | undefined> {
    const { finder, phases } = this.#options;
    const { of, readBy } = OUTPUTS[kind];
    const phase = await phases.find(actor, of, phaseId);
    // A run task service must read the plan that it evaluates.
    const permission = actor.kind === 'task' && kind === 'json-output' ? null : readBy;
    const run = await finder.find(actor, phase.runId, permission ?? 'can-read-run');
    if (readBy === null && !isAssignedAgent(actor, run)) throw notFound();
    return this.open(kind, phaseId);
  }

  /** Like `read`. The caller has checked the permission. */
  async open(kind: OutputKind, phaseId: string): Promise<ReadOutput | undefined> {
    const { blobs, database } = this.#options;
    const row = await store.findOutput(database, phaseId, kind);
    const blob = row && (await findBlob(database, row.blobName));
    return row && blob && { size: row.size, content: blobs.read(blob) };
  }

  /** Returns whether the output was uploaded. */
  async has(kind: OutputKind, phaseId: string): Promise<boolean> {
    return (await store.findOutput(this.#options.database, phaseId, kind)) !== undefined;
  }

  /** Deletes the plan artifact of a run that is over, because nothing applies it any more. */
  removePlan(tx: Transaction, runId: string): Promise<unknown> {
    return store.removeOutputs(tx, runId, 'folder');
  }

  /** The run may have changed during the upload. */
  async #stillCarried(tx: Transaction, actor: Actor, phase: Phase): Promise<void> {
    const { phases, stateMachine } = this.#options;
    const run = await stateMachine.claim(tx, phase.runId);
    if (run === undefined) throw notFound();
    if (actor.kind === 'agent' && !isAssignedAgent(actor, run)) throw refusalOf(actor);
    if (!(await phases.goesOn(tx, phase.id))) throw tooLate(phase);
  }
}

/** Returns whether the agent of an apply that the server ended may still upload its last output. */
function isHandedInLate(actor: Actor, kind: OutputKind, { id }: Phase): boolean {
  if (kind !== 'errored-state' || actor.kind !== 'agent' || actor.job === undefined) return false;
  return actor.job.stage === 'over' && !actor.job.isReader && actor.job.phaseId === id;
}

const tooLate = ({ kind }: Phase) => conflict(`The ${kind} is over. The server accepts no more output of it`);
