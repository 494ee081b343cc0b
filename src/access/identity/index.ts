/** Who is behind the tokens. */
export { type Holdings, NOTHING_HELD } from './holdings.ts';
export { identityOperations } from './identity-operations.ts';
export { IdentityService, type LoginIdentity, type LoginIdentityRequest } from './identity-service.ts';
