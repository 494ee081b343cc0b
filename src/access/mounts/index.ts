/** Where authentication methods live: enabled, tuned, moved and disabled while the server runs. */
export { type FixedMount, IDENTITY_MOUNT, SYSTEM_MOUNT, TOKEN_MOUNT } from '../model/fixed-mounts.ts';
export { LeftoverStore } from './leftover-store.ts';
export type { Method, MethodCatalog } from './method.ts';
export { Methods } from './methods.ts';
export { MountKeeper } from './mount-keeper.ts';
export { mountOperations } from './mount-operations.ts';
export { MountService } from './mount-service.ts';
export { MountStore } from './mount-store.ts';
export { MountTable } from './mount-table.ts';
export { pluginOperations } from './plugin-operations.ts';
export { interfaceOperations } from './visible-mount-operations.ts';
