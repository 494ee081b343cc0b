/** Identities behind tokens: entities, groups and their aliases at the mounts. */

export { MAX_ALIAS_BYTES } from './alias/alias-name.ts';
export { IDENTITY_VERSION } from './common/changing.ts';
export { type EntityGrants, NO_GRANTS } from './entity/entity-grants.ts';
export { identityOperations } from './identity-operations.ts';
export {
  IdentityService,
  type LoginIdentity,
  type LoginIdentityRequest,
  type Unidentified,
} from './identity-service.ts';
