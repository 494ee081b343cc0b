import type { Dialect, Queries } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { allOf, anyOf, type Fragment, fragment, isOneOf, likePattern, select } from '../../query/dynamic.ts';
import { COLUMNS, JOINS, type WorkspaceRow, workspaceOf } from '../model/row.ts';
import type { Workspace } from '../model/workspace.ts';
import type { NamePattern } from './pattern.ts';
import { isSeen, type ListScope, visibleIn } from './scope.ts';
import { type SettingsFilter, settingsConditions } from './settings-columns.ts';
import { choose } from './source.ts';
import { carries, hasPair, type Pair, pairsOf, type Term, termsOf } from './tags.ts';

/** ORDER BY clause of each sort key, for the name column of the source. */
export const SORTS = {
  name: (name: string) => name,
  '-name': (name: string) => `${name} desc`,
  'latest-change-at': (name: string) => `w.latest_change_at, ${name}`,
  '-latest-change-at': (name: string) => `w.latest_change_at desc, ${name}`,
  // Workspaces without a run come last in either direction.
  'current-run.created-at': (name: string) => `coalesce(w.current_run_created_at, 9007199254740991), ${name}`,
  '-current-run.created-at': (name: string) => `coalesce(w.current_run_created_at, 0) desc, ${name}`,
} as const;

/** A sort key. */
export type SortKey = keyof typeof SORTS;

/** Filter of a list (spec §4.3). All conditions must hold. */
export interface ListFilter extends SettingsFilter {
  /** Part of the name, ignoring case. */
  readonly name: string | undefined;
  /** Name with `*` for any characters, ignoring case. */
  readonly wildcardName: string | undefined;
  /** Required tags: all of them, as flat tags or as keys of bindings. */
  readonly tags: readonly string[];
  /** Excluded tags: workspaces with any of them are not listed. */
  readonly excludedTags: readonly string[];
  /** Required key-value tags: all of them; null matches any value. */
  readonly bindings: readonly { readonly key: string; readonly value: string | null }[];
  /** Whether the key-value tags are alternatives, so that one matching binding is enough. */
  readonly isUnion: boolean;
  /** Statuses of the current run, any of which matches; an empty list matches all workspaces. */
  readonly runStatuses: readonly string[];
  readonly sort: SortKey;
}

/** Returns the conditions on the name as patterns. Only one of them has wildcards (spec §4.3). */
export function namePatterns({ name, wildcardName }: ListFilter): NamePattern[] {
  return [
    ...(name === undefined ? [] : [['', name, '']]),
    ...(wildcardName === undefined ? [] : [wildcardName.split('*')]),
  ];
}

/** Names are ASCII, so `lower` works the same in both databases. */
function nameLike(pattern: NamePattern): Fragment {
  return fragment`lower(w.name) like ${likePattern(pattern).toLowerCase()} escape '\\'`;
}

/** The conditions on tags, resolved in the organization. */
interface Tagged {
  readonly terms: readonly Term[];
  readonly excluded: readonly Term[];
  readonly pairs: readonly Pair[];
}

function conditionsOf(dialect: Dialect, filter: ListFilter, { terms, excluded, pairs }: Tagged): Fragment[] {
  return [
    ...namePatterns(filter).map(nameLike),
    ...terms.map(carries),
    ...excluded.map((term) => fragment`not ${carries(term)}`),
    ...(filter.isUnion && pairs.length > 0 ? [anyOf(pairs.map(hasPair))] : pairs.map(hasPair)),
    ...(filter.runStatuses.length === 0 ? [] : [isOneOf('w.current_run_status', filter.runStatuses)]),
    ...settingsConditions(dialect, filter),
  ];
}

/** Reads workspaces by id in the given order and skips missing ones. May use a cache. */
export type ReadWorkspaces = (ids: readonly string[]) => Promise<readonly Workspace[]>;

/**
 * Returns one page from the database: first the ids, then the rows. `read` replaces the second query, for example by a
 * cache.
 */
export async function queryWorkspaces(
  db: Queries,
  scope: ListScope,
  filter: ListFilter,
  page: Page,
  read?: ReadWorkspaces,
): Promise<Slice<Workspace>> {
  const visible = await visibleIn(db, scope);
  const { organizationId } = scope;
  const tagged: Tagged = {
    terms: await termsOf(db, organizationId, filter.tags),
    excluded: await termsOf(db, organizationId, filter.excludedTags),
    pairs: await pairsOf(db, organizationId, filter.bindings),
  };
  const sort = SORTS[filter.sort];
  const ofRow = sort('d.').includes('w.');
  const plain = conditionsOf(db.dialect, filter, tagged).length === 0;
  const rows = plain ? page.offset + page.size : undefined;
  const isUnion = filter.isUnion && tagged.pairs.length > 1;
  const { source, terms, pairs } = choose({
    scope,
    visible,
    terms: tagged.terms,
    // If the key-value tags are alternatives, no single one leads to all matches.
    pairs: isUnion ? [] : tagged.pairs,
    head: rows === undefined || ofRow ? undefined : { rows, descending: sort('').endsWith('desc') },
    rows: ofRow ? rows : undefined,
    byRow: ofRow,
  });
  const conditions = conditionsOf(db.dialect, filter, { ...tagged, terms, pairs: isUnion ? tagged.pairs : pairs });
  if (source.links && !source.seen && scope.projectId !== undefined) {
    conditions.push(fragment`w.project_id = ${scope.projectId}`);
  }
  const counted = conditions.length === 0;
  if (visible && !source.seen) conditions.push(isSeen(visible));

  // A link has a copy of the workspace's name and no other columns.
  const needsRow = source.links && (conditions.length > 0 || ofRow);
  const table = needsRow ? fragment`${source.table} cross join workspace w` : source.table;
  const joined = needsRow ? [fragment`w.id = d.workspace_id`] : [];
  const matching = fragment`from ${table} where ${allOf([source.where, ...joined, ...conditions])}`;
  // The scope knows the number of visible workspaces; a tag does not.
  const ofSeen = source.links && !source.seen ? undefined : visible?.count;
  const known = visible === undefined ? source.count : ofSeen;
  const count = counted ? known : undefined;
  // Few enough are visible to count them in the same query.
  const matched = fragment.raw(source.seen && count === undefined ? 'count(*) over ()' : 'null');
  const ids = fragment<Matched>`select ${fragment.raw(source.id)} as id, ${matched} as matched ${matching}
    order by ${fragment.raw(sort(source.name))} limit ${page.size} offset ${page.offset}`;
  const totalOf = async (found: readonly Matched[]) => count ?? found[0]?.matched ?? (await countOf(db, matching));
  if (read === undefined) {
    const found = await select(db, withRows(ids, sort('w.name')));
    return { items: found.map(workspaceOf), total: await totalOf(found) };
  }
  const found = await select(db, ids);
  return { items: await read(found.map(({ id }) => id)), total: await totalOf(found) };
}

type Matched = { readonly id: string; readonly matched: number | null };

function withRows(ids: Fragment, order: string) {
  return fragment<WorkspaceRow & Matched>`select ${fragment.raw(COLUMNS)}, p.matched from (${ids}) p
    join workspace w on w.id = p.id ${fragment.raw(JOINS)} order by ${fragment.raw(order)}`;
}

async function countOf(db: Queries, matching: Fragment): Promise<number> {
  const [counted] = await select(db, fragment<{ count: number }>`select count(*) as count ${matching}`);
  return counted?.count ?? 0;
}
