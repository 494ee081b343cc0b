/** Stages of a run at which tasks run, in order. */
export const STAGES = ['pre_plan', 'post_plan', 'pre_apply', 'post_apply'] as const;
/** One of STAGES: a stage of a run at which tasks run. */
export type Stage = (typeof STAGES)[number];

/** Enforcement levels: whether a failed task stops the run. */
export const ENFORCEMENT_LEVELS = ['advisory', 'mandatory'] as const;
/** One of ENFORCEMENT_LEVELS: whether a failed task stops the run. */
export type EnforcementLevel = (typeof ENFORCEMENT_LEVELS)[number];

/** Settings of a task that runs in all workspaces of its organization. */
export interface GlobalConfiguration {
  readonly enabled: boolean;
  readonly stages: readonly Stage[];
  readonly enforcementLevel: EnforcementLevel;
}

/** External service that evaluates runs. Times are milliseconds since 1970. */
export interface RunTask {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly global: GlobalConfiguration;
  readonly url: string;
  /** Key that signs requests. Never shown. Null for none. */
  readonly hmacKey: string | null;
  /** Origin of URLs in requests, such as `https://keeper.example.com:8443`. */
  readonly origin: string;
  /** Increases with each change (optimistic concurrency). */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Assignment of a task to a workspace. */
export interface WorkspaceTask {
  readonly id: string;
  readonly workspaceId: string;
  readonly taskId: string;
  readonly enforcementLevel: EnforcementLevel;
  /** Stages at which the task runs: at least one, without duplicates. */
  readonly stages: readonly Stage[];
  readonly createdAt: number;
}
