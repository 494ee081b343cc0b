import type { Operations } from '../../api/generated/workspaces.ts';

/** Kinds of rows that the explorer shows. */
export type ViewType = Operations['GET /organizations/{organization_name}/explorer']['query']['type'];
export type Kind = 'text' | 'number' | 'boolean' | 'time';

/** Fields by which each view type is filtered and sorted, with their kinds, in the order of the columns. */
export const FIELDS: Readonly<Record<ViewType, Readonly<Record<string, Kind>>>> = {
  workspaces: {
    ...{ workspace_name: 'text', project_name: 'text', current_run_status: 'text', drifted: 'boolean' },
    ...{ days_since_apply: 'number', engine: 'text', workspace_terraform_version: 'text', resource_count: 'number' },
    ...{ providers: 'text', modules: 'text', tags: 'text', all_checks_succeeded: 'boolean', checks_failed: 'number' },
    ...{ resources_drifted: 'number', provider_count: 'number', module_count: 'number', execution_mode: 'text' },
    ...{ state_version_terraform_version: 'text', vcs_repo_identifier: 'text', last_applied_at: 'time' },
    ...{ assessed_at: 'time', workspace_created_at: 'time', workspace_updated_at: 'time' },
  },
  tf_versions: { version: 'text', engine: 'text', workspace_count: 'number', workspaces: 'text' },
  providers: {
    ...{ name: 'text', source: 'text', version: 'text', registry_type: 'text', workspace_count: 'number' },
    workspaces: 'text',
  },
  modules: {
    ...{ name: 'text', source: 'text', version: 'text', registry_type: 'text', workspace_count: 'number' },
    workspaces: 'text',
  },
  resource_types: {
    ...{ resource_type: 'text', provider: 'text', instance_count: 'number', workspace_count: 'number' },
    workspaces: 'text',
  },
};

/** Columns of a view type without a choice of the user. */
export const USUAL: Readonly<Record<ViewType, readonly string[]>> = {
  workspaces: Object.keys(FIELDS.workspaces).slice(0, 8),
  tf_versions: Object.keys(FIELDS.tf_versions),
  providers: Object.keys(FIELDS.providers),
  modules: Object.keys(FIELDS.modules),
  resource_types: Object.keys(FIELDS.resource_types),
};

/** Facts of health assessments. Like HCP Terraform, the API has values for workspaces that were never assessed, too. */
export const ASSESSED: ReadonlySet<string> = new Set(['drifted', 'resources_drifted']);

/** Operators by kind of field. */
export const OPERATORS: Readonly<Record<Kind, readonly string[]>> = {
  text: ['contains', 'does_not_contain', 'is', 'is_not', 'is_empty', 'is_not_empty'],
  number: ['gteq', 'lteq', 'gt', 'lt', 'is', 'is_not', 'is_empty', 'is_not_empty'],
  boolean: ['is', 'is_empty', 'is_not_empty'],
  time: ['is_before', 'is_after', 'is_empty', 'is_not_empty'],
};

export const isType = (text: unknown): text is ViewType => typeof text === 'string' && Object.hasOwn(FIELDS, text);
