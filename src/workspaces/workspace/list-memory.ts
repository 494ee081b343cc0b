import { type Queries, sql } from '../../storage/index.ts';
import { organizationWideAccess, showsWorkspace } from '../permissions/workspace.ts';
import { fragment, select } from '../query/dynamic.ts';
import { Names, SEPARATOR } from './list-names.ts';
import { type ListScope, type Visible, visibleIn } from './list-scope.ts';
import { choose } from './list-source.ts';

/** How many lists are kept, and how many names in all of them: 60 MB. */
const MAX_LISTS = 1000;
const MAX_NAMES = 2_000_000;
/** Up to here they are read at all. To read a name costs as much as to go through so many rows of an index. */
const MAX_READ = 500_000;
const WORTH = 5;
/** Searches of one list. */
const MAX_SEARCHES = 20;

const selectVersion = sql<{ id: string }, { version: number }>(
  'SELECT listing_version AS version FROM organization WHERE id = :id',
);

/** What is known of a scope as somebody sees it, as long as its organization has the version. */
export class SeenList {
  readonly version: number;
  readonly #scope: ListScope;
  #visible: { readonly is: Visible | undefined } | undefined;
  #names: Names | undefined;
  #rows = 0;
  readonly #searches = new Map<string, Names>();

  constructor(version: number, scope: ListScope) {
    this.version = version;
    this.#scope = scope;
  }

  /** What of it is kept, in names. */
  get size(): number {
    return [...this.#searches.values()].reduce((sum, { count }) => sum + count, this.#names?.count ?? 0);
  }

  /**
   * Whether to go on with all names: where they are known, or where the database has gone through so many rows for lists
   * already (`rows` more this time) that reading them would have been cheaper. So whatever changes often is not read.
   */
  isWorthReading(rows: number): boolean {
    this.#rows += rows;
    return this.#names !== undefined || (this.#scope.count <= MAX_READ && this.#rows > WORTH * this.#scope.count);
  }

  async visible(db: Queries): Promise<Visible | undefined> {
    this.#visible ??= { is: await visibleIn(db, this.#scope) };
    return this.#visible.is;
  }

  /** All names, or those that are like all of the patterns, where that is known. */
  known(patterns: readonly string[]): Names | undefined {
    return patterns.length === 0 ? this.#names : this.#searches.get(JSON.stringify(patterns));
  }

  async read(db: Queries, patterns: readonly string[]): Promise<Names> {
    this.#names ??= await readNames(db, this.#scope, await this.visible(db));
    if (patterns.length === 0) return this.#names;
    const found = patterns.reduce((names, pattern) => names.like(pattern), this.#names);
    keep(this.#searches, JSON.stringify(patterns), found);
    if (this.#searches.size > MAX_SEARCHES) dropOldest(this.#searches);
    return found;
  }
}

/** Lists as they were last seen, so that pages of one list are neither counted nor skipped through again and again. */
export class SeenLists {
  readonly #lists = new Map<string, SeenList>();

  /** That of the scope. It begins anew whenever a workspace or a grant of its organization has come, gone or changed. */
  async of(db: Queries, scope: ListScope): Promise<SeenList> {
    const version = (await db.one(selectVersion, { id: scope.organizationId }))?.version ?? 0;
    const key = keyOf(scope);
    const known = this.#lists.get(key);
    const list = known?.version === version ? known : new SeenList(version, scope);
    keep(this.#lists, key, list);
    return list;
  }

  /** All names of a list, or those that are like all of the patterns. */
  async names(db: Queries, list: SeenList, patterns: readonly string[]): Promise<Names> {
    const known = list.known(patterns);
    if (known !== undefined) return known;
    const read = await list.read(db, patterns);
    this.#trim();
    return read;
  }

  #trim(): void {
    let names = [...this.#lists.values()].reduce((sum, { size }) => sum + size, 0);
    while (this.#lists.size > MAX_LISTS || names > MAX_NAMES) names -= dropOldest(this.#lists)?.size ?? names;
  }
}

function keyOf({ organizationId, projectId = '', grant }: ListScope): string {
  const teams = showsWorkspace(organizationWideAccess(grant)) ? ['*'] : grant.teamIds.toSorted();
  return [organizationId, projectId, ...teams].join(' ');
}

/** As the newest. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

function dropOldest<Value>(map: Map<string, Value>): Value | undefined {
  const [oldest] = map;
  if (oldest === undefined) return undefined;
  map.delete(oldest[0]);
  return oldest[1];
}

async function readNames(db: Queries, scope: ListScope, visible: Visible | undefined): Promise<Names> {
  const wanted = { scope, visible, terms: [], pairs: [], head: undefined, rows: undefined, byRow: false };
  const { table, where, name } = choose(wanted).source;
  const [row] = await select(
    db,
    fragment<{ names: string | null }>`select string_agg(n.name, ${SEPARATOR} order by n.name) as names
      from (select ${fragment.raw(name)} as name from ${table} where ${where}) n`,
  );
  return new Names(row?.names ?? '');
}
