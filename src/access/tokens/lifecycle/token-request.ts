import type { Token } from '../../model/token.ts';
import { newTokenAccessor } from './token-text.ts';
import type { TtlTerms } from './ttl.ts';

/** Properties of a new token. The others follow from the time and the limits of its mount. */
export type TokenRequest = Pick<
  Token,
  'type' | 'path' | 'displayName' | 'policies' | 'metadata' | 'boundCidrs' | 'mountId' | 'certificate'
> &
  Partial<Pick<Token, 'parentId' | 'entityId' | 'role' | 'renewable'>> & {
    readonly terms: TtlTerms;
    /** Maximum number of uses. 0: no limit. */
    readonly numUses: number;
    /** Custom text of the token. Default: a generated one. */
    readonly text?: string;
    /**
     * Creation time of the parent in milliseconds since 1970. The child is never older, even if this node's clock is
     * behind.
     */
    readonly notBefore?: number;
    /** Whether a root token never expires. `terms` is ignored then. */
    readonly endless?: boolean;
  };

/**
 * Returns the token of a request.
 * @param ttl lifetime in seconds; 0: never expires
 */
export function tokenOf(request: TokenRequest, id: string, now: number, ttl: number): Token {
  const { terms, numUses, parentId = null, entityId = null, role = null, ...rest } = request;
  const { text: _, endless: __, notBefore: ___, ...fields } = rest;
  const batch = request.type === 'batch';
  return {
    ...fields,
    id,
    accessor: batch ? '' : newTokenAccessor(),
    usesLeft: numUses || null,
    orphan: parentId === null,
    parentId,
    entityId,
    role,
    renewable: !batch && ttl > 0 && (request.renewable ?? true),
    period: terms.period,
    explicitMaxTtl: terms.explicitMaxTtl,
    creationTtl: ttl,
    createdAt: now,
    renewedAt: null,
    expiresAt: ttl === 0 ? null : now + ttl * 1000,
  };
}

const NO_TERMS: TtlTerms = { ttl: 0, maxTtl: 0, period: 0, explicitMaxTtl: 0 };

/** Returns the request for a root token that never expires. */
export const rootRequest = (path: string, text?: string): TokenRequest => ({
  type: 'service',
  path,
  displayName: 'root',
  policies: ['root'],
  metadata: null,
  boundCidrs: [],
  mountId: null,
  certificate: null,
  terms: NO_TERMS,
  numUses: 0,
  endless: true,
  ...(text !== undefined && { text }),
});
