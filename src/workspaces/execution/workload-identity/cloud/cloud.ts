import type { IdentityFile, VaultLogin } from '../job-identity.ts';
import type { Settings } from '../settings.ts';

/** Credentials for one cloud and one tag. */
export interface Grant {
  /** Environment variables. They are used only without tags. */
  readonly environment: Readonly<Record<string, string>>;
  readonly files: readonly IdentityFile[];
  /** Value of the variable `tfc_<cloud>_dynamic_credentials`. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly login?: VaultLogin;
}

/** A cloud that runs can authenticate to, with the settings of its providers. */
export interface Cloud {
  /** Name in variable names. */
  readonly name: string;
  /**
   * Returns the audience of the token.
   * @throws Incomplete if a setting is missing
   */
  audience(settings: Settings): string;
  /**
   * Returns the credentials.
   * @param token identity token for that audience
   * @throws Incomplete if a setting is missing
   */
  grant(settings: Settings, token: string, runId: string): Grant;
}

/** Returns a file name of the cloud, such as `aws-PROD.token`. */
export const fileOf = (cloud: string, { tag }: Settings, suffix: string): string =>
  `${cloud}${tag && `-${tag}`}.${suffix}`;
