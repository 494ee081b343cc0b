import type { Reply } from '../api/operation.ts';
import type { AuthBlock } from '../envelope.ts';
import { isRenewable, type Token } from './token.ts';

/** The `auth` member of a login or a renewal. `ttl` in seconds. */
function authBlock(token: Token, text: string, ttl: number): AuthBlock {
  return {
    client_token: text,
    accessor: token.accessor,
    policies: token.policies,
    token_policies: token.policies,
    metadata: token.metadata,
    lease_duration: ttl,
    renewable: isRenewable(token),
    entity_id: token.entityId ?? '',
    token_type: token.type,
    orphan: token.orphan,
    mfa_requirement: null,
    num_uses: token.usesLeft ?? 0,
  };
}

interface Issued {
  readonly token: Token;
  readonly text: string;
  readonly ttl: number;
  readonly warnings: readonly string[];
}

/** What a login answers. */
export function authReply({ token, text, ttl, warnings }: Issued): Reply {
  return { auth: authBlock(token, text, ttl), warnings };
}
