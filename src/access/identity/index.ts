/** Who is behind the tokens. */
export { IdentityService, type LoginIdentity, type LoginIdentityRequest } from './identity-service.ts';
export { identityOperations } from './operations.ts';
