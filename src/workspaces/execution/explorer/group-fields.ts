import type { Field } from './field.ts';
import type { Use } from './table/package-names.ts';

/** A provider, module, resource type or engine version, and its use by the visible workspaces. */
export interface Group {
  /** Unique within the view type. */
  readonly id: string;
  readonly use: Use;
  /** Number of workspaces. */
  readonly count: number;
  /** Number of instances; 0 for anything but resource types. */
  readonly instances: number;
  /** Names of the workspaces, by name. Only the first ones, and only after the rows are chosen. */
  readonly workspaces: readonly string[];
}

const name: Field<Group> = { name: 'name', kind: 'text', get: ({ use }) => use.name };
const source: Field<Group> = { name: 'source', kind: 'text', get: ({ use }) => use.source };
const version: Field<Group> = { name: 'version', kind: 'text', isVersion: true, get: ({ use }) => use.version };
const count: Field<Group> = { name: 'workspace_count', kind: 'number', get: (group) => group.count };

/**
 * The names of the workspaces. Filters do not use `get`: they are applied to all workspaces of a group, not only to
 * the first ones (`groups.ts`).
 */
export const WORKSPACES: Field<Group> = { name: 'workspaces', kind: 'list', get: (group) => group.workspaces };

const registry: Field<Group> = { name: 'registry_type', kind: 'text', get: ({ use }) => use.registryType };
/** HCP Terraform marks providers and modules that its editors have chosen. This server has none. */
const curated: Field<Group> = { name: 'curated', kind: 'boolean', get: () => false };

/** Fields of providers and modules. */
export const PACKAGE_FIELDS: readonly Field<Group>[] = [
  ...[name, source, version, registry, curated, count, WORKSPACES],
];
/** Our view type: types of managed resources. */
export const RESOURCE_TYPE_FIELDS: readonly Field<Group>[] = [
  { name: 'resource_type', kind: 'text', get: ({ use }) => use.name },
  { name: 'provider', kind: 'text', get: ({ use }) => use.source },
  { name: 'instance_count', kind: 'number', get: ({ instances }) => instances },
  count,
  WORKSPACES,
];
/** `engine` is ours: OpenTofu and Terraform have the same version numbers. */
export const ENGINE_VERSION_FIELDS: readonly Field<Group>[] = [
  { name: 'unique_identifier', kind: 'text', get: ({ id }) => id },
  version,
  { name: 'engine', kind: 'text', get: ({ use }) => use.name },
  count,
  WORKSPACES,
];
