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

/** What was begun to be read of a list while it was not known yet who asks. */
export interface ListAhead {
  readonly organization: Promise<Organization | undefined>;
  /** All that come first, whoever may see them; undefined where that was not worth to read. */
  readonly first: Promise<readonly Workspace[]> | undefined;
}

/** The sizes that clients ask for. With a number in its text a statement is planned once, and reads no more than that. */
const SIZES = [20, 50, 100] as const;
/** @limit organizations whose names lead to an id before the database is asked, organizations -> what is listed is asked for later */
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

/** Reads the first page of a plain list by name together with who asks, where nothing is kept. */
export class FirstPages {
  readonly #database: Database;
  readonly #organizations: Organizations;
  /** By name, as they once were: only a guess at who sees all. */
  readonly #ids = new LRUCache<string, string>({ max: MAX_NAMES });

  constructor(database: Database, organizations: Organizations) {
    this.#database = database;
    this.#organizations = organizations;
  }

  /**
   * @param last who the caller was last time
   * @param page undefined for any list but a plain one by name
   */
  begin(last: Actor, name: string, page: Page | undefined): ListAhead | undefined {
    const organization = this.#organizations.ahead(name);
    if (organization === undefined) return undefined;
    const grant = last.grants.get(this.#ids.get(name) ?? '');
    const seesAll = grant !== undefined && showsWorkspace(organizationWideAccess(grant));
    const statement = seesAll && page?.offset === 0 ? statements.get(page.size) : undefined;
    const first = statement && read(this.#database, statement, name);
    // Nobody waits for it when the request is refused.
    for (const begun of [organization, first]) begun?.catch(() => {});
    return { organization, first };
  }

  /** The page, for whoever is found to see all of the organization; undefined when it is to be read in another way. */
  async page(organization: OrganizationView, ahead: ListAhead): Promise<Slice<Workspace> | undefined> {
    const { id, grant, name, workspaceCount: total } = organization;
    this.#ids.set(name, id);
    if (ahead.first === undefined || !showsWorkspace(organizationWideAccess(grant))) return undefined;
    const items = await ahead.first;
    // The name may have gone to another one in between, or to none.
    const isOfIt = items.length > 0 || total === 0;
    return isOfIt && items.every(({ organizationId }) => organizationId === id) ? { items, total } : undefined;
  }
}

async function read(db: Queries, statement: First, organization: string): Promise<readonly Workspace[]> {
  return (await db.all(statement, { organization })).map(workspaceOf);
}
