/** Leases: tokens that end, as clients know them by the path that they came from. */
export { leaseOperations } from './lease-operations.ts';
