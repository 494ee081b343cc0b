/** A step of a job, as its agent tells it: milliseconds since the job was begun. */
export interface JobStep {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly ok: boolean;
}

/** A job that is over. */
export interface TracedJob {
  readonly id: string;
  readonly runId: string;
  readonly isError: boolean;
  /** Milliseconds. */
  readonly took: number;
  readonly steps: readonly JobStep[];
}

/** Filled in by who records traces; until then nobody does. */
export interface JobTraces {
  /** What the agent of a job is to say whenever it asks (W3C `traceparent`); undefined where its run is not recorded. */
  parentOf: (runId: string, jobId: string) => string | undefined;
  ended: (job: TracedJob) => void;
}

export const untraced = (): JobTraces => ({ parentOf: () => undefined, ended: () => {} });
