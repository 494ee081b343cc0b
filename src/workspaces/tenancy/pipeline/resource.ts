import { Type } from 'typebox';
import type { Plain } from '../../../jwt/index.ts';
import { nullable, text } from '../../jsonapi/schema.ts';
import { attribute, is, optional, required, resourceOf, time, timeOrNull, toOne } from '../../resource/index.ts';
import type { PipelineIdentity } from './store.ts';

/** @limit issuer, audience or claim value of a pipeline identity, characters -> 422 */
export const LONGEST_VALUE = 500;
/** @limit audiences of a pipeline identity, audiences -> 422 */
const MOST_AUDIENCES = 10;
/** @limit claims of a pipeline identity, claims -> 422 */
const MOST_CLAIMS = 20;
/** @limit values of one claim of a pipeline identity, values -> 422 */
const MOST_VALUES = 20;
/** Shortest lifetime, in seconds. */
const SHORTEST_TTL = 60;
/** @limit lifetime of a token of a pipeline identity, seconds -> 422 */
const MAX_TTL = 3600;

const value = text(LONGEST_VALUE);
const PLAIN = ['string', 'number', 'boolean'];
/** Schema of one value or a list of values. */
const Claim = Type.Unsafe<Plain | readonly Plain[]>({
  ...value,
  type: [...PLAIN, 'array'],
  minItems: 1,
  maxItems: MOST_VALUES,
  items: { ...value, type: PLAIN },
});
const Audiences = Type.Array(Type.String({ ...value, minLength: 1 }), { minItems: 1, maxItems: MOST_AUDIENCES });
const Claims = Type.Record(Type.String(), Claim, { minProperties: 1, maxProperties: MOST_CLAIMS });

/** A pipeline identity. HCP Terraform does not have it. */
export const PipelineIdentityResource = resourceOf<PipelineIdentity>()('pipeline-identities', {
  attributes: {
    description: attribute(is.text, 'description', optional(nullable(text(255)))),
    issuer: attribute(is.text, 'issuer', required(value)),
    'jwks-url': attribute(is.textOrNull, ({ jwksUrl }) => (jwksUrl === '' ? null : jwksUrl), optional(nullable(value))),
    audiences: attribute(is.texts, 'audiences', required(Audiences)),
    // Allowed values, by name or JSON pointer of the claim.
    claims: attribute(Type.Record(Type.String(), Type.Array(Type.Unknown())), 'claims', required(Claims)),
    'token-ttl': attribute(is.integer, 'tokenTtl', optional(Type.Integer({ minimum: SHORTEST_TTL, maximum: MAX_TTL }))),
    'created-at': time('createdAt'),
    'last-used-at': timeOrNull('lastUsedAt'),
  },
  relationships: { team: toOne('teams', 'teamId') },
  links: ({ id }) => ({ self: `/api/v2/pipeline-identities/${id}` }),
});
