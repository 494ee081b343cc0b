import { readFileSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import { DurationError, parseSeconds } from '../lib/duration.ts';
import { secretText } from '../lib/secret/secret-text.ts';
import { ConfigError } from './config-error.ts';
import { HOSTS_AND_BLOCKS, hostsAndBlocks } from './host-address.ts';
import { defaulted, duration, path, secret, section, setting } from './setting.ts';

const name = (description: string, most = 254) =>
  setting(Type.String({ minLength: 1, maxLength: most }), `up to ${most} characters`, description);
const names = (initial: readonly string[], description: string) =>
  defaulted(
    Type.Array(Type.String({ minLength: 1, maxLength: 254 }), { maxItems: 100, default: [...initial] }),
    'up to 100 texts',
    description,
  );

const oidc = Type.Object(
  {
    name: defaulted(
      Type.String({ minLength: 1, maxLength: 60, default: 'single sign-on' }),
      'up to 60 characters',
      'Name of the provider on the sign-in page.',
    ),
    issuer: setting(
      Type.String({ pattern: '^https://[^\\s?#]+$', maxLength: 1000 }),
      'an https URL',
      'Issuer, exactly as in its discovery document and tokens.',
    ),
    client_id: name('Client ID of this server at the provider.', 1000),
    client_secret: secret(
      Type.String({ minLength: 1, maxLength: 4096 }),
      'a secret',
      'Client secret. Prefer `client_secret_file` or the environment. Without a secret the server is a public client with PKCE.',
    ),
    client_secret_file: Type.Optional(path('File with the client secret. Read at start.')),
    scopes: names(['openid', 'profile', 'email'], 'Scopes to request. `openid` is always added.'),
    claims: section({
      name: defaulted(
        Type.String({ minLength: 1, maxLength: 254, default: 'preferred_username' }),
        'a claim',
        'Claim for the name of a new user.',
      ),
      email: defaulted(
        Type.String({ minLength: 1, maxLength: 254, default: 'email' }),
        'a claim',
        'Claim for the email address. It counts only with `email_verified: true`.',
      ),
      groups: defaulted(
        Type.String({ minLength: 1, maxLength: 254, default: 'groups' }),
        'a claim',
        'Claim for the groups, in the ID token or else in userinfo. Dots separate a path: `realm_access.roles`.',
      ),
      directory_id: Type.Optional(
        setting(
          Type.String({ minLength: 1, maxLength: 254 }),
          'a claim',
          'Claim with the `externalId` that SCIM provisions: `oid` of Entra ID, `sub` of Okta. Absent: users are not matched by it.',
        ),
      ),
    }),
    create: defaulted(
      Type.Enum(['always', 'invited', 'never'], { default: 'invited' }),
      'always, invited, never',
      'Creation of users at their first sign-in. always: for everybody. invited: for verified email addresses with an invitation. never: not at all.',
    ),
    link_by_email: defaulted(
      Type.Boolean({ default: false }),
      'true, false',
      'Whether the first sign-in links to an existing user by the verified email address. Only for a provider whose users cannot choose their address.',
    ),
    sso_team_ids: defaulted(
      Type.Boolean({ default: true }),
      'true, false',
      'Whether a team gets the members of the group in its `sso-team-id`. The owners team is mapped only by `teams`.',
    ),
    teams: defaulted(
      Type.Array(
        Type.Object(
          {
            group: name('Group name at the provider. `*` at the end matches any suffix.'),
            organization: name('Name of the organization.'),
            team: name('Name of the team; `owners` is allowed.'),
          },
          { additionalProperties: false },
        ),
        { maxItems: 500, default: [] },
      ),
      'up to 500 rules',
      'Rules that map groups to teams.',
    ),
    policies: Type.Optional(
      setting(
        Type.Array(
          Type.Object(
            {
              group: name('Group name at the provider. `*` at the end matches any suffix.'),
              policy: setting(
                Type.String({ pattern: '^(?![Rr][Oo][Oo][Tt]$)[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$' }),
                'the name of a policy, in lower case as the access API stores it; not `root`',
                'Policy of the access API.',
              ),
            },
            { additionalProperties: false },
          ),
          { maxItems: 500 },
        ),
        'up to 500 rules',
        'Rules that map groups to policies of the access API. A user with a policy is signed in to both APIs at once.',
      ),
    ),
    site_admin_groups: names([], 'Group whose members are site administrators.'),
    authorities_file: Type.Optional(
      path("PEM file: CA certificates that verify the provider, in addition to the system's. Read at start."),
    ),
    allowed_addresses: defaulted(
      Type.Array(Type.String({ minLength: 1, maxLength: 254 }), { maxItems: 100, default: [] }),
      HOSTS_AND_BLOCKS,
      'Internal addresses that the provider may use, for a provider on a private network.',
    ),
  },
  { additionalProperties: false },
);

/** Sign-in of users in a browser. */
export const signIn = Type.Object(
  {
    session_idle: duration('8h', 'Idle timeout of a browser session: 5m to 720h, at most `session_lifetime`.'),
    session_lifetime: duration('24h', 'Maximum lifetime of a browser session: 15m to 2160h.'),
    reauthenticate_after: duration(
      '1h',
      'Age of a sign-in after which users must sign in again before sensitive actions, such as deleting an organization or creating a token: 1m to 2160h, or 0s for never.',
    ),
    organization_providers: defaulted(
      Type.Boolean({ default: true }),
      'true, false',
      'Whether organizations may configure their own identity providers. Users of such a provider belong only to that organization.',
    ),
    passkeys: defaulted(
      Type.Boolean({ default: true }),
      'true, false',
      'Whether users may sign in with passkeys. Users of an identity provider sign in there, and have none.',
    ),
    invited_accounts: Type.Optional(
      setting(
        Type.Boolean(),
        'true, false',
        'Whether the link of an invitation lets a person without an account create one, with a passkey. Default: true without `oidc`, else false. Needs `passkeys`.',
      ),
    ),
    invited_accounts_per_day: defaulted(
      Type.Integer({ minimum: 1, maximum: 10_000, default: 500 }),
      '1 to 10000',
      'Accounts that links of invitations create in 24 hours. After that, invited people without an account have to wait.',
    ),
    oidc: Type.Optional(oidc),
  },
  { additionalProperties: false },
);

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
  /** Accounts that links of invitations create in 24 hours. Default: 500. */
  readonly invitedAccountsPerDay?: number;
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

type Tree = Static<typeof signIn>;

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
    invitedAccountsPerDay: tree.invited_accounts_per_day,
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
