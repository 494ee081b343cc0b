import type { Field, Value } from './field.ts';
import type { Readable } from './readable.ts';
import type { Inherited } from './table/row-store.ts';
import type { ExplorerRow } from './table/rows.ts';

const DAY = 86_400_000;

/** A visible workspace with all that its fields need. */
export interface WorkspaceItem {
  readonly row: ExplorerRow;
  readonly readable: Readable;
  readonly context: Context;
}

/** Facts that all workspaces of a query share. */
export interface Context {
  readonly organizationName: string;
  readonly inherited: Inherited;
  readonly now: number;
}

type Get = (row: ExplorerRow, context: Context) => Value;

const field = (name: string, kind: Field<WorkspaceItem>['kind'], get: Get): Field<WorkspaceItem> => ({
  name,
  kind,
  get: ({ row, context }) => get(row, context),
});

/** The value is null if the actor may not read the runs, or the states, of the workspace. */
const guarded = (part: 'runs' | 'states', one: Field<WorkspaceItem>): Field<WorkspaceItem> => ({
  ...one,
  get: (item) => (item.readable[part] ? one.get(item) : null),
});
const ofRun = (name: string, kind: Field<WorkspaceItem>['kind'], get: Get) => guarded('runs', field(name, kind, get));
const ofState = (name: string, kind: Field<WorkspaceItem>['kind'], get: Get) =>
  guarded('states', field(name, kind, get));
const version = (one: Field<WorkspaceItem>): Field<WorkspaceItem> => ({ ...one, isVersion: true });

/** Fields of the view type `workspaces`. The last ones are ours. */
export const WORKSPACE_FIELDS: readonly Field<WorkspaceItem>[] = [
  ofRun('all_checks_succeeded', 'boolean', (row) => row.allChecksSucceeded),
  ofState('current_rum_count', 'number', (row) => row.managed),
  ofRun('checks_errored', 'number', (row) => row.checksErrored ?? 0),
  ofRun('checks_failed', 'number', (row) => row.checksFailed ?? 0),
  ofRun('checks_passed', 'number', (row) => row.checksPassed ?? 0),
  ofRun('checks_unknown', 'number', (row) => row.checksUnknown ?? 0),
  ofRun('current_run_applied_at', 'time', (row) => row.runAppliedAt),
  ofRun('current_run_external_id', 'text', (row) => row.runId),
  ofRun('current_run_status', 'text', (row) => row.runStatus),
  ofRun('drifted', 'boolean', (row) => row.drifted === 1),
  field('external_id', 'text', (row) => row.id),
  ofState('module_count', 'number', (row) => row.modules?.length ?? null),
  ofState('modules', 'list', (row) => row.moduleTexts),
  field('organization_name', 'text', (_row, { organizationName }) => organizationName),
  field('project_external_id', 'text', (row) => row.projectId),
  field('project_name', 'text', (row, { inherited }) => inherited.projects.get(row.projectId)?.name ?? null),
  ofState('provider_count', 'number', (row) => row.providers?.length ?? null),
  ofState('providers', 'list', (row) => row.providerTexts),
  field('resource_count', 'number', (row) => row.resourceCount),
  ofRun('resources_drifted', 'number', (row) => row.resourcesDrifted ?? 0),
  ofRun('resources_undrifted', 'number', (row) => row.resourcesUndrifted ?? 0),
  // No-code modules do not exist here.
  field('source_module_id', 'text', () => null),
  version(ofState('state_version_terraform_version', 'text', (row) => row.stateEngineVersion)),
  field('tags', 'list', (row) => row.tags),
  field('vcs_repo_identifier', 'text', (row) => row.repository),
  field('workspace_created_at', 'time', (row) => row.createdAt),
  field('workspace_name', 'text', (row) => row.name),
  version(field('workspace_terraform_version', 'text', (row) => row.engineVersion)),
  field('workspace_updated_at', 'time', (row) => row.updatedAt),
  field('engine', 'text', (row, { inherited }) => engineOf(row, inherited)),
  field('execution_mode', 'text', (row, { inherited }) => modeOf(row, inherited)),
  ofRun('assessed_at', 'time', (row) => row.assessedAt),
  ofRun('last_applied_at', 'time', (row) => row.lastAppliedAt),
  ofRun('days_since_apply', 'number', ({ lastAppliedAt }, { now }) =>
    lastAppliedAt === null ? null : Math.max(0, Math.floor((now - lastAppliedAt) / DAY)),
  ),
];

export function engineOf({ engine }: ExplorerRow, inherited: Inherited): string {
  return engine ?? inherited.engine;
}

function modeOf({ mode, projectId }: ExplorerRow, inherited: Inherited): string {
  return mode ?? inherited.projects.get(projectId)?.mode ?? inherited.mode;
}
