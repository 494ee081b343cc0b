import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { type Keyring, type Queries, type SealedColumn, sql, type Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { type EngineKind, SERVED_FROM } from '../../tenancy/index.ts';
import { type EngineReleases, NOT_DELETED, setCurrentRun } from '../../workspace/index.ts';
import { withEngine } from '../lifecycle/engine.ts';
import { isQueued } from '../lifecycle/queue.ts';
import * as eventStore from './history/event-store.ts';
import * as phaseStore from './phase-store.ts';
import * as queueStore from './queue-store.ts';
import { isAssessment, type Operation, operationOf, type Run, type RunParameters, type RunVariable } from './run.ts';
import type { RunStateMachine } from './run-state-machine.ts';
import * as store from './store.ts';

/**
 * Runs of one workspace that wait for it.
 * @limit runs of a workspace that wait, runs -> 409
 */
const MAX_WAITING = 500;

/** Properties of a new run. */
export interface NewRun {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly configurationVersionId: string;
  readonly source: string;
  readonly triggerReason: string;
  readonly message: string;
  readonly parameters: RunParameters;
  readonly variables: readonly RunVariable[];
  readonly createdBy: Identifier;
  readonly createdByName: string;
  /** Kind of the run. Default: derived from the options. */
  readonly operation?: Operation;
  /** Whether the client prints the log unchanged. Default: false. */
  readonly plainLog?: boolean;
}

/** Workspace settings that the server needs to start a run by itself. */
export interface WorkspaceFacts {
  readonly organizationId: string;
  readonly name: string;
  readonly currentRunId: string | null;
  /** Default engine of the organization, for a workspace that names no engine. */
  readonly defaultEngine: EngineKind;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Execution mode of the workspace: its own, or the inherited one. */
  readonly executionMode: string;
}

interface FactsRow extends Omit<WorkspaceFacts, 'settings' | 'executionMode'> {
  readonly settings: string;
  readonly inheritedMode: string;
}

const selectFacts = sql<{ id: string }, FactsRow>(
  `SELECT w.organization_id AS "organizationId", w.name, w.current_run_id AS "currentRunId", w.settings,
     o.default_engine AS "defaultEngine", COALESCE(j.default_execution_mode, o.default_execution_mode) AS "inheritedMode"
   FROM ${SERVED_FROM} WHERE w.id = :id AND ${NOT_DELETED}`,
);

/** Returns the settings of a workspace; undefined if it was deleted. */
export async function readWorkspaceFacts(db: Queries, id: string): Promise<WorkspaceFacts | undefined> {
  const row = await db.one(selectFacts, { id });
  if (row === undefined) return undefined;
  const { settings: text, inheritedMode, ...rest } = row;
  const settings = JSON.parse(text) as WorkspaceFacts['settings'];
  return { ...rest, settings, executionMode: String(settings['execution-mode'] ?? inheritedMode) };
}

/** Creates runs with their phases and first event, and starts them if the workspace is free. */
export class RunStart {
  readonly #keyring: Keyring;
  readonly #stateMachine: RunStateMachine;
  readonly #releases: EngineReleases;

  constructor(keyring: Keyring, stateMachine: RunStateMachine, releases: EngineReleases) {
    this.#keyring = keyring;
    this.#stateMachine = stateMachine;
    this.#releases = releases;
  }

  /**
   * Creates a run and returns its id.
   * @param check may throw to refuse the run
   * @throws 409 when too many runs wait
   */
  async start(tx: Transaction, input: NewRun, now: number, check: (run: Run) => void = () => {}): Promise<string> {
    const facts = await readWorkspaceFacts(tx, input.workspaceId);
    const run = this.#newRun(input, facts, now);
    check(run);
    if (run.awaitsWorkspace && (await queueStore.countWaitingRuns(tx, run.workspaceId)) >= MAX_WAITING) {
      throw new AppError(
        'conflict',
        `The workspace already has ${MAX_WAITING} waiting runs. Wait until some have finished, or discard them`,
      );
    }
    await store.insertRun(tx, run, isQueued(run.status));
    // An assessment has no apply.
    const kinds = isAssessment(run) ? (['plan'] as const) : (['plan', 'apply'] as const);
    for (const kind of kinds) {
      await phaseStore.insertPhase(tx, { id: prefixedId(kind, now), runId: run.id, kind });
    }
    await eventStore.addEvent(tx, {
      id: prefixedId('re', now),
      runId: run.id,
      action: 'created',
      actor: run.createdBy,
      commentId: null,
      description: null,
      createdAt: now,
    });
    await this.#stateMachine.emit(tx, run, { now, actor: run.createdBy });
    if (!run.awaitsWorkspace) {
      await this.#stateMachine.transition(tx, run, 'plan_queued', { now, actor: null });
      return run.id;
    }
    if (facts?.currentRunId === null) await setCurrentRun(tx, run.workspaceId, run);
    await this.#stateMachine.promote(tx, run.workspaceId, now);
    await this.#stateMachine.noteWait(tx, run.id, now);
    return run.id;
  }

  /** Decrypts the variables of a run. */
  variables({ id, variables }: Pick<Run, 'id' | 'variables'>): RunVariable[] | null {
    if (variables === null) return null;
    return JSON.parse(Buffer.from(this.#keyring.decrypt(variables, contextOf(id))).toString()) as RunVariable[];
  }

  #newRun({ variables, parameters, ...input }: NewRun, facts: WorkspaceFacts | undefined, now: number): Run {
    const id = prefixedId('run', now);
    const sealed = () => this.#keyring.encrypt(Buffer.from(JSON.stringify(variables)), contextOf(id));
    return {
      plainLog: false,
      operation: operationOf(parameters),
      ...input,
      id,
      status: 'pending',
      parameters: facts === undefined ? parameters : withEngine(parameters, facts, this.#releases),
      variables: variables.length === 0 ? null : sealed(),
      timestamps: { 'plan-queueable': now },
      hasChanges: false,
      // A plan-only or saved plan changes nothing, so it does not wait for the workspace.
      awaitsWorkspace: !parameters['plan-only'] && !parameters['save-plan'],
      holdsWorkspace: false,
      queueOrder: now,
      stale: false,
      waitingFor: null,
      cancelReason: null,
      agentId: null,
      fence: 0,
      confirmedBy: null,
      canceledAt: null,
      finishedAt: null,
      createdAt: now,
    };
  }
}

const contextOf = (runId: string) => `run-variables/${runId}`;

export const sealedRunVariables: SealedColumn = {
  table: 'run',
  key: ['id'],
  column: 'variables',
  boundTo: [],
  contextOf: contextOf,
};
