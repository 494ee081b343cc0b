import type { Identifier } from '../../jsonapi/document.ts';
import type { EngineKind, ExecutionMode, WorkspacePermissions, WorkspacePolicy } from '../../tenancy/index.ts';
import type { Settings } from './settings.ts';

/** Who keeps others from changing the state, and why. */
export interface Lock {
  /** A user, a run, or the team that a machine acts for. */
  readonly holder: Identifier;
  /** Of a user or a machine, as it was when it locked; empty where there is none. */
  readonly name: string;
  readonly reason: string;
  /** Milliseconds since 1970; null where nobody wrote it down. */
  readonly at: number | null;
}

/** Measured over the past 30 finished runs (spec §2.2), under the names of the wire; absent where nothing is known. */
export interface Performance {
  readonly 'apply-duration-average'?: number;
  readonly 'plan-duration-average'?: number;
  readonly 'policy-check-failures'?: number;
  readonly 'run-failures'?: number;
  readonly 'workspace-kpis-runs-count'?: number;
}

/** What is current: ids, or null. */
export interface Current {
  readonly runId: string | null;
  readonly configurationVersionId: string | null;
  readonly stateVersionId: string | null;
  readonly assessmentResultId: string | null;
}

/** What a workspace has where it does not say for itself: of its project, or else of its organization. */
export interface Inherited {
  readonly executionMode: ExecutionMode;
  readonly agentPoolId: string | null;
  readonly engine: EngineKind;
  /** `14d`, `6h` */
  readonly autoDestroyActivityDuration: string | null;
}

/** What is shown of the connection to a repository. */
export interface Connection {
  readonly name: string | null;
  readonly serviceProvider: string;
  readonly httpUrl: string;
}

/** A workspace, and what is needed of its organization and project to show it. Times are milliseconds since 1970. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly projectId: string;
  readonly settings: Settings;
  readonly inherited: Inherited;
  readonly sshKeyId: string | null;
  /** Null without a repository, or once its connection is gone. */
  readonly connection: Connection | null;
  readonly lock: Lock | null;
  readonly current: Current;
  /** When the newest assessment was over; null where there was none. */
  readonly assessedAt: number | null;
  readonly performance: Performance;
  /** Of its flat tags, sorted. */
  readonly tagNames: readonly string[];
  readonly resourceCount: number;
  /** Grows with each write. */
  readonly version: number;
  readonly createdAt: number;
  /** Of the settings, the name, the project and the tags; a lock does not count. */
  readonly updatedAt: number;
  readonly latestChangeAt: number;
  readonly allowsForceDelete: boolean;
}

/** A workspace and what the actor may do with it: the only form in which a handler gets one. */
export interface WorkspaceView extends Workspace {
  readonly permissions: WorkspacePermissions;
}

/** Where the workspace or its organization has a say in what somebody may do. */
export function policyOf({ settings, allowsForceDelete }: Workspace): WorkspacePolicy {
  return { allowsDestroyPlan: settings['allow-destroy-plan'], allowsForceDelete };
}

/** How a client names a workspace. */
export type WorkspaceRef = { readonly id: string } | { readonly organization: string; readonly name: string };

/** Where runs of the workspace are carried out, and by whom: what it says for itself, or else what it inherits. */
export function executionOf({ settings, inherited }: Pick<Workspace, 'settings' | 'inherited'>) {
  const own = settings['execution-mode'];
  if (own === null) return { mode: inherited.executionMode, agentPoolId: inherited.agentPoolId, own: false };
  return { mode: own, agentPoolId: settings['agent-pool-id'], own: true };
}
