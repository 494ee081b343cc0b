import type { EngineKind, ExecutionMode } from '../../tenancy/index.ts';

/** Repository of a workspace (spec §2.3), with the names of the API. */
export interface VcsRepo {
  readonly identifier: string;
  /** Branch; null for the default branch. */
  readonly branch: string | null;
  readonly 'ingress-submodules': boolean;
  /** Id of the connection's token; null after the connection was deleted. */
  readonly 'oauth-token-id': string | null;
  /** Id of the installation of a GitHub App; null with a token, or after the installation was deleted. */
  readonly 'github-app-installation-id': string | null;
  readonly 'tags-regex': string | null;
}

/** Settings of a workspace, with the names of the API (spec §2.2). */
export interface Settings {
  /** Agent pool. It is used only with the execution mode `agent`. */
  readonly 'agent-pool-id': string | null;
  readonly 'allow-destroy-plan': boolean;
  readonly 'assessments-enabled': boolean;
  readonly 'auto-apply': boolean;
  readonly 'auto-apply-run-trigger': boolean;
  readonly 'auto-destroy-activity-duration': string | null;
  /** Time of the automatic destroy run, as configured. If a duration is set, the time counts from the last activity. */
  readonly 'auto-destroy-at': string | null;
  /** Time at which a run last destroyed all resources, in milliseconds since 1970. It is not part of the API. */
  readonly 'destroyed-at': number | null;
  readonly description: string | null;
  /** Setting of the workspace; null inherits from the organization. */
  readonly engine: EngineKind | null;
  readonly 'engine-version': string;
  /** Setting of the workspace; null inherits from the project or the organization. */
  readonly 'execution-mode': ExecutionMode | null;
  readonly 'file-triggers-enabled': boolean;
  readonly 'global-remote-state': boolean;
  readonly 'inherits-project-auto-destroy': boolean;
  readonly 'migration-environment': string;
  readonly 'project-remote-state': boolean;
  readonly 'queue-all-runs': boolean;
  readonly 'source-name': string | null;
  readonly 'source-url': string | null;
  readonly 'speculative-enabled': boolean;
  readonly 'structured-run-output-enabled': boolean;
  readonly 'trigger-patterns': readonly string[];
  readonly 'trigger-prefixes': readonly string[];
  readonly 'vcs-repo': VcsRepo | null;
  readonly 'working-directory': string | null;
}

/** Settings of a new workspace (spec §4.1). A null from a client restores the default. */
export const DEFAULT_SETTINGS: Settings = {
  'agent-pool-id': null,
  'allow-destroy-plan': true,
  'assessments-enabled': false,
  'auto-apply': false,
  'auto-apply-run-trigger': false,
  'auto-destroy-activity-duration': null,
  'auto-destroy-at': null,
  'destroyed-at': null,
  description: null,
  engine: null,
  'engine-version': 'latest',
  'execution-mode': null,
  'file-triggers-enabled': true,
  'global-remote-state': false,
  'inherits-project-auto-destroy': true,
  'migration-environment': '',
  'project-remote-state': false,
  'queue-all-runs': false,
  'source-name': null,
  'source-url': null,
  'speculative-enabled': true,
  'structured-run-output-enabled': true,
  'trigger-patterns': [],
  'trigger-prefixes': [],
  'vcs-repo': null,
  'working-directory': null,
};
