import type { Token } from '../../model/token.ts';
import { newTokenAccessor } from './token-text.ts';
import type { TtlTerms } from './ttl.ts';

/** What a token is to hold; the rest follows from the time and the limits of its mount. */
export type TokenRequest = Pick<
  Token,
  'type' | 'path' | 'displayName' | 'policies' | 'metadata' | 'boundCidrs' | 'mountId' | 'certificate'
> &
  Partial<Pick<Token, 'parentId' | 'entityId' | 'role' | 'renewable'>> & {
    readonly terms: TtlTerms;
    /** 0: no limit. */
    readonly numUses: number;
    /** The text that the token is to have. Default: a new one. */
    readonly text?: string;
    /** When its parent came to be, in milliseconds: no child is older, whatever the clock of this node says. */
    readonly notBefore?: number;
    /** A root token may go on for ever; `terms` say nothing then. */
    readonly endless?: boolean;
  };

/** The token that a request makes, `ttl` seconds long; 0: without an end. */
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

/** A token that may do everything and never ends. */
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
