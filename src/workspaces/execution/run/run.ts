import type { Identifier } from '../../jsonapi/document.ts';
import type { EngineParameters } from '../lifecycle/engine.ts';
import type { RunStatus } from '../lifecycle/status.ts';

/** Options that a client sets for a run, stored under the names of the wire. */
export interface RunParameters {
  readonly 'allow-config-generation': boolean;
  readonly 'allow-empty-apply': boolean;
  readonly 'auto-apply': boolean;
  readonly 'invoke-action-addrs': readonly string[] | null;
  readonly 'is-destroy': boolean;
  readonly 'plan-only': boolean;
  readonly 'policy-paths': readonly string[] | null;
  readonly refresh: boolean;
  readonly 'refresh-only': boolean;
  readonly 'replace-addrs': readonly string[] | null;
  readonly 'save-plan': boolean;
  readonly 'target-addrs': readonly string[] | null;
  readonly 'terraform-version': string;
}

/** Options of a run, the engine that they resolve to, and the program that requested it. */
export type ExecutionParameters = RunParameters & EngineParameters & { readonly client?: string };

/** Variable of one run. Values are expressions in the language of the engine. */
export interface RunVariable {
  readonly key: string;
  readonly value: string;
}

/** Numbers of runs in the queue of an organization. */
export interface RunCapacity {
  /** Runs that wait. */
  readonly pending: number;
  /** Runs that are executed. */
  readonly running: number;
}

/** Options of a run in a request. Null means the default. */
export type RequestedOptions = { readonly [Name in keyof RunParameters]?: RunParameters[Name] | null } & {
  readonly variables?: readonly RunVariable[] | null;
};

/** Kind of a run, as in `filter[operation]`. */
export type Operation =
  | 'plan_and_apply'
  | 'plan_only'
  | 'refresh_only'
  | 'destroy'
  | 'empty_apply'
  | 'save_plan'
  // Hidden from all clients except the agent that executes it (assessment/).
  | 'assessment';

/** Time of each status in milliseconds since 1970. The keys are the names of the wire without `-at`. */
export type Timestamps = Readonly<Record<string, number>>;

/** A run. Times are milliseconds since 1970. */
export interface Run {
  readonly id: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly configurationVersionId: string;
  readonly status: RunStatus;
  readonly operation: Operation;
  readonly source: string;
  readonly triggerReason: string;
  readonly message: string;
  readonly parameters: ExecutionParameters;
  readonly variables: Uint8Array | null;
  readonly timestamps: Timestamps;
  readonly hasChanges: boolean;
  /** Whether the run waits for its workspace. */
  readonly awaitsWorkspace: boolean;
  /** Whether the run holds the workspace. */
  readonly holdsWorkspace: boolean;
  /** Sort key among the runs of the same queue class (lifecycle/queue.ts). */
  readonly queueOrder: number;
  /** Whether the state changed after this saved plan was started, so that the plan must not be applied. */
  readonly stale: boolean;
  /** Text that says why no agent takes the run; null if there is none. */
  readonly waitingFor: string | null;
  /** Text that says why the server itself cancels or ends the run; null if it does not. */
  readonly cancelReason: string | null;
  /** The agent that claimed the run. The agent may be deleted. */
  readonly agentId: string | null;
  /** Fencing token: number of claims of this run. The token of an earlier claim is refused. */
  readonly fence: number;
  /** Whether the client that started the run prints its log unchanged, so that the log must be plain text. */
  readonly plainLog: boolean;
  /** Whether the settings of the workspace allow the automatic apply, whatever the creator may do. */
  readonly appliesBySettings: boolean;
  /** Whether strangers wrote the configuration. Such a run gets no secrets of the workspace. */
  readonly untrusted: boolean;
  readonly createdBy: Identifier;
  /** Name of the creator when the run was created. Searches use it. */
  readonly createdByName: string;
  readonly confirmedBy: Identifier | null;
  /** Time at which a user or the server requested the cancel. */
  readonly canceledAt: number | null;
  readonly finishedAt: number | null;
  readonly createdAt: number;
}

/** Grace period between a cancel and a force-cancel, milliseconds. */
export const CANCEL_GRACE = 60_000;

/** Returns whether the run is a health assessment, which no list of runs shows. */
export function isAssessment({ operation }: Pick<Run, 'operation'>): boolean {
  return operation === 'assessment';
}

/** Condition on `run r`: the run is not an assessment. The wording matches an index. */
export const SHOWN = `r.operation <> 'assessment'`;

/** Returns the kind of run that the options make. */
export function operationOf(parameters: RunParameters): Operation {
  if (parameters['plan-only']) return 'plan_only';
  if (parameters['save-plan']) return 'save_plan';
  if (parameters['is-destroy']) return 'destroy';
  if (parameters['refresh-only']) return 'refresh_only';
  return parameters['allow-empty-apply'] ? 'empty_apply' : 'plan_and_apply';
}
