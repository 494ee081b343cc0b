import Type from 'typebox';
import { HOSTS_AND_BLOCKS } from './host-address.ts';
import { duration, optional, path, secret, setting } from './setting.ts';

const name = (description: string, most = 254) =>
  setting(Type.String({ minLength: 1, maxLength: most }), `up to ${most} characters`, description);
const names = (initial: readonly string[], description: string) =>
  optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 254 }), { maxItems: 100, default: [...initial] }),
    'up to 100 texts',
    description,
  );

const oidc = Type.Object(
  {
    name: optional(
      Type.String({ minLength: 1, maxLength: 60, default: 'single sign-on' }),
      'up to 60 characters',
      'What the sign-in page calls the provider.',
    ),
    issuer: setting(
      Type.String({ pattern: '^https://[^\\s?#]+$', maxLength: 1000 }),
      'an https address',
      'The issuer, exactly as its discovery document and its tokens name it.',
    ),
    client_id: name('What the provider calls this server.', 1000),
    client_secret: secret(
      Type.String({ minLength: 1, maxLength: 4096 }),
      'a secret',
      'Shared with the provider. Better in `client_secret_file` or in the environment. Neither: a public client, which proof keys protect.',
    ),
    client_secret_file: Type.Optional(path('A file that holds it. Read at the start.')),
    scopes: names(['openid', 'profile', 'email'], 'What is asked of the provider; `openid` is always added.'),
    claims: Type.Optional(
      Type.Object(
        {
          name: optional(
            Type.String({ minLength: 1, maxLength: 254, default: 'preferred_username' }),
            'a claim',
            'After what a new user is called.',
          ),
          email: optional(
            Type.String({ minLength: 1, maxLength: 254, default: 'email' }),
            'a claim',
            'The address; it counts with `email_verified: true` alone.',
          ),
          groups: optional(
            Type.String({ minLength: 1, maxLength: 254, default: 'groups' }),
            'a claim',
            'The groups: in the ID token, else in userinfo. A path has dots: `realm_access.roles`.',
          ),
          directory_id: Type.Optional(
            setting(
              Type.String({ minLength: 1, maxLength: 254 }),
              'a claim',
              'What a directory that provisions people knows them by (`externalId`): `oid` of Entra ID, `sub` of Okta. Absent: they are not found by it.',
            ),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    create: optional(
      Type.Enum(['always', 'invited', 'never'], { default: 'invited' }),
      'always, invited, never',
      'Who is let in who was never here: everybody, whose verified address is invited to an organization, or nobody.',
    ),
    link_by_email: optional(
      Type.Boolean({ default: false }),
      'true, false',
      'Whether a user who is here already is found by their verified address, the first time. Only for a provider that lets nobody choose their own.',
    ),
    sso_team_ids: optional(
      Type.Boolean({ default: true }),
      'true, false',
      'Whether a team takes the members of the group that its `sso-team-id` names. Owners come by `teams` alone.',
    ),
    teams: Type.Optional(
      setting(
        Type.Array(
          Type.Object(
            {
              group: name('As the provider calls it; `*` at its end stands for any end.'),
              organization: name('The organization.'),
              team: name('Its team; `owners` too.'),
            },
            { additionalProperties: false },
          ),
          { maxItems: 500 },
        ),
        'up to 500 rules',
        'Which group is in which team.',
      ),
    ),
    site_admin_groups: names([], 'Whose members set the installation up.'),
    authorities_file: Type.Optional(
      path('PEM: certificate authorities that vouch for the provider, beside those of the system. Read at the start.'),
    ),
    allowed_addresses: optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 254 }), { maxItems: 100 }),
      HOSTS_AND_BLOCKS,
      'Where the provider may be although it is closed: one on a private network.',
    ),
  },
  { additionalProperties: false },
);

/** How people sign in with a browser. */
export const signIn = Type.Object(
  {
    session_idle: duration(
      '8h',
      'When a session of a user in a browser ends that nobody uses: 5m to 720h, at most `session_lifetime`.',
    ),
    session_lifetime: duration('24h', 'When it ends however much it is used: 15m to 2160h.'),
    reauthenticate_after: duration(
      '1h',
      'Who signed in with the provider longer ago is sent there once more before they delete an organization or make a token: 1m to 2160h, or 0s for never.',
    ),
    organization_providers: optional(
      Type.Boolean({ default: true }),
      'true, false',
      'Whether organizations may have providers of their own, whose people are of that organization alone.',
    ),
    oidc: Type.Optional(oidc),
  },
  { additionalProperties: false },
);
