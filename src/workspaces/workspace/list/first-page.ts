import { LRUCache } from 'lru-cache';
import { type Database, type Queries, sql } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import {
  type Actor,
  type Organization,
  type Organizations,
  type OrganizationView,
  organizationWideAccess,
  showsWorkspace,
} from '../../tenancy/index.ts';
import { COLUMNS, JOINS, NOT_DELETED, type WorkspaceRow, workspaceOf } from '../model/row.ts';
import type { Workspace } from '../model/workspace.ts';

/** Prefetched rows of a list, started before the actor is known. */
export interface PrefetchedList {
  readonly organization: Promise<Organization | undefined>;
  /** First workspaces by name, regardless of permissions; undefined if a prefetch is not worth its cost. */
  readonly first: Promise<readonly Workspace[]> | undefined;
}

/**
 * Page sizes that clients use. The number is part of the SQL text, so that the database plans each statement once and
 * reads no further.
 */
const SIZES = [20, 50, 100] as const;
/** @limit organizations in the cache of ids by name, organizations -> the first page is not prefetched */
const MAX_NAMES = 1000;

type First = ReturnType<typeof firstOf>;

const statements = new Map<number, First>(SIZES.map((size) => [size, firstOf(size)]));

function firstOf(size: number) {
  return sql<{ organization: string }, WorkspaceRow>(
    `SELECT ${COLUMNS} FROM (SELECT w.id FROM workspace w
       WHERE w.organization_id = (SELECT id FROM organization WHERE name = :organization) AND ${NOT_DELETED}
       ORDER BY w.name LIMIT ${size}) p
     JOIN workspace w ON w.id = p.id ${JOINS} ORDER BY w.name`,
  );
}

/** Prefetches the first page of a plain list by name, in parallel with authentication, where nothing is cached. */
export class FirstPages {
  readonly #database: Database;
  readonly #organizations: Organizations;
  /** Last known ids by name: only a hint whether the caller sees everything. */
  readonly #ids = new LRUCache<string, string>({ max: MAX_NAMES });

  constructor(database: Database, organizations: Organizations) {
    this.#database = database;
    this.#organizations = organizations;
  }

  /**
   * @param last the actor of the caller's previous request
   * @param page undefined for any list but a plain one by name
   */
  begin(last: Actor, name: string, page: Page | undefined): PrefetchedList | undefined {
    const organization = this.#organizations.prefetch(name);
    if (organization === undefined) return undefined;
    const grant = last.grants.get(this.#ids.get(name) ?? '');
    const seesAll = grant !== undefined && showsWorkspace(organizationWideAccess(grant));
    const statement = seesAll && page?.offset === 0 ? statements.get(page.size) : undefined;
    const first = statement && read(this.#database, statement, name);
    // A refused request does not await these promises: their rejections must be handled here.
    for (const begun of [organization, first]) begun?.catch(() => {});
    return { organization, first };
  }

  /**
   * Returns the prefetched page if the actor sees the whole organization; otherwise undefined, and the caller reads
   * the list in another way.
   */
  async page(organization: OrganizationView, prefetch: PrefetchedList): Promise<Slice<Workspace> | undefined> {
    const { id, grant, name, workspaceCount: total } = organization;
    this.#ids.set(name, id);
    if (prefetch.first === undefined || !showsWorkspace(organizationWideAccess(grant))) return undefined;
    const items = await prefetch.first;
    // The organization may have been renamed or deleted between the two reads.
    const isOfIt = items.length > 0 || total === 0;
    return isOfIt && items.every(({ organizationId }) => organizationId === id) ? { items, total } : undefined;
  }
}

async function read(db: Queries, statement: First, organization: string): Promise<readonly Workspace[]> {
  return (await db.all(statement, { organization })).map(workspaceOf);
}
