/** Who is behind the tokens. */
export { type Holdings, NOTHING_HELD } from './holdings.ts';
export { IdentityService, type LoginIdentity, type LoginIdentityRequest } from './identity-service.ts';
export { identityOperations } from './operations.ts';
