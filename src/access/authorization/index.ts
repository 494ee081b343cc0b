/** Authorization: combines the policies of a token and its identity, evaluates requests, and explains decisions. */
export { Authorities } from './authorities.ts';
export { authorizationOperations } from './authorization-operations.ts';
