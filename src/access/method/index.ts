/** Common parts of the auth methods: roles, their token settings, and the steps from a login to its token. */
export { REFUSAL_HINTS } from './login-refused.ts';
export { type AuthenticatedLogin, type Login, type LoginCall, type LoginPreview, Logins, UNNOTED } from './logins.ts';
export { roleName } from './role-name.ts';
export {
  KEPT_REMOVALS,
  type RoleFormat,
  RoleStore,
  type RoleVersion,
  removeRoleBatch,
  type StoredRole,
} from './role-store.ts';
export {
  checkedTokenSettings,
  mergeSettings,
  OLD_TOKEN_FIELDS,
  readBack,
  TOKEN_FIELDS,
  TOKEN_TEXTS,
  type TokenSettings,
  tokenWarnings,
} from './token-settings.ts';
export { tokenType } from './token-type.ts';
export { allPassed, type Verdict } from './verdict.ts';
