import { Type } from 'typebox';
import { attribute, is, resourceOf, time } from '../../resource/index.ts';
import { TOKEN_TYPES, type TtlPolicy } from './ttl-policies.ts';

/**
 * Ten years.
 * @limit maximum token lifetime that an organization can set, ms -> 422
 */
const MAX_TTL = 10 * 365 * 24 * 3_600_000;

/** The maximum lifetime of one kind of tokens. */
export const TtlPolicyResource = resourceOf<TtlPolicy>()('organization-token-ttl-policies', {
  attributes: {
    'token-type': attribute(is.text, 'tokenType', { update: Type.Enum([...TOKEN_TYPES]) }),
    'max-ttl-ms': attribute(is.integerOrNull, 'maxTtl', {
      update: Type.Integer({ minimum: 60_000, maximum: MAX_TTL }),
    }),
    'created-at': time('createdAt'),
    'updated-at': time('updatedAt'),
  },
});
