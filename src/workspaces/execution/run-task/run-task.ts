/** Where in a run somebody may judge it, in this order. */
export const STAGES = ['pre_plan', 'post_plan', 'pre_apply', 'post_apply'] as const;
/** One of STAGES. */
export type Stage = (typeof STAGES)[number];

/** Whether a run ends where the task says no. */
export const ENFORCEMENT_LEVELS = ['advisory', 'mandatory'] as const;
/** One of ENFORCEMENT_LEVELS. */
export type EnforcementLevel = (typeof ENFORCEMENT_LEVELS)[number];

/** Where a task judges all workspaces of its organization. */
export interface GlobalConfiguration {
  readonly enabled: boolean;
  readonly stages: readonly Stage[];
  readonly enforcementLevel: EnforcementLevel;
}

/** A service that is asked about runs (facts §6.14). Times are milliseconds since 1970. */
export interface RunTask {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly global: GlobalConfiguration;
  readonly url: string;
  /** Signs what is sent; never shown. Null for none. */
  readonly hmacKey: string | null;
  /** Of the addresses in requests: `https://keeper.example.com:8443`. */
  readonly origin: string;
  /** Grows with each change. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A task that judges the runs of a workspace. */
export interface WorkspaceTask {
  readonly id: string;
  readonly workspaceId: string;
  readonly taskId: string;
  readonly enforcementLevel: EnforcementLevel;
  /** One at least, each once. */
  readonly stages: readonly Stage[];
  readonly createdAt: number;
}
