import { type Fragment, fragment } from '../../query/dynamic.ts';
import { NOT_DELETED } from '../model/row.ts';
import { type Head, type ListScope, seenTable, type Visible } from './scope.ts';
import { type KeyUse, linksOfPair, type Pair, type Term } from './tags.ts';

/** Source of the rows of a list, in the order of names, so that the database stops reading at the end of the page. */
export interface Source {
  readonly table: Fragment;
  readonly where: Fragment;
  readonly id: string;
  readonly name: string;
  /** Whether the rows are workspaces (`w`) or links to them (`d`). */
  readonly links: boolean;
  /** Whether all rows are visible to the actor. */
  readonly seen: boolean;
  /** Number of rows, if known. */
  readonly count: number | undefined;
}

/** Input for choosing a source. */
export interface ListRequest {
  readonly scope: ListScope;
  /** Part of the scope that the actor sees; undefined for an actor who sees the whole scope. */
  readonly visible: Visible | undefined;
  readonly terms: readonly Term[];
  /** Required bindings. */
  readonly pairs: readonly Pair[];
  /** Number of first rows that suffice from each part, if the list has no conditions and sorts by name. */
  readonly head: Head | undefined;
  /** Number of visible rows to scan until the page is full, in an order that an index has. */
  readonly rows: number | undefined;
  /** Whether the list sorts by another column than the name. */
  readonly byRow: boolean;
}

/** A source, and the terms and bindings that the query must still check. */
export interface Choice {
  readonly source: Source;
  readonly terms: readonly Term[];
  readonly pairs: readonly Pair[];
}

const LINKED = { id: 'd.workspace_id', name: 'd.workspace_name', links: true } as const;
/** Estimated share of the workspaces that have a key. No exact count exists. */
const SHARE_WITH_KEY = 0.1;

/**
 * Chooses the source instead of leaving it to the database's planner: the rarest tag, else a key, else the visible
 * workspaces, unless the actor sees only few anyway.
 */
export function choose(wanted: ListRequest): Choice {
  const { visible, terms, pairs } = wanted;
  const byTerm = termSource(wanted);
  if (visible === undefined) return byTerm?.choice ?? { source: indexOf(wanted), terms, pairs };
  if (byTerm && byTerm.rows <= visible.count) return byTerm.choice;
  return { source: worthWalking(wanted, visible) ? indexOf(wanted) : visibleSource(wanted, visible), terms, pairs };
}

function termSource({ scope, terms, pairs }: ListRequest): { choice: Choice; rows: number } | undefined {
  const byInstances = (one: Term, other: Term) => (one.instances ?? 0) - (other.instances ?? 0);
  const [tag] = terms.filter(({ bound }) => bound === 0).toSorted(byInstances);
  if (tag) {
    const others = terms.filter((term) => term !== tag);
    return { choice: { source: linksOfTag(tag), terms: others, pairs }, rows: tag.instances ?? 0 };
  }
  const rows = scope.count * SHARE_WITH_KEY;
  // A key that most workspaces inherit is not selective.
  const leads = ({ inherited }: KeyUse) => inherited <= rows;
  const term = terms.find((one) => one.tagId === null && leads(one));
  if (term) {
    const others = terms.filter((other) => other !== term);
    return { choice: { source: linksOf({ ...term, value: null }).source, terms: others, pairs }, rows };
  }
  const pair = pairs.find(leads);
  if (pair === undefined) return undefined;
  const { source, exact } = linksOf(pair);
  return { choice: { source, terms, pairs: exact ? pairs.filter((other) => other !== pair) : pairs }, rows };
}

/**
 * Whether an ordered index fills the page with fewer rows than a read of all visible workspaces. True if the actor
 * sees a large share.
 */
function worthWalking({ scope, rows }: ListRequest, { count }: Visible): boolean {
  return rows !== undefined && (rows * scope.count) / Math.max(count, 1) < count;
}

function linksOfTag({ tagId, instances }: Term): Source {
  const where = fragment`d.tag_id = ${tagId}`;
  return { ...LINKED, table: fragment`workspace_tag d`, where, seen: false, count: instances ?? 0 };
}

function linksOf(pair: Pair): { source: Source; exact: boolean } {
  const { table, where, exact } = linksOfPair(pair);
  return { source: { ...LINKED, table, where, seen: false, count: undefined }, exact };
}

function visibleSource({ scope, head }: ListRequest, visible: Visible): Source {
  const table = seenTable(visible, scope, head);
  return { ...LINKED, table, where: fragment`1 = 1`, seen: true, count: visible.count };
}

/** Hides the index of names from the planner when the list sorts by another column. */
const NOT_DELETED_WITHOUT_INDEX = NOT_DELETED.replace('w.name', "(w.name || '')");

function indexOf({ byRow, scope: { organizationId, projectId, count } }: ListRequest): Source {
  const within =
    projectId === undefined ? fragment`w.organization_id = ${organizationId}` : fragment`w.project_id = ${projectId}`;
  const where = fragment`${within} and ${fragment.raw(byRow ? NOT_DELETED_WITHOUT_INDEX : NOT_DELETED)}`;
  return { table: fragment`workspace w`, where, id: 'w.id', name: 'w.name', links: false, seen: false, count };
}
