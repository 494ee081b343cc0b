import { quoted } from '../../components/path-line/path-line.ts';
import { text } from '../../shell/search.ts';

/** What the list shows, as it stands in the address. */
export interface Filters {
  /** Part of a name, or a name with stars. */
  readonly name?: string;
  /** With commas between them; all have to be there. */
  readonly tags?: string;
  readonly without?: string;
  /** The id of a project. */
  readonly project?: string;
  readonly status?: StatusGroup;
  readonly locked?: 'yes' | 'no';
  /** How it is carried out: `remote`, `local`, `agent`. */
  readonly mode?: string;
  readonly engine?: string;
  /** Columns beside those that most ask for, with commas between them. */
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

/** Whatever else the address says is left out. */
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

/** The same in the words of the API. `statuses` are those of runs in a group. */
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

/** The same as our own command line has it; undefined for what its list cannot filter by. */
export function commandOf(organization: string, { name, ...others }: Filters): string | undefined {
  const { sort: _, columns: _columns, ...filters } = others;
  if (Object.keys(filters).length > 0 || name?.includes('*')) return undefined;
  const search = name ? ` --search ${quoted(name)}` : '';
  return `lockkeeper workspace list --organization ${organization}${search}`;
}
