import { RUNNING, WAITING } from '../../components/state/run-status.ts';
import { count } from '../../format/number.ts';
import { text } from '../../shell/search.ts';

/** What a list of runs shows, as it stands in the address. */
export interface RunsSearch {
  readonly status?: StatusGroup;
  readonly operation?: string;
  readonly source?: string;
  /** Part of a message or of the name of whoever began it, or an id. */
  readonly search?: string;
  /** The name of a workspace, in the list of an organization. */
  readonly workspace?: string;
}

export type StatusGroup = 'waits' | 'running' | 'queued' | 'errored' | 'applied';

/** Which statuses each group has. */
const STATUSES: Readonly<Record<StatusGroup, readonly string[]>> = {
  waits: WAITING,
  running: RUNNING,
  queued: ['pending', 'queuing', 'plan_queued', 'queuing_apply', 'apply_queued'],
  errored: ['errored'],
  applied: ['applied'],
};
export const STATUS_GROUPS = Object.keys(STATUSES) as readonly StatusGroup[];

/** How the runs of an organization stand, as far as they were counted. */
export interface RunCounts {
  readonly statuses: Readonly<Record<string, number>>;
  /** There are more of these. */
  readonly 'at-least': readonly string[];
}

/** `12`, or `1,000+`. */
export function inGroup({ statuses, 'at-least': more }: RunCounts, group: StatusGroup): string {
  const total = STATUSES[group].reduce((sum, status) => sum + (statuses[status] ?? 0), 0);
  return `${count(total)}${STATUSES[group].some((status) => more.includes(status)) ? '+' : ''}`;
}

/** Kinds of runs, as the API filters by them and as they are read. */
export const OPERATIONS: Readonly<Record<string, string>> = {
  plan_and_apply: 'plan and apply',
  plan_only: 'plan only',
  refresh_only: 'refresh only',
  destroy: 'destroy',
  save_plan: 'saved plan',
  empty_apply: 'empty apply',
};

/** Where runs come from. */
export const SOURCES: Readonly<Record<string, string>> = {
  'tfe-api': 'API and command line',
  'tfe-configuration-version': 'upload',
  'tfe-run-trigger': 'run trigger',
};

const isOneOf = <T extends object>(all: T, text: unknown): text is Extract<keyof T, string> =>
  typeof text === 'string' && Object.hasOwn(all, text);

/** Whatever else the address says is left out. */
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

/** The same in the words of the API. */
export function queryOf({ status, operation, source, search, workspace }: RunsSearch) {
  return {
    ...(status && { 'filter[status]': STATUSES[status].join(',') }),
    ...(operation && { 'filter[operation]': operation }),
    ...(source && { 'filter[source]': source }),
    ...(search && { 'search[basic]': search }),
    ...(workspace && { 'filter[workspace_names]': workspace }),
  };
}

/** What kind of a run it is. */
export function operationOf(run: Readonly<Record<'plan-only' | 'save-plan' | 'is-destroy' | 'refresh-only', boolean>>) {
  if (run['plan-only']) return run['is-destroy'] ? 'plan only, destroy' : 'plan only';
  if (run['save-plan']) return 'saved plan';
  if (run['is-destroy']) return 'destroy';
  return run['refresh-only'] ? 'refresh only' : 'plan and apply';
}
