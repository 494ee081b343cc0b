import type { Transaction } from '../../../storage/index.ts';

/** What a plan found out about what is there, counted by whoever made it. */
export interface Findings {
  /** Resources that were changed or removed other than by an apply. */
  readonly resourcesDrifted: number;
  readonly resourcesUndrifted: number;
  /** Conditions and checks of the configuration, each by how it turned out. */
  readonly checksPassed: number;
  readonly checksFailed: number;
  readonly checksErrored: number;
  readonly checksUnknown: number;
}

/** What came of an assessment that is over. Times are milliseconds since 1970. */
export interface AssessmentResult {
  readonly id: string;
  readonly workspaceId: string;
  /** Which carried it out. */
  readonly runId: string;
  readonly drifted: boolean;
  /** Whether it came to an end by itself: only then the rest says something. */
  readonly succeeded: boolean;
  /** Null for one that succeeded. */
  readonly errorMessage: string | null;
  /** Null where nobody has counted. */
  readonly findings: Findings | null;
  readonly finishedAt: number;
}

/** Whether no check says that something is wrong. One that is not known yet does not. */
export function allChecksSucceeded({ succeeded, findings }: Pick<AssessmentResult, 'succeeded' | 'findings'>): boolean {
  return succeeded && (findings === null || findings.checksFailed + findings.checksErrored === 0);
}

/** Told of each assessment that is over, and of the one before it, in the same unit of work. */
export type AssessmentListener = (
  tx: Transaction,
  result: AssessmentResult,
  prior: AssessmentResult | undefined,
) => Promise<void>;
