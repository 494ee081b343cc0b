import type { Field } from './field.ts';
import { ENGINE_VERSION_FIELDS, type Group, PACKAGE_FIELDS, RESOURCE_TYPE_FIELDS } from './group-fields.ts';
import { WORKSPACE_FIELDS } from './workspace-fields.ts';

/** Kinds of rows that a query returns. `resource_types` is ours; the others are those of HCP Terraform. */
export const VIEW_TYPES = ['workspaces', 'tf_versions', 'providers', 'modules', 'resource_types'] as const;
export type ViewType = (typeof VIEW_TYPES)[number];
export type GroupType = Exclude<ViewType, 'workspaces'>;

/** Fields of the groups. */
export const GROUP_FIELDS: Readonly<Record<GroupType, readonly Field<Group>[]>> = {
  tf_versions: ENGINE_VERSION_FIELDS,
  providers: PACKAGE_FIELDS,
  modules: PACKAGE_FIELDS,
  resource_types: RESOURCE_TYPE_FIELDS,
};

/** Types of the resources in documents. The first four are those of HCP Terraform. */
export const RESOURCE_TYPES: Readonly<Record<ViewType, string>> = {
  workspaces: 'visibility-workspace',
  tf_versions: 'visibility-tf-version',
  providers: 'visibility-provider-version',
  modules: 'visibility-module-version',
  resource_types: 'visibility-resource-type',
};

/** Returns the fields of a view type, in the order of documents and CSV files. */
export function fieldsOf(type: ViewType): readonly Pick<Field<never>, 'name' | 'kind'>[] {
  return type === 'workspaces' ? WORKSPACE_FIELDS : GROUP_FIELDS[type];
}
