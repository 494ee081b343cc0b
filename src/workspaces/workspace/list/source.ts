import { type Fragment, fragment } from '../../query/dynamic.ts';
import { NOT_DELETED } from '../model/row.ts';
import { type Head, type ListScope, seenTable, type Visible } from './scope.ts';
import { type KeyUse, linksOfPair, type Pair, type Term } from './tags.ts';

/** Where a list is read from: a table in the order of the names, so that reading stops at the end of the page. */
export interface Source {
  readonly table: Fragment;
  readonly where: Fragment;
  readonly id: string;
  readonly name: string;
  /** Whether the rows are workspaces themselves (`w`), or links to them (`d`). */
  readonly links: boolean;
  /** Whether there is nothing in it but what the actor sees. */
  readonly seen: boolean;
  /** How many there are, where that is known. */
  readonly count: number | undefined;
}

/** What a source is chosen for. */
export interface ListRequest {
  readonly scope: ListScope;
  /** Undefined for whoever sees all of it. */
  readonly visible: Visible | undefined;
  readonly terms: readonly Term[];
  /** The bindings that are asked for. */
  readonly pairs: readonly Pair[];
  /** Of nothing but what is seen in order of the name, so much of each part is enough. */
  readonly head: Head | undefined;
  /** How many of what is seen have to be looked at to fill the page in an order that an index has. */
  readonly rows: number | undefined;
  /** Whether the order is another than that of the names. */
  readonly byRow: boolean;
}

/** A source, and the terms and bindings that it leaves to be checked. */
export interface Choice {
  readonly source: Source;
  readonly terms: readonly Term[];
  readonly pairs: readonly Pair[];
}

const LINKED = { id: 'd.workspace_id', name: 'd.workspace_name', links: true } as const;
/** Nobody counts how many workspaces have a key: a guess. */
const SHARE_WITH_KEY = 0.1;

/** Chosen here and not by the database: the rarest tag, else a key, else what is seen, unless that is little to begin with. */
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
  // What most inherit leads nowhere.
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

/** Whether an index in the right order leads to a full page sooner than all that is seen does: where much of it is seen. */
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

/** In another order than that of the names, an index of names would only be in the way: it must not look useful. */
const NOT_DELETED_WITHOUT_INDEX = NOT_DELETED.replace('w.name', "(w.name || '')");

function indexOf({ byRow, scope: { organizationId, projectId, count } }: ListRequest): Source {
  const within =
    projectId === undefined ? fragment`w.organization_id = ${organizationId}` : fragment`w.project_id = ${projectId}`;
  const where = fragment`${within} and ${fragment.raw(byRow ? NOT_DELETED_WITHOUT_INDEX : NOT_DELETED)}`;
  return { table: fragment`workspace w`, where, id: 'w.id', name: 'w.name', links: false, seen: false, count };
}
