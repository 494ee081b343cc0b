/** Leases of tokens: the public name of an expiring token, which starts with the path that issued it. */
export { leaseOperations } from './lease-operations.ts';
