/**
 * Why nobody was signed in: the provider is `away` (or slow, or answers without end), it `denied` the person, what it answered is
 * `invalid` or, of somebody who was to prove it once more, `stale`, or it keeps back to which `groups` the person belongs.
 */
export type OidcFault = 'away' | 'denied' | 'invalid' | 'stale' | 'groups';

/** Nothing of what the provider said is in it. */
export class OidcError extends Error {
  readonly fault: OidcFault;

  constructor(fault: OidcFault) {
    super(`sign-in by OIDC: ${fault}`);
    this.fault = fault;
  }
}
