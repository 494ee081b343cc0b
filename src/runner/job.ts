/** The two halves of a run, each carried out as a job of its own. */
export type JobPhase = 'plan' | 'apply';

/** A variable as the engine gets it. */
export interface JobVariable {
  readonly key: string;
  readonly value: string;
  readonly category: 'terraform' | 'env';
  /** The value is an expression. */
  readonly hcl: boolean;
  readonly sensitive: boolean;
}

/** What kind of plan it is. */
export interface JobParameters {
  readonly destroy: boolean;
  readonly refresh: boolean;
  readonly refreshOnly: boolean;
  readonly targets: readonly string[];
  readonly replaces: readonly string[];
  readonly generateConfiguration: boolean;
  /** `TF_LOG=TRACE`. */
  readonly debugging: boolean;
}

/** Everything that is needed to carry out a plan or an apply, as it was at one moment. */
export interface Job {
  readonly id: string;
  readonly phase: JobPhase;
  readonly runId: string;
  readonly workspace: { readonly id: string; readonly name: string; readonly workingDirectory: string };
  readonly organization: string;
  readonly project: string;
  readonly engine: { readonly kind: 'opentofu' | 'terraform'; readonly version: string | null };
  /** Structured lines (`-json`), or those for people. */
  readonly log: 'structured' | 'plain';
  readonly parameters: JobParameters;
  readonly variables: readonly JobVariable[];
  /** A private key for modules that come by SSH. */
  readonly sshKey: string | null;
  /** Bytes of the state that is current; null where there is none. */
  readonly hasState: boolean;
  /** Seconds; then the engine is interrupted, and killed after a grace. */
  readonly timeout: number;
}
