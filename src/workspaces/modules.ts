import type { ContentColumn, Migration, SealedColumn } from '../storage/index.ts';
import { sealedBlobKeys } from '../storage/index.ts';
import { auditTrail } from './audit-trail/index.ts';
import { execution } from './execution/index.ts';
import type { Module } from './platform/module.ts';
import { state, stateContentColumns } from './state/index.ts';
import { tenancy } from './tenancy/index.ts';
import { variables } from './variables/index.ts';
import { vcs } from './vcs/index.ts';
import { workspace } from './workspace/index.ts';

/** From the lowest to the highest: none knows one that stands after it. */
export const MODULES: readonly Module[] = [tenancy, workspace, state, variables, vcs, execution, auditTrail];

/** Every step of this API's schema, in order of their numbers. One that has landed never changes. */
export const workspacesMigrations: readonly Migration[] = MODULES.flatMap(({ migrations }) => migrations).toSorted(
  (a, b) => (a.name < b.name ? -1 : 1),
);

/** All that the keyring has sealed in the database of the workspaces. */
export const workspacesSealedColumns: readonly SealedColumn[] = [
  sealedBlobKeys,
  ...MODULES.flatMap(({ sealedColumns }) => sealedColumns),
];

/** What the keys of contents have sealed there. */
export const workspacesContentColumns: readonly ContentColumn[] = stateContentColumns;
