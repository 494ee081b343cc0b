/** What a token may do: put together of its policies and those of whoever it stands for, asked, and explained. */
export { Authorities } from './authorities.ts';
export { authorizationOperations } from './authorization-operations.ts';
