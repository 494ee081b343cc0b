import type { Identifier } from '../../jsonapi/document.ts';
import type { EngineKind, ExecutionMode, WorkspacePermissions, WorkspacePolicy } from '../../tenancy/index.ts';
import type { Settings } from './settings.ts';

/** Holder of the lock and its reason. */
export interface Lock {
  /** Id of a user, a run, or the team that a machine acts for. */
  readonly holder: Identifier;
  /** Name of the user or machine at the time of locking; empty if there is none. */
  readonly name: string;
  readonly reason: string;
  /** Time of the lock, in milliseconds since 1970; null if unknown. */
  readonly at: number | null;
}

/** Averages and counts of the past 30 finished runs (spec §2.2), with the names of the API; absent if unknown. */
export interface Performance {
  readonly 'apply-duration-average'?: number;
  readonly 'plan-duration-average'?: number;
  readonly 'policy-check-failures'?: number;
  readonly 'run-failures'?: number;
  readonly 'workspace-kpis-runs-count'?: number;
}

/**
 * Outcome of a destroy run that was due, as documents show it. The auto-destroy schedule of the execution module writes
 * it; null while the settings alone say everything.
 */
export interface AutoDestroyOutcome {
  readonly status: 'scheduled' | 'running' | 'errored' | null;
  /** Time for which the run was planned; null if the settings have it. */
  readonly at: number | null;
  readonly explanation: string | null;
  readonly runId: string | null;
  /** Time of the next attempt; null if there is none. */
  readonly nextAttemptAt: number | null;
}

/** Ids of current resources, or null. */
export interface Current {
  readonly runId: string | null;
  readonly configurationVersionId: string | null;
  readonly stateVersionId: string | null;
  readonly assessmentResultId: string | null;
}

/** Settings that a workspace inherits from its project or organization. */
export interface Inherited {
  readonly executionMode: ExecutionMode;
  readonly agentPoolId: string | null;
  readonly engine: EngineKind;
  /** Duration until an automatic destroy run: `14d`, `6h` */
  readonly autoDestroyActivityDuration: string | null;
}

/** Displayed properties of the connection to a repository. */
export interface Connection {
  readonly name: string | null;
  readonly serviceProvider: string;
  readonly httpUrl: string;
}

/**
 * A workspace with the columns of its organization and project that its document needs. Times are milliseconds since
 * 1970.
 */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly projectId: string;
  readonly settings: Settings;
  readonly inherited: Inherited;
  readonly sshKeyId: string | null;
  /** Connection to the repository. Null without a repository, or after the connection was deleted. */
  readonly connection: Connection | null;
  readonly lock: Lock | null;
  readonly current: Current;
  /** End of the newest health assessment; null if there was none. */
  readonly assessedAt: number | null;
  readonly performance: Performance;
  /** Names of its flat tags, sorted. */
  readonly tagNames: readonly string[];
  readonly resourceCount: number;
  /** Version of the workspace. Each write increments it. */
  readonly version: number;
  readonly createdAt: number;
  /** Last change of the settings, the name, the project or the tags. Locking does not count. */
  readonly updatedAt: number;
  readonly latestChangeAt: number;
  /** Start of the newest run that could change the workspace, except those of schedules; null if unknown. */
  readonly workedAt: number | null;
  readonly autoDestroy: AutoDestroyOutcome | null;
  readonly allowsForceDelete: boolean;
}

/** A workspace with the actor's permissions. Handlers only get this form. */
export interface WorkspaceView extends Workspace {
  readonly permissions: WorkspacePermissions;
}

/** Settings of the workspace and its organization that affect permissions. */
export function policyOf({ settings, allowsForceDelete }: Workspace): WorkspacePolicy {
  return { allowsDestroyPlan: settings['allow-destroy-plan'], allowsForceDelete };
}

/** How a client names a workspace. */
export type WorkspaceRef = { readonly id: string } | { readonly organization: string; readonly name: string };

/** Effective execution mode and agent pool: the workspace's own, or else the inherited ones. */
export function executionOf({ settings, inherited }: Pick<Workspace, 'settings' | 'inherited'>) {
  const own = settings['execution-mode'];
  if (own === null) return { mode: inherited.executionMode, agentPoolId: inherited.agentPoolId, own: false };
  return { mode: own, agentPoolId: settings['agent-pool-id'], own: true };
}
