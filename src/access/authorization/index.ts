/** Authorization: combines the policies of a token and its identity, evaluates requests, and explains decisions. */

export { authorizationOperations } from './authorization-operations.ts';
export { PolicyResolver } from './policy-resolver.ts';
