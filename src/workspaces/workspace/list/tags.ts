import { type Queries, sql } from '../../../storage/index.ts';
import { tallied, talliedChanges } from '../../platform/tally.ts';
import { type Fragment, fragment } from '../../query/dynamic.ts';
import { notDeleted } from '../model/row.ts';

/** Use of a key in an organization. */
export interface KeyUse {
  readonly organizationId: string;
  readonly key: string;
  /** 1 if a workspace or project has a binding of the key. */
  readonly bound: number;
  /** Projects that have a binding. */
  readonly projects: number;
  /** Number of workspaces in these projects. */
  readonly inherited: number;
  /** 1 if workspaces cannot override the project's value of the key. */
  readonly locked: number;
}

/** One word of `search[tags]`, resolved in an organization. */
export interface Term extends KeyUse {
  readonly tagId: string | null;
  /** Number of workspaces with the tag. */
  readonly instances: number | null;
  /** Version that grows whenever a workspace gets or loses the tag. */
  readonly version: number | null;
}

/** A required key and value. Null matches any value, an empty string the empty value. */
export interface Pair extends KeyUse {
  readonly value: string | null;
}

const selectTag = sql<{ organizationId: string; name: string }, Pick<Term, 'tagId' | 'instances' | 'version'>>(
  `SELECT id AS "tagId", instance_count + ${tallied('tag.id')} AS instances,
     version + ${talliedChanges('tag.id')} AS version
   FROM tag
   WHERE organization_id = :organizationId AND name = :name`,
);
const selectUse = sql<
  { organizationId: string; key: string },
  { own: number; projects: number; inherited: number; locked: number }
>(
  `SELECT EXISTS (SELECT 1 FROM tag_binding WHERE organization_id = :organizationId AND key = :key) AS own,
     COUNT(b.id) AS projects, COALESCE(SUM(p.workspace_count + ${tallied('p.id')}), 0) AS inherited,
     EXISTS (SELECT 1 FROM reserved_tag_key
       WHERE organization_id = :organizationId AND key = :key AND disable_overrides = 1) AS locked
   FROM project_tag_binding b JOIN project p ON p.id = b.project_id
   WHERE b.organization_id = :organizationId AND b.key = :key`,
);

async function useOf(db: Queries, organizationId: string, key: string): Promise<KeyUse> {
  const row = await db.one(selectUse, { organizationId, key });
  const { own = 0, projects = 0, inherited = 0, locked = 0 } = row ?? {};
  return { organizationId, key, projects, bound: own + projects > 0 ? 1 : 0, inherited: Number(inherited), locked };
}

/** Resolves the words in the organization. */
export function termsOf(db: Queries, organizationId: string, words: readonly string[]): Promise<Term[]> {
  const resolved = words.map(async (key): Promise<Term> => {
    const use = await useOf(db, organizationId, key);
    const tag = await db.one(selectTag, { organizationId, name: key.toLowerCase() });
    return { tagId: null, instances: null, version: null, ...tag, ...use };
  });
  return Promise.all(resolved);
}

/** Resolves the pairs: adds the use of each key. */
export function pairsOf(
  db: Queries,
  organizationId: string,
  bindings: readonly { readonly key: string; readonly value: string | null }[],
): Promise<Pair[]> {
  return Promise.all(bindings.map(async ({ key, value }) => ({ ...(await useOf(db, organizationId, key)), value })));
}

function valued(value: string | null): Fragment {
  return value === null ? fragment`` : fragment`and b.value = ${value}`;
}

function ofWorkspace({ key }: KeyUse, value: string | null = null): Fragment {
  return fragment`exists (select 1 from tag_binding b
    where b.workspace_id = w.id and b.key = ${key} ${valued(value)})`;
}

function ofProject({ organizationId, key }: KeyUse, value: string | null = null): Fragment {
  return fragment`w.project_id in (select b.project_id from project_tag_binding b
    where b.organization_id = ${organizationId} and b.key = ${key} ${valued(value)})`;
}

/** Returns the condition that workspace `w` has a binding of the key, its own or inherited. */
function hasKey(use: KeyUse): Fragment {
  return use.inherited === 0 ? ofWorkspace(use) : fragment`(${ofProject(use)} or ${ofWorkspace(use)})`;
}

/** Returns the condition that workspace `w` has the term as a flat tag or as a key. */
export function carries(term: Term): Fragment {
  const { tagId, bound } = term;
  const tag = fragment`exists (select 1 from workspace_tag l where l.workspace_id = w.id and l.tag_id = ${tagId})`;
  return bound === 0 ? tag : fragment`(${tag} or ${hasKey(term)})`;
}

/**
 * Returns the condition that the pair is effective on workspace `w`: its own value overrides that of its project,
 * unless the key is locked.
 */
export function hasPair(pair: Pair): Fragment {
  const { value, inherited, locked } = pair;
  if (value === null) return hasKey(pair);
  if (inherited === 0) return ofWorkspace(pair, value);
  const [first, second] = locked === 1 ? [ofProject, ofWorkspace] : [ofWorkspace, ofProject];
  return fragment`(${first(pair, value)} or (not ${first(pair)} and ${second(pair, value)}))`;
}

/** Table of all candidates for a pair. */
export interface PairLinks {
  /** A table `d` of workspace_id and workspace_name without duplicates. */
  readonly table: Fragment;
  readonly where: Fragment;
  /** Whether all candidates match. If not, an inherited value may be overridden. */
  readonly exact: boolean;
}

export function linksOfPair({ organizationId, key, value, inherited }: Pair): PairLinks {
  if (inherited === 0) {
    const only = value === null ? fragment`` : fragment`and d.value = ${value}`;
    const where = fragment`d.organization_id = ${organizationId} and d.key = ${key} ${only}`;
    return { table: fragment`tag_binding d`, where, exact: true };
  }
  const of = fragment`b.organization_id = ${organizationId} and b.key = ${key} ${valued(value)}`;
  const table = fragment`(select b.workspace_id, b.workspace_name from tag_binding b where ${of}
    union select x.id, x.name from project_tag_binding b join workspace x on x.project_id = b.project_id
      where ${of} and ${fragment.raw(notDeleted('x'))}) d`;
  return { table, where: fragment`1 = 1`, exact: value === null };
}
