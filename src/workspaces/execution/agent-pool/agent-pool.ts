/** A group of agents that execute runs. */
export interface AgentPool {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly name: string;
  /** 1 if every workspace of the organization may use it, except excluded ones. */
  readonly organizationScoped: number;
  readonly createdAt: number;
}

/** IDs of allowed and excluded workspaces and projects. Absent fields stay unchanged. */
export interface PoolScope {
  readonly allowedWorkspaces?: readonly string[] | undefined;
  readonly excludedWorkspaces?: readonly string[] | undefined;
  readonly allowedProjects?: readonly string[] | undefined;
}

/** Attributes of a pool from a client. Absent fields stay unchanged. */
export interface PoolInput extends PoolScope {
  readonly name?: string | undefined;
  readonly organizationScoped?: boolean | undefined;
}

/** Relationships of a pool. `workspaces` have it set directly. */
export interface PoolLink {
  readonly poolId: string;
  readonly kind: 'workspaces' | 'allowed-workspaces' | 'excluded-workspaces' | 'allowed-projects';
  readonly target: string;
}

/** A pool with its relationships. */
export interface PoolView extends AgentPool {
  readonly links: readonly PoolLink[];
  /** Number of its connected agents. */
  readonly agentCount: number;
}

/** Filters of a list. Empty text matches all. */
export interface PoolFilter {
  /** Part of the name, case-insensitive. */
  readonly query: string;
  /** Pools that the workspace with this name may use. */
  readonly workspaceName: string;
  /** Pools that the project with this name may use. */
  readonly projectName: string;
  readonly sort: 'name' | '-name' | 'created-at' | '-created-at' | undefined;
}
