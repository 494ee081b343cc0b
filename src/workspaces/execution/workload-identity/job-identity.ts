/**
 * Workload identity of a job: the member `identity` of its document. The agent chooses the folder of the files;
 * `{{identity}}` in environment values and file contents stands for its path.
 */
export interface JobIdentity {
  /** Error message with which the job fails; null if there is no error. */
  readonly problem: string | null;
  /** Environment variables of the engine. They override variables of the workspace. */
  readonly environment: Readonly<Record<string, string>>;
  readonly files: readonly IdentityFile[];
  readonly logins: readonly VaultLogin[];
  /** Values to mask in logs. */
  readonly secrets: readonly string[];
}

/** File for the engine. */
export interface IdentityFile {
  /** Name in the folder. */
  readonly name: string;
  readonly content: string;
}

/**
 * Login at Vault or OpenBao that the agent performs before the engine starts. It revokes the token when the engine has
 * ended.
 */
export interface VaultLogin {
  /** URL such as `https://vault.example.com:8200`. */
  readonly address: string;
  /** Vault namespace; empty for the root namespace. */
  readonly namespace: string;
  /** Mount path of the JWT auth method, such as `jwt`. */
  readonly path: string;
  readonly role: string;
  readonly token: string;
  /** CA certificates (PEM) that verify the Vault server. If null, the CA certificates of the system are used. */
  readonly authorities: string | null;
  /** File for the Vault token; null if the token is not written to a file. */
  readonly file: string | null;
  /** Environment variable for the Vault token; null if the token is not in the environment. */
  readonly variable: string | null;
}

/** Placeholder for the folder as the engine sees it. */
export const FOLDER = '{{identity}}';
