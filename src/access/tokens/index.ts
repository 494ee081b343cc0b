/** Tokens: creation, lookup, renewal and revocation; token roles; the paths below `auth/token`. */
export { authReply } from './creation/auth-block.ts';
export {
  type IssuedToken,
  type LiveToken,
  type LoginRequest,
  type RenewedToken,
  type TokenRequest,
  TokenService,
  type Unstored,
} from './lifecycle/token-service.ts';
export type { TtlTerms } from './lifecycle/ttl.ts';
export { assertOneBinding, blocksFor } from './role/binding.ts';
export { type RenewByMethod, tokenOperations } from './token-operations.ts';
