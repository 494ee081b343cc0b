/**
 * OpenID Connect client for one provider: redirects people to it and verifies their return. It does not depend on the
 * user accounts.
 */
export type { Person } from './claims.ts';
export { type EndedSession, LogoutTokens } from './logout-tokens.ts';
export { OidcError, type OidcFault } from './oidc-error.ts';
export { OidcProvider, type OidcProviderOptions } from './provider.ts';
