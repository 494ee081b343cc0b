import { AppError } from '../../../lib/errors.ts';
import { isRenewable, type Token } from '../../model/token.ts';
import type { TtlLimits } from '../../model/ttl-limits.ts';
import type { Call } from '../../operation/operation.ts';
import type { RenewedToken, TokenService } from '../lifecycle/token-service.ts';
import type { TtlTerms } from '../lifecycle/ttl.ts';
import type { TokenRoleStore } from '../role/token-role-store.ts';

/** Renews a token through the method that issued it. The mounts provide it, because methods depend on tokens. */
export type RenewByMethod = (token: Token, call: Call, increment: number) => Promise<RenewedToken>;

export interface RenewalParts {
  readonly tokens: TokenService;
  readonly renewByMethod: RenewByMethod;
  readonly limits: TtlLimits;
}

/**
 * Renews a token for any caller. A method's token gets the method's terms; a token created by another one gets its
 * own terms and the current ones of its role.
 * @param increment requested seconds; 0: none
 * @throws AppError bad-request
 */
export async function renewToken(
  { tokens, renewByMethod, limits }: RenewalParts,
  token: Token,
  call: Call,
  increment: number,
): Promise<RenewedToken> {
  if (token.type === 'batch') throw new AppError('bad-request', 'batch tokens cannot be renewed');
  if (!isRenewable(token)) throw new AppError('bad-request', 'lease is not renewable');
  if (token.mountId !== null) return renewByMethod(token, call, increment);
  return tokens.renew(token, await ownTerms(token, tokens.roles), limits, increment);
}

async function ownTerms(token: Token, roles: TokenRoleStore): Promise<TtlTerms> {
  const own = { ttl: token.creationTtl, maxTtl: 0, period: token.period, explicitMaxTtl: token.explicitMaxTtl };
  if (token.role === null) return own;
  const role = await roles.find(token.role);
  if (!role) throw new AppError('bad-request', 'the token role no longer exists, not renewing');
  // The token's own maximum stays valid, whatever the role is now.
  return { ...own, period: role.token_period, maxTtl: role.token_explicit_max_ttl };
}
