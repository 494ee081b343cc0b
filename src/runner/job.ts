/** The two halves of a run, each carried out as a job of its own. */
export type JobPhase = 'plan' | 'apply';

/** A variable as the engine gets it. */
export interface JobVariable {
  readonly key: string;
  readonly value: string;
  readonly category: 'terraform' | 'env';
  /** The value is an expression. For variables of category `terraform` alone. */
  readonly hcl: boolean;
  readonly sensitive: boolean;
}

/** What kind of plan it is. An apply has them from its plan. */
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

/** Where the configuration came from, where it came from version control. */
export interface JobCommit {
  readonly branch: string;
  readonly sha: string;
  readonly tag: string;
}

/** The kinds of engines. */
export type EngineKind = 'opentofu' | 'terraform';

/** A file that the engine can read. */
export interface IdentityFile {
  readonly name: string;
  readonly content: string;
}

/** A login at a Vault, or an OpenBao, before the engine starts. Its token is revoked when that has ended. */
export interface VaultLogin {
  /** `https://vault.example.com:8200` */
  readonly address: string;
  /** Empty for the root. */
  readonly namespace: string;
  /** Where its JWT method is mounted. */
  readonly path: string;
  readonly role: string;
  /** What is shown there. */
  readonly token: string;
  /** PEM of those who vouch for the server; null for those of the system. */
  readonly authorities: string | null;
  /** Where the engine finds what comes of it: the name of a file, an environment variable; null for none. */
  readonly file: string | null;
  readonly variable: string | null;
}

/** What an engine proves to others with whose run it is. `{{identity}}` stands for the folder of the files. */
export interface JobIdentity {
  /** Why there is none: the job fails with these words. Null where there is one. */
  readonly problem: string | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly files: readonly IdentityFile[];
  readonly logins: readonly VaultLogin[];
  /** What must not stand in a log. */
  readonly secrets: readonly string[];
}

/** Everything that is needed to carry out a plan or an apply, as it was at one moment. */
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
  /** Null where the configuration was uploaded. */
  readonly commit: JobCommit | null;
  /** A version of null: the newest that is here. */
  readonly engine: {
    readonly kind: EngineKind;
    readonly version: string | null;
    /** Where no version is asked for: what is downloaded if none is here. */
    readonly newest?: string | null;
    /** Constraint of a plan, which `version` is the newest known release of. Any other that is here and satisfies it will do. */
    readonly constraint?: string | null;
  };
  /** Structured lines (`-json`), or those for people. */
  readonly log: 'structured' | 'plain';
  readonly parameters: JobParameters;
  /** In order: of two with the same key and category, the later one counts. */
  readonly variables: readonly JobVariable[];
  /** A private key for modules that come by SSH. */
  readonly sshKey: string | null;
  /** Null, or nothing: nobody wants to know whose run it is. */
  readonly identity?: JobIdentity | null;
  /** Of a plan: an apply may follow, which needs its folder. */
  readonly keepFolder: boolean;
  /** Seconds; then the engine is interrupted, and killed after a grace. */
  readonly timeout: number;
}
