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

/** What a client searches for (spec §4.3); all of it has to hold. */
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

/** Where a list is read from: a table in the order of the names, so that reading stops at the end of the page. */
interface Source {
  readonly table: Fragment;
  readonly where: Fragment;
  readonly id: string;
  readonly name: string;
  /** Whether the rows are workspaces themselves (`w`), or links to them (`d`). */
  readonly links: boolean;
  /** How many there are, where that is kept. */
  readonly count: number | undefined;
}

const LINKED = { id: 'd.workspace_id', name: 'd.workspace_name', links: true } as const;

function linksOfTag({ tagId, instances }: Term): Source {
  return { ...LINKED, table: fragment`workspace_tag d`, where: fragment`d.tag_id = ${tagId}`, count: instances ?? 0 };
}

function linksOfKey(organizationId: string, key: string): Source {
  const where = fragment`d.organization_id = ${organizationId} and d.key = ${key}`;
  return { ...LINKED, table: fragment`tag_binding d`, where, count: undefined };
}

function indexOf({ organizationId, projectId, count }: ListScope): Source {
  const within =
    projectId === undefined ? fragment`w.organization_id = ${organizationId}` : fragment`w.project_id = ${projectId}`;
  return { table: fragment`workspace w`, where: within, id: 'w.id', name: 'w.name', links: false, count };
}

/** Chosen here and not by the database: the rarest tag, else a key, else everything there is. */
function choose(scope: ListScope, filter: ListFilter, terms: readonly Term[]): { source: Source; others: Term[] } {
  const byInstances = (one: Term, other: Term) => (one.instances ?? 0) - (other.instances ?? 0);
  const [tag] = terms.filter(({ bound }) => bound === 0).toSorted(byInstances);
  if (tag) return { source: linksOfTag(tag), others: terms.filter((term) => term !== tag) };
  const term = terms.find(({ tagId }) => tagId === null);
  const key = term?.key ?? filter.bindings[0]?.key;
  if (key !== undefined) {
    return { source: linksOfKey(scope.organizationId, key), others: terms.filter((other) => other !== term) };
  }
  return { source: indexOf(scope), others: [...terms] };
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
  const { source, others } = choose(scope, filter, terms);
  const conditions = conditionsOf(filter, scope.grant, others, excluded);
  if (source.links && scope.projectId !== undefined) conditions.push(fragment`w.project_id = ${scope.projectId}`);

  const sort = SORTS[filter.sort];
  // Links know the name of the workspace, and nothing else of it.
  const needsRow = source.links && (conditions.length > 0 || sort(source.name).includes('w.'));
  const table = needsRow ? fragment`${source.table} cross join workspace w` : source.table;
  const joined = needsRow ? [fragment`w.id = d.workspace_id`] : [];
  const matching = fragment`from ${table} where ${allOf([source.where, ...joined, ...conditions])}`;
  const rows = await select(
    db,
    fragment<WorkspaceRow>`select ${fragment.raw(COLUMNS)}
      from (select ${fragment.raw(source.id)} as id ${matching}
        order by ${fragment.raw(sort(source.name))} limit ${page.size} offset ${page.offset}) p
      join workspace w on w.id = p.id join organization o on o.id = w.organization_id
      order by ${fragment.raw(sort('w.name'))}`,
  );
  const kept = conditions.length === 0 ? source.count : undefined;
  return { items: rows.map(workspaceOf), total: kept ?? (await countOf(db, matching)) };
}

async function countOf(db: Queries, matching: Fragment): Promise<number> {
  const [counted] = await select(db, fragment<{ count: number }>`select count(*) as count ${matching}`);
  return counted?.count ?? 0;
}
