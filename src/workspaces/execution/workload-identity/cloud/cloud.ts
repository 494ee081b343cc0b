import type { IdentityFile, VaultLogin } from '../job-identity.ts';
import type { Settings } from '../settings.ts';

/** What an engine is given for one of the clouds, of one tag. */
export interface Grant {
  /** Environment variables, where no tags tell several of them apart. */
  readonly environment: Readonly<Record<string, string>>;
  readonly files: readonly IdentityFile[];
  /** What the variable `tfc_<cloud>_dynamic_credentials` says of it. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly login?: VaultLogin;
}

/** A kind of system that runs may enter, as providers for it want to be told. */
export interface Cloud {
  /** As in the names of variables. */
  readonly name: string;
  /** For whom a token is. @throws Incomplete */
  audience(settings: Settings): string;
  /** @param token for that audience. @throws Incomplete */
  grant(settings: Settings, token: string, runId: string): Grant;
}

/** The name of a file of that cloud: `aws-PROD.token` */
export const fileOf = (cloud: string, { tag }: Settings, suffix: string): string =>
  `${cloud}${tag && `-${tag}`}.${suffix}`;
