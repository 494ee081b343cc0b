/** One OpenID provider: people are sent there, and come back with proof of who they are. It knows nothing of users here. */
export type { Person } from './claims.ts';
export { type EndedSession, LogoutTokens } from './logout-tokens.ts';
export { OidcError, type OidcFault } from './oidc-error.ts';
export { OidcProvider, type OidcProviderOptions } from './provider.ts';
