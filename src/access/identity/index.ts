/** Identities behind tokens: entities, groups and their aliases at the mounts. */

export { MAX_ALIAS_BYTES } from './alias/alias-name.ts';
export { IDENTITY_VERSION } from './common/changing.ts';
export { type Holdings, NOTHING_HELD } from './entity/holdings.ts';
export { identityOperations } from './identity-operations.ts';
export {
  IdentityService,
  type LoginIdentity,
  type LoginIdentityRequest,
  type Unidentified,
} from './identity-service.ts';
