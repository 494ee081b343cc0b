/**
 * What a job gets so that its engine can prove who it is: the part `identity` of its document. Files lie in a folder of the
 * agent's choice: `{{identity}}` in the values of environment variables and in the contents of files stands for its path.
 */
export interface JobIdentity {
  /** Why there is none, though the workspace asks for it: the job fails with these words. Null where all is well. */
  readonly problem: string | null;
  /** Environment variables of the engine. They come before those of the workspace. */
  readonly environment: Readonly<Record<string, string>>;
  readonly files: readonly IdentityFile[];
  readonly logins: readonly VaultLogin[];
  /** What must not stand in a log. */
  readonly secrets: readonly string[];
}

/** A file that the engine can read. */
export interface IdentityFile {
  /** In the folder. */
  readonly name: string;
  readonly content: string;
}

/** A login at a Vault or an OpenBao that the agent makes before the engine starts, and whose token it revokes when that has ended. */
export interface VaultLogin {
  /** `https://vault.example.com:8200` */
  readonly address: string;
  /** Empty for the root. */
  readonly namespace: string;
  /** Where the JWT method is mounted: `jwt`. */
  readonly path: string;
  readonly role: string;
  readonly token: string;
  /** PEM of the authorities that vouch for the server; null for those of the system. */
  readonly authorities: string | null;
  /** The name of a file that gets the token of Vault; null for none. */
  readonly file: string | null;
  /** The environment variable that gets it; null for none. */
  readonly variable: string | null;
}

/** Stands for the folder of the files, as the engine sees it. */
export const FOLDER = '{{identity}}';
