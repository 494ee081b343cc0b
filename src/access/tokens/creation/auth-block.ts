import { isRenewable, type Token } from '../../model/token.ts';
import type { AuthBlock } from '../../operation/envelope.ts';
import type { Reply } from '../../operation/operation.ts';

/** Returns the `auth` member of a login or a renewal. `ttl` is in seconds. */
function authBlock({ token, text, ttl }: Issued, identityPolicies: readonly string[]): AuthBlock {
  return {
    client_token: text,
    accessor: token.accessor,
    policies: [...new Set([...token.policies, ...identityPolicies])].sort(),
    token_policies: token.policies,
    ...(identityPolicies.length > 0 && { identity_policies: identityPolicies }),
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

/**
 * Returns the response of a login.
 * @param identityPolicies policies that the token's entity adds now
 */
export function authReply(issued: Issued, identityPolicies: readonly string[]): Reply {
  return { auth: authBlock(issued, identityPolicies), warnings: issued.warnings };
}
