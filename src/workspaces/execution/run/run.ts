import type { Identifier } from '../../jsonapi/document.ts';
import type { EngineParameters } from '../lifecycle/engine.ts';
import type { RunStatus } from '../lifecycle/status.ts';

/** What a client asks a run for, under the names of the wire; kept as it was said. */
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

/** What a run is carried out with: what was asked for, and which engine that means. */
export type ExecutionParameters = RunParameters & EngineParameters;

/** Values are expressions in the language of the engine. */
export interface RunVariable {
  readonly key: string;
  readonly value: string;
}

/** What kind of run it is, as `filter[operation]` says it. */
export type Operation =
  | 'plan_and_apply'
  | 'plan_only'
  | 'refresh_only'
  | 'destroy'
  | 'empty_apply'
  | 'save_plan'
  // No run to anybody but those who carry it out (assessment/).
  | 'assessment';

/** Times of each status, in milliseconds since 1970, under the names of the wire without `-at`. */
export type Timestamps = Readonly<Record<string, number>>;

/** A run (facts §6.11). Times are milliseconds since 1970. */
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
  /** Its turn in the workspace is still to come. */
  readonly awaitsWorkspace: boolean;
  /** It holds the workspace. */
  readonly holdsWorkspace: boolean;
  /** Its turn among those of the same class in the queue (lifecycle/queue.ts). */
  readonly queueOrder: number;
  /** The state has changed while this plan was made, that is to be saved. */
  readonly stale: boolean;
  /** Why nobody takes it, in words; null where there is nothing to say. */
  readonly waitingFor: string | null;
  /** Why it is canceled, in words, where nobody has asked for it. */
  readonly cancelReason: string | null;
  /** The agent that has taken it; it may be gone. */
  readonly agentId: string | null;
  /** How often it was taken: what was given with an earlier number opens nothing. */
  readonly fence: number;
  /** Whoever started it prints its log as it is. */
  readonly plainLog: boolean;
  readonly createdBy: Identifier;
  /** As it was then; a run may be searched for by it. */
  readonly createdByName: string;
  readonly confirmedBy: Identifier | null;
  /** When somebody asked for it to be canceled. */
  readonly canceledAt: number | null;
  readonly finishedAt: number | null;
  readonly createdAt: number;
}

/** How long a cancel is given before it may be forced, milliseconds. */
export const CANCEL_GRACE = 60_000;

/** Whether it looks after a workspace, and is shown to nobody as a run. */
export function isAssessment({ operation }: Pick<Run, 'operation'>): boolean {
  return operation === 'assessment';
}

/** Of `run r`: it is a run to people. In the words of an index. */
export const SHOWN = `r.operation <> 'assessment'`;

/** What kind of run the parameters make. */
export function operationOf(parameters: RunParameters): Operation {
  if (parameters['plan-only']) return 'plan_only';
  if (parameters['save-plan']) return 'save_plan';
  if (parameters['is-destroy']) return 'destroy';
  if (parameters['refresh-only']) return 'refresh_only';
  return parameters['allow-empty-apply'] ? 'empty_apply' : 'plan_and_apply';
}
