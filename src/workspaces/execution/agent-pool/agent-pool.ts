/** A group of agents that carry out runs. */
export interface AgentPool {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly name: string;
  /** 1 when every workspace of the organization may use it that is not excluded. */
  readonly organizationScoped: number;
  readonly createdAt: number;
}

/** Ids of those that may use a pool, and of those that may not; what is absent stays as it is. */
export interface PoolScope {
  readonly allowedWorkspaces?: readonly string[] | undefined;
  readonly excludedWorkspaces?: readonly string[] | undefined;
  readonly allowedProjects?: readonly string[] | undefined;
}

/** What a client says of a pool; what is absent stays as it is. */
export interface PoolInput extends PoolScope {
  readonly name?: string | undefined;
  readonly organizationScoped?: boolean | undefined;
}

/** What a pool points at; `workspaces` are those that have it as their own. */
export interface PoolLink {
  readonly poolId: string;
  readonly kind: 'workspaces' | 'allowed-workspaces' | 'excluded-workspaces' | 'allowed-projects';
  readonly target: string;
}

/** A pool and what it points at. */
export interface PoolView extends AgentPool {
  readonly links: readonly PoolLink[];
  /** Of its agents, those that are there. */
  readonly agentCount: number;
}

/** What a list is narrowed to; an empty text leaves all. */
export interface PoolFilter {
  /** Part of the name, whatever the case. */
  readonly query: string;
  /** Those that the workspace of that name may use. */
  readonly workspaceName: string;
  /** Those that the project of that name may use. */
  readonly projectName: string;
  readonly sort: 'name' | '-name' | 'created-at' | '-created-at' | undefined;
}
