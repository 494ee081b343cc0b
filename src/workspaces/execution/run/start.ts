import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Keyring, Queries, SealedColumn, Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import { type EngineReleases, setCurrentRun } from '../../workspace/index.ts';
import type { Requester } from '../approval/requester.ts';
import { type Asker, storeRequesters } from '../approval/requesters.ts';
import { senderOf } from '../configuration-version/ingress.ts';
import { type Origin, originOf } from '../configuration-version/trust.ts';
import { withEngine } from '../lifecycle/engine.ts';
import { isQueued } from '../lifecycle/queue.ts';
import { findPlace, type Place } from './apply-check/place-store.ts';
import { refusalOf } from './executable.ts';
import * as eventStore from './history/event-store.ts';
import * as phaseStore from './phase-store.ts';
import * as queueStore from './queue-store.ts';
import { defaultParameters, type RunDefaults } from './rules.ts';
import { isAssessment, type Operation, operationOf, type Run, type RunParameters, type RunVariable } from './run.ts';
import type { RunStateMachine } from './run-state-machine.ts';
import * as store from './store.ts';

/**
 * Runs of one workspace that wait for it.
 * @limit runs of a workspace that wait, runs -> 409
 */
const MAX_WAITING = 500;

/** A run to start, by a user or by the server itself. */
export interface RunRequest {
  /** An uploaded configuration version of the workspace. Callers check that. */
  readonly configurationVersionId: string;
  /** Origin of the run as clients know it, such as `tfe-api`. */
  readonly source: string;
  /** Name and version of the program that requested it. Default: not known. */
  readonly client?: string | null;
  /** Reason as clients know it, such as `manual`. */
  readonly triggerReason: string;
  readonly message: string;
  /**
   * Actor of the start. A run that confirms itself is applied only if this actor may apply runs of the workspace, or
   * with `appliesBySettings`.
   */
  readonly createdBy: Identifier;
  /** Name of the creator, by which searches find the run. Default: none. */
  readonly createdByName?: string;
  /** Whether the configuration version allows only plans. Default: false. */
  readonly speculative?: boolean;
  /** Options that differ from the defaults of the workspace. */
  readonly parameters?: Partial<RunParameters>;
  readonly variables?: readonly RunVariable[];
  /** Kind of the run. Default: derived from the options. */
  readonly operation?: Operation;
  /** Whether the client prints the log unchanged. Default: false. */
  readonly plainLog?: boolean;
  /** Whether the settings of the workspace allow the automatic apply, whatever the creator may do. Default: false. */
  readonly appliesBySettings?: boolean;
  /** Users and teams who request the run besides its creator: their approval does not count. */
  readonly askers?: readonly Asker[];
  /** Requesters of the run that triggers this one. */
  readonly inherited?: readonly Requester[];
}

/** A workspace in which runs may start. `RunStart.workspace` returns it. */
export interface StartableWorkspace extends Place {
  /** Reason why no agent would ever execute a run; undefined if one may. */
  readonly refusal: string | undefined;
}

/** Dependencies of `RunStart`. */
export interface RunStartOptions {
  readonly keyring: Keyring;
  readonly stateMachine: RunStateMachine;
  readonly releases: EngineReleases;
  /** Whether the server has agents for workspaces in `remote` mode. */
  readonly isRemoteServed: boolean;
}

/**
 * Starts runs: the only way in which a run begins. Creates it with its phases and first event, and gives it the
 * workspace if that is free.
 */
export class RunStart {
  readonly #options: RunStartOptions;

  constructor(options: RunStartOptions) {
    this.#options = options;
  }

  /** Returns a workspace for `startFor`; undefined if it was deleted. */
  async workspace(db: Queries, id: string): Promise<StartableWorkspace | undefined> {
    const place = await findPlace(db, id);
    return place && { ...place, refusal: refusalOf(place, this.#options.isRemoteServed) };
  }

  /**
   * Starts a run and returns its id.
   * @param workspace result of `workspace` in the same transaction
   * @param check may throw to refuse the run
   * @throws 422 if no agent would ever execute the run, 409 when too many runs wait
   */
  async startFor(
    tx: Transaction,
    workspace: StartableWorkspace,
    request: RunRequest,
    now: number,
    check: (run: Run) => void = () => {},
  ): Promise<string> {
    const origin = await originOf(tx, request.configurationVersionId);
    const run = this.#newRun(workspace, request, origin?.untrusted === true, now);
    // An assessment that no agent takes ends after some hours with a result that says so.
    if (!isAssessment(run)) requireExecutable(workspace);
    check(run);
    const fullness = run.awaitsWorkspace ? await this.fullness(tx, run.workspaceId) : undefined;
    if (fullness !== undefined) throw new AppError('conflict', fullness);
    await this.#insert(tx, run, now);
    if (!run.parameters['plan-only'] && !isAssessment(run)) await this.#noteRequesters(tx, run, request, origin);
    await this.#begin(tx, workspace, run, now);
    return run.id;
  }

  /** Returns why one more run must not wait for the workspace; undefined if it may. */
  async fullness(db: Queries, workspaceId: string): Promise<string | undefined> {
    if ((await queueStore.countWaitingRuns(db, workspaceId)) < MAX_WAITING) return undefined;
    return `The workspace already has ${MAX_WAITING} waiting runs. Wait until some have finished, or discard them`;
  }

  async #insert(tx: Transaction, run: Run, now: number): Promise<void> {
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
  }

  async #noteRequesters(tx: Transaction, run: Run, request: RunRequest, origin: Origin | undefined): Promise<void> {
    const { askers = [], inherited } = request;
    const author = origin === undefined ? [] : [{ part: 'configuration', by: origin.createdBy } as const];
    const pusher = origin?.ingressId ? await senderOf(tx, run.configurationVersionId) : null;
    await storeRequesters(tx, run, [...author, ...askers], inherited, pusher);
  }

  async #begin(tx: Transaction, { currentRunId }: StartableWorkspace, run: Run, now: number): Promise<void> {
    const { stateMachine } = this.#options;
    await stateMachine.announce(tx, run, { now, actor: run.createdBy });
    if (!run.awaitsWorkspace) {
      await stateMachine.transition(tx, run, 'plan_queued', { now, actor: null });
      return;
    }
    if (currentRunId === null) await setCurrentRun(tx, run.workspaceId, run);
    await stateMachine.promote(tx, run.workspaceId, now);
    await stateMachine.noteWait(tx, run.id, now);
  }

  /** Decrypts the variables of a run. */
  variables({ id, variables }: Pick<Run, 'id' | 'variables'>): RunVariable[] | null {
    if (variables === null) return null;
    return JSON.parse(Buffer.from(this.#options.keyring.decrypt(variables, contextOf(id))).toString()) as RunVariable[];
  }

  #newRun(workspace: StartableWorkspace, request: RunRequest, untrusted: boolean, now: number): Run {
    const { variables = [], speculative = false, parameters: asked, client = null, ...given } = request;
    const { askers: _, inherited: __, ...input } = given;
    const { keyring, releases } = this.#options;
    const { id: workspaceId, organizationId } = workspace;
    const parameters = { ...defaultParameters(defaultsOf(workspace), speculative), ...asked };
    const id = prefixedId('run', now);
    const sealed = () => keyring.encrypt(Buffer.from(JSON.stringify(variables)), contextOf(id));
    return {
      plainLog: false,
      appliesBySettings: false,
      operation: operationOf(parameters),
      createdByName: '',
      ...input,
      id,
      untrusted,
      organizationId,
      workspaceId,
      status: 'pending',
      parameters: { ...withEngine(parameters, workspace, releases), ...(client !== null && { client }) },
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

/**
 * Checks that an agent may execute a run of the workspace, now or later.
 * @throws 422 with the reason if no agent would ever execute it
 */
export function requireExecutable({ refusal }: StartableWorkspace): void {
  if (refusal !== undefined) throw unprocessable([{ detail: refusal, pointer: '/data/relationships/workspace' }]);
}

function defaultsOf({ settings }: StartableWorkspace): RunDefaults {
  return {
    autoApply: settings['auto-apply'] === true,
    engineVersion: String(settings['engine-version'] ?? 'latest'),
    allowsDestroyPlan: settings['allow-destroy-plan'] === true,
  };
}

const contextOf = (runId: string) => `run-variables/${runId}`;

export const sealedRunVariables: SealedColumn = {
  table: 'run',
  key: ['id'],
  column: 'variables',
  boundTo: [],
  contextOf: contextOf,
};
