/** Runs that a rule is about: all applies, or only those that destroy everything (`is-destroy`). */
export const RULE_OPERATIONS = ['all', 'destroy'] as const;
export type RuleOperations = (typeof RULE_OPERATIONS)[number];

/** Team whose members may approve. */
export interface RuleTeam {
  readonly id: string;
  /** Current name; the last known one if the team was deleted. */
  readonly name: string;
  readonly exists: boolean;
  /** Whether only some users of the organization may see the team. */
  readonly secret: boolean;
}

/** Rule of a project or a workspace: its applies need approvals. Times are milliseconds since 1970. */
export interface ApprovalRule {
  readonly id: string;
  readonly organizationId: string;
  /** Either this or `workspaceId` is set. */
  readonly projectId: string | null;
  readonly workspaceId: string | null;
  readonly name: string;
  /** Number of users who have to approve. */
  readonly required: number;
  /** Whether the approval of the user who started the run counts. */
  readonly requesterMayApprove: boolean;
  readonly operations: RuleOperations;
  readonly teams: readonly RuleTeam[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Approval of one user for one run. */
export interface Approval {
  readonly id: string;
  readonly runId: string;
  readonly userId: string;
  readonly userName: string;
  readonly commentId: string | null;
  /** How often the user approved this run, with approvals that they revoked. */
  readonly times: number;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}
