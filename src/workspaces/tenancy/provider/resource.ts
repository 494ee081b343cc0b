import { Type } from 'typebox';
import { nullable, text } from '../../jsonapi/schema.ts';
import { attribute, is, optional, required, resourceOf, time, toOne } from '../../resource/index.ts';
import type { Provider } from './store.ts';

/** @limit issuer, client id or client secret of an organization's identity provider, characters -> 422 */
const LONGEST_VALUE = 1_000;
/** @limit scopes of an organization's identity provider, scopes -> 422 */
const MOST_SCOPES = 20;
/** @limit rules that map groups of an organization's identity provider to teams, rules -> 422 */
const MOST_TEAMS = 200;
/** @limit CA certificates of an organization's identity provider, characters of PEM -> 422 */
const MAX_AUTHORITIES = 65_536;

const PLACE = '/app/~session/oidc';

/**
 * Returns the redirect URI of an organization's identity provider.
 * @param origin as in `ProviderResource`
 */
export const callbackOf = (origin: string, organizationId: string): string =>
  `${origin}${PLACE}/organizations/${organizationId}/callback`;

const named = (most: number) => Type.String({ ...text(most), minLength: 1 });
const claim = Type.Optional(named(254));

/**
 * The identity provider of an organization. HCP Terraform does not have it.
 * @param origin URL of this server as the caller reaches it: `https://lock.example`
 */
export const ProviderResource = resourceOf<Provider, [origin: string]>()('sign-in-providers', {
  attributes: {
    name: attribute(is.text, ({ settings }) => settings.name, required(named(60))),
    issuer: attribute(is.text, ({ settings }) => settings.issuer, required(named(LONGEST_VALUE))),
    'client-id': attribute(is.text, ({ settings }) => settings.clientId, required(named(LONGEST_VALUE))),
    'has-client-secret': attribute(is.flag, ({ clientSecret }) => clientSecret !== null),
    'client-secret': optional(nullable(text(LONGEST_VALUE))),
    scopes: attribute(
      is.texts,
      ({ settings }) => settings.scopes,
      optional(Type.Array(named(254), { maxItems: MOST_SCOPES })),
    ),
    claims: attribute(
      Type.Object({ name: is.text, email: is.text, groups: is.text }),
      ({ settings }) => settings.claims,
      optional(Type.Object({ name: claim, email: claim, groups: claim })),
    ),
    create: attribute(is.text, ({ settings }) => settings.create, optional(Type.Enum(['always', 'invited', 'never']))),
    'sso-team-ids': attribute(is.flag, ({ settings }) => settings.ssoTeamIds, optional(Type.Boolean())),
    teams: attribute(
      Type.Array(Type.Object({ group: is.text, team: is.text })),
      ({ settings }) => settings.teams,
      optional(Type.Array(Type.Object({ group: named(254), team: named(254) }), { maxItems: MOST_TEAMS })),
    ),
    'certificate-authorities': attribute(
      is.textOrNull,
      ({ settings }) => (settings.authorities === '' ? null : settings.authorities),
      optional(nullable(text(MAX_AUTHORITIES))),
    ),
    // URL to register at the identity provider.
    'callback-url': attribute(is.text, ({ organizationId }, origin) => callbackOf(origin, organizationId)),
    'logout-url': attribute(is.text, ({ organizationId }, origin) => `${origin}${PLACE}/logout/${organizationId}`),
    'created-at': time('createdAt'),
    'updated-at': time('updatedAt'),
  },
  relationships: { organization: toOne('organizations', 'organizationName') },
  id: ({ organizationId }) => organizationId,
  links: ({ organizationName }) => ({ self: `/api/v2/organizations/${organizationName}/sign-in-provider` }),
});
