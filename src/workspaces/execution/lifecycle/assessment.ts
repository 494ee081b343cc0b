import type { Transaction } from '../../../storage/index.ts';

/** Drift and check counts of a health assessment, as the agent reports them. */
export interface Findings {
  /** Resources that were changed or removed outside of the engine. */
  readonly resourcesDrifted: number;
  readonly resourcesUndrifted: number;
  /** Conditions and checks of the configuration, by result. */
  readonly checksPassed: number;
  readonly checksFailed: number;
  readonly checksErrored: number;
  readonly checksUnknown: number;
}

/** Result of a finished health assessment. Times are milliseconds since 1970. */
export interface AssessmentResult {
  readonly id: string;
  readonly workspaceId: string;
  /** Run that executed the assessment. */
  readonly runId: string;
  readonly drifted: boolean;
  /** Whether the assessment completed. Otherwise the other fields have no meaning. */
  readonly succeeded: boolean;
  /** Error message; null if the assessment succeeded. */
  readonly errorMessage: string | null;
  /** Counts of the assessment; null if the agent did not report them. */
  readonly findings: Findings | null;
  readonly finishedAt: number;
}

/** Returns whether no check failed or errored. Unknown checks do not count as failed. */
export function allChecksSucceeded({ succeeded, findings }: Pick<AssessmentResult, 'succeeded' | 'findings'>): boolean {
  return succeeded && (findings === null || findings.checksFailed + findings.checksErrored === 0);
}

/** Called with each finished assessment and the one before it, in the same transaction. */
export type AssessmentListener = (
  tx: Transaction,
  result: AssessmentResult,
  prior: AssessmentResult | undefined,
) => Promise<void>;
