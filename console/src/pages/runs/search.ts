import { CLI_SOURCES } from '../../../../src/lib/provenance/run-trigger.ts';
import { RUNNING, WAITING } from '../../components/state/run-status.ts';
import { count } from '../../format/number.ts';
import { text } from '../../shell/search.ts';
import * as texts from './texts.ts';

/** Search parameters of a run list. */
export interface RunsSearch {
  readonly status?: StatusGroup;
  readonly operation?: string;
  readonly source?: string;
  /** Part of a message or of a user name, or a run id. */
  readonly search?: string;
  /** Workspace name, in the list of an organization. */
  readonly workspace?: string;
}

export type StatusGroup = 'waits' | 'running' | 'queued' | 'errored' | 'applied';

/** Statuses of each group. */
const STATUSES: Readonly<Record<StatusGroup, readonly string[]>> = {
  waits: WAITING,
  running: RUNNING,
  queued: ['pending', 'queuing', 'plan_queued', 'queuing_apply', 'apply_queued'],
  errored: ['errored'],
  applied: ['applied'],
};
export const STATUS_GROUPS = Object.keys(STATUSES) as readonly StatusGroup[];

/** Number of runs by status, as far as the server counts. */
export interface RunCounts {
  readonly statuses: Readonly<Record<string, number>>;
  /** Statuses with more runs than counted. */
  readonly 'at-least': readonly string[];
}

/** Number of runs in a group: `12`, or `1,000+`. */
export function inGroup({ statuses, 'at-least': more }: RunCounts, group: StatusGroup): string {
  const total = STATUSES[group].reduce((sum, status) => sum + (statuses[status] ?? 0), 0);
  return `${count(total)}${STATUSES[group].some((status) => more.includes(status)) ? '+' : ''}`;
}

/** Kinds of runs: the API's filter values and their labels. */
export const OPERATIONS: Readonly<Record<string, string>> = {
  plan_and_apply: texts.planAndApply2,
  plan_only: texts.planOnly2,
  refresh_only: texts.refreshOnly2,
  destroy: texts.destroy2,
  save_plan: texts.savedPlan,
  empty_apply: texts.emptyApply,
};

/** Sources of runs. */
export const SOURCES: Readonly<Record<string, string>> = {
  [CLI_SOURCES.join(',')]: texts.commandLine,
  'tfe-ui': texts.console,
  'tfe-api': texts.api,
  'tfe-configuration-version': texts.upload,
  'tfe-run-trigger': texts.runTrigger,
};

const isOneOf = <T extends object>(all: T, text: unknown): text is Extract<keyof T, string> =>
  typeof text === 'string' && Object.hasOwn(all, text);

/** Reads the search parameters and ignores unknown ones. */
export function readRunsSearch(search: Readonly<Record<string, unknown>>): RunsSearch {
  const { status, operation, source } = search;
  return {
    ...(isOneOf(STATUSES, status) ? { status } : {}),
    ...(isOneOf(OPERATIONS, operation) ? { operation } : {}),
    ...(isOneOf(SOURCES, source) ? { source } : {}),
    ...text(search, 'search'),
    ...text(search, 'workspace'),
  };
}

/** Converts the search parameters to a query of the API. */
export function queryOf({ status, operation, source, search, workspace }: RunsSearch) {
  return {
    ...(status && { 'filter[status]': STATUSES[status].join(',') }),
    ...(operation && { 'filter[operation]': operation }),
    ...(source && { 'filter[source]': source }),
    ...(search && { 'search[basic]': search }),
    ...(workspace && { 'filter[workspace_names]': workspace }),
  };
}

/** Describes the kind of a run. */
export function operationOf(run: Readonly<Record<'plan-only' | 'save-plan' | 'is-destroy' | 'refresh-only', boolean>>) {
  if (run['plan-only']) return run['is-destroy'] ? texts.planOnlyDestroy : texts.planOnly2;
  if (run['save-plan']) return texts.savedPlan;
  if (run['is-destroy']) return texts.destroy2;
  return run['refresh-only'] ? texts.refreshOnly2 : texts.planAndApply2;
}
