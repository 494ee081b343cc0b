import { readFileSync } from 'node:fs';
import { DurationError, parseSeconds } from '../lib/duration.ts';
import { secretText } from '../lib/secret/secret-text.ts';
import { ConfigError } from './config-error.ts';
import type { ConfigTree } from './config-schema.ts';
import { hostsAndBlocks } from './host-address.ts';

/** Sign-in of users in a browser. Durations are in seconds. */
export interface SignInConfig {
  readonly sessionIdle: number;
  readonly sessionLifetime: number;
  /** Time after a sign-in, in seconds, after which sensitive actions require another one. 0: never. */
  readonly reauthenticateAfter: number;
  /** Whether organizations may configure their own identity providers. */
  readonly organizationProviders: boolean;
  /** Whether users may sign in with passkeys. Default: true. */
  readonly passkeys?: boolean;
  /** Whether the link of an invitation lets a person create an account. Default: true without `oidc`. */
  readonly invitedAccounts?: boolean;
  /** OpenID Connect provider. If absent, there is no single sign-on: users sign in with tokens and certificates. */
  readonly oidc?: OidcConfig;
}

/** OpenID Connect provider, and the mapping of its users. */
export interface OidcConfig {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** Setting or file that the secret was read from. */
  readonly clientSecretFile?: string;
  readonly scopes: readonly string[];
  readonly claims: {
    readonly name: string;
    readonly email: string;
    readonly groups: string;
    readonly directoryId?: string;
  };
  readonly rules: {
    readonly create: 'always' | 'invited' | 'never';
    readonly linkByEmail: boolean;
    readonly ssoTeamIds: boolean;
    readonly teams: readonly { readonly group: string; readonly organization: string; readonly team: string }[];
    readonly siteAdminGroups: readonly string[];
  };
  /** Rules that map groups to policies of the access API. */
  readonly policies?: readonly { readonly group: string; readonly policy: string }[];
  readonly authoritiesFile?: string;
  readonly allowedAddresses: readonly string[];
}

type Tree = NonNullable<ConfigTree['sign_in']>;

const MINUTE = 60;
const HOUR = 3600;

/** @param followsLifetime whether the idle timeout may be shortened to the lifetime, because it is not set */
export function toSignIn(tree: Tree, followsLifetime: boolean, at: (path: string) => string): SignInConfig {
  const sessionLifetime = between('session_lifetime', tree.session_lifetime, 15 * MINUTE, 2160 * HOUR);
  const { session_idle: idle, reauthenticate_after: again } = tree;
  const isShort = followsLifetime && sessionLifetime < parseSeconds(idle);
  return {
    sessionIdle: isShort
      ? sessionLifetime
      : between('session_idle', idle, 5 * MINUTE, Math.min(720 * HOUR, sessionLifetime)),
    sessionLifetime,
    reauthenticateAfter: again === '0s' ? 0 : between('reauthenticate_after', again, MINUTE, 2160 * HOUR),
    organizationProviders: tree.organization_providers,
    passkeys: tree.passkeys,
    ...(tree.invited_accounts !== undefined && { invitedAccounts: tree.invited_accounts }),
    ...(tree.oidc && { oidc: toOidc(tree.oidc, at) }),
  };
}

function toOidc(tree: NonNullable<Tree['oidc']>, at: (path: string) => string): OidcConfig {
  const { client_secret: text, client_secret_file: file, authorities_file: authorities, claims } = tree;
  if (text !== undefined && file !== undefined)
    throw new ConfigError('sign_in.oidc.client_secret: found beside client_secret_file; allowed: one of the two');
  const { directory_id: directoryId, ...plain } = claims;
  const clientSecret = file === undefined ? text : readSecret('sign_in.oidc.client_secret_file', at(file));
  return {
    name: tree.name,
    issuer: tree.issuer,
    clientId: tree.client_id,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(file !== undefined && { clientSecretFile: at(file) }),
    scopes: [...new Set(['openid', ...tree.scopes])],
    claims: { ...plain, ...(directoryId && { directoryId }) },
    rules: {
      create: tree.create,
      linkByEmail: tree.link_by_email,
      ssoTeamIds: tree.sso_team_ids,
      teams: tree.teams,
      siteAdminGroups: tree.site_admin_groups,
    },
    ...(tree.policies && {
      policies: tree.policies.map(({ group, policy }) => ({ group, policy: policy.toLowerCase() })),
    }),
    ...(authorities && { authoritiesFile: at(authorities) }),
    allowedAddresses: hostsAndBlocks('sign_in.oidc.allowed_addresses', tree.allowed_addresses),
  };
}

function readSecret(key: string, path: string): string {
  try {
    const text = secretText(readFileSync(path, 'utf8'));
    if (text !== '' && text.length <= 4096) return text;
  } catch {
    throw new ConfigError(`${key}: cannot read ${path}; allowed: a file that the server's user may read`);
  }
  throw new ConfigError(`${key}: no usable secret in ${path}; allowed: a secret of up to 4096 characters`);
}

function between(key: string, text: string, least: number, most: number): number {
  try {
    const found = parseSeconds(text);
    if (found >= least && found <= most) return found;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
  }
  throw new ConfigError(`sign_in.${key}: found ${JSON.stringify(text)}; allowed: ${least}s to ${most}s`);
}
