import Type from 'typebox';
import { HOSTS_AND_BLOCKS } from './host-address.ts';
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
    oidc: Type.Optional(oidc),
  },
  { additionalProperties: false },
);
