import type { ContentColumn, Migration, SealedColumn } from '../storage/index.ts';
import { sealedBlobKeys } from '../storage/index.ts';
import { auditTrail } from './audit-trail/index.ts';
import { execution, readmeContentColumns } from './execution/index.ts';
import type { Module } from './platform/module.ts';
import { state, stateContentColumns } from './state/index.ts';
import { tenancy } from './tenancy/index.ts';
import { variables } from './variables/index.ts';
import { vcs } from './vcs/index.ts';
import { workspace } from './workspace/index.ts';

/** Modules in dependency order: none imports a later one. */
export const MODULES: readonly Module[] = [tenancy, workspace, state, variables, vcs, execution, auditTrail];

/** All migrations of this API's schema, in the order of their numbers. A released migration never changes. */
export const workspacesMigrations: readonly Migration[] = MODULES.flatMap(({ migrations }) => migrations).toSorted(
  (a, b) => (a.name < b.name ? -1 : 1),
);

/** Columns of the workspace database that are encrypted with the keyring. */
export const workspacesSealedColumns: readonly SealedColumn[] = [
  sealedBlobKeys,
  ...MODULES.flatMap(({ sealedColumns }) => sealedColumns),
];

/** Columns that are encrypted with the keys of contents. */
export const workspacesContentColumns: readonly ContentColumn[] = [...stateContentColumns, ...readmeContentColumns];
