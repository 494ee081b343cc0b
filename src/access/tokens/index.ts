/** Tokens: made, found, renewed and revoked; token roles; the paths below `auth/token`. */
export { authReply } from './auth-block.ts';
export { assertOneBinding, blocksFor } from './binding.ts';
export { type RenewByMethod, tokenOperations } from './token-operations.ts';
export {
  type IssuedToken,
  type LiveToken,
  type RenewedToken,
  type TokenRequest,
  TokenService,
  type Unstored,
} from './token-service.ts';
export type { TtlTerms } from './ttl.ts';
