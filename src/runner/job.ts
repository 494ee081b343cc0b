/** Phases of a run; each is executed as a separate job. */
export type JobPhase = 'plan' | 'apply';

/** A variable as the engine gets it. */
export interface JobVariable {
  readonly key: string;
  readonly value: string;
  readonly category: 'terraform' | 'env';
  /** Whether the value is an HCL expression. Only for the category `terraform`. */
  readonly hcl: boolean;
  readonly sensitive: boolean;
}

/** Options of a plan. An apply inherits them from its plan. */
export interface JobParameters {
  readonly destroy: boolean;
  readonly refresh: boolean;
  readonly refreshOnly: boolean;
  readonly targets: readonly string[];
  readonly replaces: readonly string[];
  /** Addresses of actions to invoke. Needs Terraform 1.14 or later. */
  readonly invokes: readonly string[];
  readonly generateConfiguration: boolean;
  /** Sets `TF_LOG=TRACE`. */
  readonly debugging: boolean;
}

/** Commit of a configuration from version control. */
export interface JobCommit {
  readonly branch: string;
  readonly sha: string;
  readonly tag: string;
}

/** Kinds of engines. */
export type EngineKind = 'opentofu' | 'terraform';

/** A file for the engine. */
export interface IdentityFile {
  readonly name: string;
  readonly content: string;
}

/** A login to Vault or OpenBao before the engine starts. Its token is revoked after the engine has ended. */
export interface VaultLogin {
  /** For example `https://vault.example.com:8200`. */
  readonly address: string;
  /** Empty for the root namespace. */
  readonly namespace: string;
  /** Mount path of the JWT auth method. */
  readonly path: string;
  readonly role: string;
  /** The JWT that is presented. */
  readonly token: string;
  /** CA certificates for verifying the server, PEM; null for those of the system. */
  readonly authorities: string | null;
  /** Where the engine finds the Vault token: name of a file and of an environment variable; null for none. */
  readonly file: string | null;
  readonly variable: string | null;
}

/** Workload identity of a run. `{{identity}}` is the placeholder for the folder of the files. */
export interface JobIdentity {
  /** Error with which the job fails; null if there is none. */
  readonly problem: string | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly files: readonly IdentityFile[];
  readonly logins: readonly VaultLogin[];
  /** Values that must not appear in the log. */
  readonly secrets: readonly string[];
}

/** A plan or an apply with everything that its execution needs. */
export interface Job {
  readonly id: string;
  readonly phase: JobPhase;
  readonly runId: string;
  readonly workspace: {
    readonly id: string;
    readonly name: string;
    /** Relative to the root of the archive; empty for the root. */
    readonly workingDirectory: string;
  };
  readonly organization: string;
  readonly project: string;
  /** Null for an uploaded configuration. */
  readonly commit: JobCommit | null;
  /** A version of null means the newest installed one. */
  readonly engine: {
    readonly kind: EngineKind;
    readonly version: string | null;
    /** Version that is downloaded if no version is required and none is installed. */
    readonly newest?: string | null;
    /**
     * Version constraint of a plan; `version` is the newest known release that satisfies it. Any installed version that
     * satisfies it will do.
     */
    readonly constraint?: string | null;
  };
  /** Structured lines (`-json`) or plain text. */
  readonly log: 'structured' | 'plain';
  readonly parameters: JobParameters;
  /** In order. If two have the same key and category, the later one wins. */
  readonly variables: readonly JobVariable[];
  /** Private key for modules that are fetched by SSH; null for none. */
  readonly sshKey: string | null;
  /** Null or undefined if the run has no workload identity. */
  readonly identity?: JobIdentity | null;
  /** Whether a plan must upload its artifact, because an apply may follow. */
  readonly keepFolder: boolean;
  /** Seconds until the engine is interrupted; it is killed after a grace period. */
  readonly timeout: number;
}
