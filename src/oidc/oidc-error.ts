/**
 * Why a sign-in failed. `away`: the provider is unreachable, too slow, or its response is too long. `denied`: the
 * provider refused the person. `invalid`: the response is not valid. `stale`: the person had to authenticate again and
 * did not. `groups`: the provider does not return the person's groups.
 */
export type OidcFault = 'away' | 'denied' | 'invalid' | 'stale' | 'groups';

/** A failed sign-in. The error contains nothing of the provider's response. */
export class OidcError extends Error {
  readonly fault: OidcFault;

  constructor(fault: OidcFault) {
    super(`OIDC sign-in failed: ${fault}`);
    this.fault = fault;
  }
}
