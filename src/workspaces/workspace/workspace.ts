import type { Identifier } from '../jsonapi/document.ts';
import type { WorkspacePermissions } from '../permissions/workspace.ts';

/** Where runs are carried out; `local` keeps the state alone (spec §4.1). */
export const EXECUTION_MODES = ['remote', 'local', 'agent'] as const;
/** One of EXECUTION_MODES. */
export type ExecutionMode = (typeof EXECUTION_MODES)[number];

/** What is set on a workspace and never searched, under the names it has on the wire (spec §2.2). */
export interface Settings {
  readonly 'allow-destroy-plan': boolean;
  readonly 'assessments-enabled': boolean;
  readonly 'auto-apply': boolean;
  readonly 'auto-apply-run-trigger': boolean;
  readonly 'auto-destroy-activity-duration': string | null;
  readonly 'auto-destroy-at': string | null;
  readonly description: string | null;
  readonly 'engine-version': string;
  /** Null for the organization's default. */
  readonly 'execution-mode': ExecutionMode | null;
  readonly 'file-triggers-enabled': boolean;
  readonly 'global-remote-state': boolean;
  readonly 'inherits-project-auto-destroy': boolean;
  readonly 'project-remote-state': boolean;
  readonly 'queue-all-runs': boolean;
  readonly 'source-name': string | null;
  readonly 'source-url': string | null;
  readonly 'speculative-enabled': boolean;
  readonly 'structured-run-output-enabled': boolean;
  readonly 'trigger-patterns': readonly string[];
  readonly 'trigger-prefixes': readonly string[];
  readonly 'working-directory': string | null;
}

/** Those of a new workspace (spec §4.1). A null that a client sends brings one of them back. */
export const DEFAULT_SETTINGS: Settings = {
  'allow-destroy-plan': true,
  'assessments-enabled': false,
  'auto-apply': false,
  'auto-apply-run-trigger': false,
  'auto-destroy-activity-duration': null,
  'auto-destroy-at': null,
  description: null,
  'engine-version': 'latest',
  'execution-mode': null,
  'file-triggers-enabled': true,
  'global-remote-state': false,
  'inherits-project-auto-destroy': true,
  'project-remote-state': false,
  'queue-all-runs': false,
  'source-name': null,
  'source-url': null,
  'speculative-enabled': true,
  'structured-run-output-enabled': true,
  'trigger-patterns': [],
  'trigger-prefixes': [],
  'working-directory': null,
};

/** Who keeps others from changing the state, and why. */
export interface Lock {
  /** A user, or the team that a machine acts for. */
  readonly holder: Identifier;
  readonly reason: string;
}

/** A workspace, and what is needed of its organization to show it. Times are milliseconds since 1970. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly projectId: string;
  readonly settings: Settings;
  readonly lock: Lock | null;
  /** Of its flat tags, sorted. */
  readonly tagNames: readonly string[];
  readonly resourceCount: number;
  /** Grows with each write. */
  readonly version: number;
  readonly createdAt: number;
  /** Of the settings, the name, the project and the tags; a lock does not count. */
  readonly updatedAt: number;
  readonly latestChangeAt: number;
  /** Of the organization. */
  readonly defaultExecutionMode: ExecutionMode;
  readonly allowsForceDelete: boolean;
}

/** A workspace and what the actor may do with it: the only form in which a handler gets one. */
export interface WorkspaceView extends Workspace {
  readonly permissions: WorkspacePermissions;
}

/** How a client names a workspace. */
export type WorkspaceRef = { readonly id: string } | { readonly organization: string; readonly name: string };
