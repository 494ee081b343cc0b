import { quoted } from '../../components/path-line/path-line.ts';
import { text } from '../../shell/search.ts';

/** Filters of the list, as the URL contains them. */
export interface Filters {
  /** Part of a name, or a pattern with `*`. */
  readonly name?: string;
  /** Separated by commas; a workspace must have all of them. */
  readonly tags?: string;
  readonly without?: string;
  /** Id of a project. */
  readonly project?: string;
  readonly status?: StatusGroup;
  readonly locked?: 'yes' | 'no';
  /** Execution mode: `remote`, `local`, `agent`. */
  readonly mode?: string;
  readonly engine?: string;
  /** Optional columns, separated by commas. */
  readonly columns?: string;
  readonly sort?: string;
}

export type StatusGroup = 'waits' | 'running' | 'errored';
export const STATUS_GROUPS: readonly StatusGroup[] = ['waits', 'running', 'errored'];

const SORTS = [
  'name',
  '-name',
  'latest-change-at',
  '-latest-change-at',
  'current-run.created-at',
  '-current-run.created-at',
] as const;
export type Sort = (typeof SORTS)[number];
export const FIRST_SORT: Sort = '-latest-change-at';

/** Reads the filters from the URL; ignores other parameters. */
export function readFilters(search: Readonly<Record<string, unknown>>): Filters {
  const { status, sort, locked } = search;
  return {
    ...text(search, 'name'),
    ...text(search, 'tags'),
    ...text(search, 'without'),
    ...text(search, 'project'),
    ...text(search, 'mode'),
    ...text(search, 'engine'),
    ...text(search, 'columns'),
    ...(locked === 'yes' || locked === 'no' ? { locked } : {}),
    ...(STATUS_GROUPS.includes(status as StatusGroup) ? { status: status as StatusGroup } : {}),
    ...(SORTS.includes(sort as Sort) && sort !== FIRST_SORT ? { sort: sort as Sort } : {}),
  };
}

/** Returns the query parameters of the API. `statuses` contains the run statuses of each group. */
export function queryOf(
  { name, tags, without, project, status, sort, locked, mode, engine }: Filters,
  statuses: Readonly<Record<StatusGroup, readonly string[]>>,
) {
  const isPattern = name?.includes('*');
  return {
    ...(name && (isPattern ? { 'search[wildcard-name]': name } : { 'search[name]': name })),
    ...(tags && { 'search[tags]': tags }),
    ...(without && { 'search[exclude-tags]': without }),
    ...(project && { 'filter[project][id]': project }),
    ...(locked && { 'filter[locked]': locked === 'yes' ? ('true' as const) : ('false' as const) }),
    ...(mode && { 'filter[execution-mode]': mode }),
    ...(engine && { 'filter[engine]': engine }),
    ...(status && { 'filter[current-run][status]': statuses[status].join(',') }),
    sort: (sort ?? FIRST_SORT) as Sort,
  };
}

/** Returns the command of `lockkeeper` with the same filters; undefined if the command has no such filter. */
export function commandOf(organization: string, { name, ...others }: Filters): string | undefined {
  const { sort: _, columns: _columns, ...filters } = others;
  if (Object.keys(filters).length > 0 || name?.includes('*')) return undefined;
  const search = name ? ` --search ${quoted(name)}` : '';
  return `lockkeeper workspace list --organization ${organization}${search}`;
}
