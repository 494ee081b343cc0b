import { AppError } from '../../../lib/errors.ts';
import { isRenewable, type Token } from '../../model/token.ts';
import type { TtlLimits } from '../../model/ttl-limits.ts';
import type { Call } from '../../operation/operation.ts';
import type { RenewedToken, TokenService } from '../lifecycle/token-service.ts';
import type { TtlTerms } from '../lifecycle/ttl.ts';
import type { TokenRoleStore } from '../role/token-role-store.ts';

/** Renews on the terms of the method that issued the token. Filled by the mounts, which know the methods: those depend on tokens. */
export type RenewByMethod = (token: Token, call: Call, increment: number) => Promise<RenewedToken>;

export interface RenewalParts {
  readonly tokens: TokenService;
  readonly renewByMethod: RenewByMethod;
  readonly limits: TtlLimits;
}

/**
 * Gives a token more time, whoever asks for it and by whatever it was named: a token of a method on the terms of that method,
 * one that another token created on its own and those that its role has today.
 * @param increment seconds asked for; 0: none
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
  if (!role) throw new AppError('bad-request', 'the role of the token is gone, not renewing');
  // A maximum that the token was made with stays one, whatever its role has become.
  return { ...own, period: role.token_period, maxTtl: role.token_explicit_max_ttl };
}
