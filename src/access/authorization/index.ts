/** What a token may do: put together of its policies and those of whoever it stands for, asked, and explained. */

export { authorizationOperations } from './authorization-operations.ts';
export { PolicyResolver } from './policy-resolver.ts';
