import { type Queries, sql } from '../../storage/index.ts';
import type { Page, Slice } from '../jsonapi/pagination.ts';
import type { Grant } from '../permissions/grants.ts';
import { workspaceLevel } from '../permissions/workspace.ts';
import { allOf, type Fragment, fragment, likePattern, select } from '../query/dynamic.ts';
import { COLUMNS, type WorkspaceRow, workspaceOf } from './store.ts';
import type { Workspace } from './workspace.ts';

/** Each way to sort, given the column that the source of the list has the name in. */
export const SORTS = {
  name: (name: string) => name,
  '-name': (name: string) => `${name} desc`,
  'latest-change-at': (name: string) => `w.latest_change_at, ${name}`,
  '-latest-change-at': (name: string) => `w.latest_change_at desc, ${name}`,
  // No workspace has a run yet, and those without one come last in either order.
  'current-run.created-at': (name: string) => name,
  '-current-run.created-at': (name: string) => name,
} as const;

export interface ListFilter {
  /** Contained in the name, whatever the case. */
  readonly name: string | undefined;
  /** The name with `*` for any characters, whatever the case. */
  readonly wildcardName: string | undefined;
  /** All of them, as flat tags or as keys of bindings. */
  readonly tags: readonly string[];
  /** None of them. */
  readonly excludedTags: readonly string[];
  /** All of them; without a value, any. */
  readonly bindings: readonly { readonly key: string; readonly value: string }[];
  readonly runStatus: string | undefined;
  readonly sort: keyof typeof SORTS;
}

/** Where a list may end: all of an organization, or of one of its projects. */
export interface ListScope {
  readonly organizationId: string;
  readonly projectId: string | undefined;
  /** Workspaces in it. */
  readonly count: number;
  readonly grant: Grant;
}

/** What one word of `search[tags]` means in an organization. */
interface Term {
  readonly key: string;
  readonly tagId: string | null;
  /** Workspaces that carry the tag. */
  readonly instances: number | null;
  /** 1 when some workspace has a binding of that key. */
  readonly bound: number;
}

const selectTerm = sql<{ organizationId: string; name: string; key: string }, Omit<Term, 'key'>>(
  `SELECT
     (SELECT id FROM tag WHERE organization_id = :organizationId AND name = :name) AS "tagId",
     (SELECT instance_count FROM tag WHERE organization_id = :organizationId AND name = :name) AS instances,
     EXISTS (SELECT 1 FROM tag_binding WHERE organization_id = :organizationId AND key = :key) AS bound`,
);

function termsOf(db: Queries, organizationId: string, words: readonly string[]): Promise<Term[]> {
  const resolved = words.map(async (key): Promise<Term> => {
    const term = await db.one(selectTerm, { organizationId, name: key.toLowerCase(), key });
    return { key, tagId: null, instances: null, bound: 0, ...term };
  });
  return Promise.all(resolved);
}

/** Whether workspace `w` carries the term. */
function carries({ tagId, key, bound }: Term): Fragment {
  const tag = fragment`exists (select 1 from workspace_tag l where l.workspace_id = w.id and l.tag_id = ${tagId})`;
  if (bound === 0) return tag;
  return fragment`(${tag} or exists (select 1 from tag_binding b where b.workspace_id = w.id and b.key = ${key}))`;
}

/** Names are ASCII, so that `lower` is alike in both databases. */
function nameLike(pattern: string): Fragment {
  return fragment`lower(w.name) like ${likePattern(pattern.toLowerCase())} escape '\\'`;
}

function conditionsOf(filter: ListFilter, grant: Grant, terms: readonly Term[], excluded: readonly Term[]): Fragment[] {
  const { name, wildcardName } = filter;
  return [
    // A grant is for the whole organization, or for nothing in it.
    ...(workspaceLevel(grant) === undefined ? [fragment`1 = 0`] : []),
    ...(name === undefined ? [] : [nameLike(`*${name}*`)]),
    ...(wildcardName === undefined ? [] : [nameLike(wildcardName)]),
    ...terms.map(carries),
    ...excluded.map((term) => fragment`not ${carries(term)}`),
    ...filter.bindings.map(({ key, value }) => {
      const valued = value === '' ? fragment`` : fragment`and b.value = ${value}`;
      return fragment`exists (select 1 from tag_binding b where b.workspace_id = w.id and b.key = ${key} ${valued})`;
    }),
    ...(filter.runStatus === undefined ? [] : [fragment`1 = 0`]),
  ];
}

/**
 * Where the list is read from, chosen here and not by the database: the links of the rarest tag, which are in the order of
 * the workspaces' names, or an index of names. Either way the database stops at the end of the page.
 */
interface Source {
  readonly from: Fragment;
  /** What the rows have to fulfil to be of the source at all. */
  readonly where: Fragment;
  readonly name: string;
  /** How many there are, where that is kept. */
  readonly count: number | undefined;
}

function sourceOf({ organizationId, projectId, count }: ListScope, rarest: Term | undefined): Source {
  if (rarest !== undefined) {
    const from = fragment`workspace_tag d cross join workspace w`;
    const tagged = fragment`d.tag_id = ${rarest.tagId} and w.id = d.workspace_id`;
    if (projectId === undefined) return { from, where: tagged, name: 'd.workspace_name', count: rarest.instances ?? 0 };
    const where = fragment`${tagged} and w.project_id = ${projectId}`;
    return { from, where, name: 'd.workspace_name', count: undefined };
  }
  const within =
    projectId === undefined ? fragment`w.organization_id = ${organizationId}` : fragment`w.project_id = ${projectId}`;
  return { from: fragment`workspace w`, where: within, name: 'w.name', count };
}

/** One page of the workspaces that the grant shows, with all that a document needs: ids first, then their rows. */
export async function listWorkspaces(
  db: Queries,
  scope: ListScope,
  filter: ListFilter,
  page: Page,
): Promise<Slice<Workspace>> {
  const terms = await termsOf(db, scope.organizationId, filter.tags);
  const excluded = await termsOf(db, scope.organizationId, filter.excludedTags);
  const [rarest] = terms
    .filter(({ bound }) => bound === 0)
    .toSorted((one, other) => (one.instances ?? 0) - (other.instances ?? 0));
  const others = terms.filter((term) => term !== rarest);

  const source = sourceOf(scope, rarest);
  const conditions = conditionsOf(filter, scope.grant, others, excluded);
  const ids = fragment`from ${source.from} where ${allOf([source.where, ...conditions])}`;
  const sort = SORTS[filter.sort];
  const rows = await select(
    db,
    fragment<WorkspaceRow>`select ${fragment.raw(COLUMNS)}
      from (select w.id ${ids} order by ${fragment.raw(sort(source.name))} limit ${page.size} offset ${page.offset}) p
      join workspace w on w.id = p.id join organization o on o.id = w.organization_id
      order by ${fragment.raw(sort('w.name'))}`,
  );
  const kept = conditions.length === 0 ? source.count : undefined;
  return { items: rows.map(workspaceOf), total: kept ?? (await countOf(db, ids)) };
}

async function countOf(db: Queries, ids: Fragment): Promise<number> {
  const [counted] = await select(db, fragment<{ count: number }>`select count(*) as count ${ids}`);
  return counted?.count ?? 0;
}
