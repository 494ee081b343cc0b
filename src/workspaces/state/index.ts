import type { Module } from '../platform/module.ts';
import { baseline } from './migrations/baseline.ts';
import {
  DifferenceResource,
  GraphResource,
  InstanceResource,
  OutputResource,
  WorkspaceOutputResource,
} from './version/content-resources.ts';
import { sealedOutputs } from './version/given.ts';
import { StateVersionResource } from './version/resource.ts';

export { createStates, type States } from './create-states.ts';
export { UPLOAD_OUTCOMES } from './hooks/hooks.ts';
export type { StateUses } from './reader/uses.ts';
export { stateTransferRoutes } from './transfer/transfer-routes.ts';
export { stateContentColumns } from './version/content-store.ts';
export { currentContent } from './version/current-content.ts';
export { stateRoutes } from './version/routes.ts';
export { openSummary } from './version/summary.ts';

export const state: Module = {
  migrations: [baseline],
  sealedColumns: [sealedOutputs],
  resources: [
    StateVersionResource,
    OutputResource,
    WorkspaceOutputResource,
    InstanceResource,
    GraphResource,
    DifferenceResource,
  ],
};
