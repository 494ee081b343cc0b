/** Mounts of auth methods: enabled, tuned, moved and disabled at run time. */
export { BatchQueue } from './batch-queue.ts';
export { longestLease } from './longest-lease.ts';
export type { Method } from './method.ts';
export { mountOperations } from './mount-operations.ts';
export {
  mountState,
  nextIntermediates,
  nextMountState,
  nextMountStep,
  nextOf,
  setMountConfig,
  stateOfIntermediates,
} from './mount-state.ts';
export { type Mounted, MountTable } from './mount-table.ts';
export { Mounts } from './mounts.ts';
export { pluginOperations } from './plugin-operations.ts';
export { renewByMethod } from './renew-by-method.ts';
export { visibleMountOperations } from './visible-mount-operations.ts';
