import type { Run } from '../run/run.ts';

/** A timed step of a job as its agent reports it: milliseconds since the start of the job. */
export interface JobStep {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly ok: boolean;
}

/** A finished job with its timed steps. */
export interface TracedJob {
  readonly id: string;
  readonly runId: string;
  readonly isError: boolean;
  /** Start of the job; milliseconds. */
  readonly took: number;
  readonly steps: readonly JobStep[];
}

/** Hooks for tracing. Without a tracer they do nothing. */
export interface JobTraces {
  /** Returns the W3C `traceparent` that the agent sends with its requests; undefined if the run is not traced. */
  parentOf: (runId: string, jobId: string) => string | undefined;
  ended: (job: TracedJob) => void;
  /** Called after the commit that ends a run. */
  runEnded: (run: Run) => void;
}

export const untraced = (): JobTraces => ({
  parentOf: () => undefined,
  ended: () => {},
  runEnded: () => {},
});
