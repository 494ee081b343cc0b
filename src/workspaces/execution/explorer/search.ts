import { eachInSlices } from '../../../lib/slices.ts';
import { sorted } from '../../workspace/index.ts';
import { comparisonOf, type Field, HEAVY, predicateOf, type Value } from './field.ts';
import { type Group, WORKSPACES } from './group-fields.ts';
import { Groups } from './groups.ts';
import type { ExplorerQuery } from './query.ts';
import { GROUP_FIELDS } from './view-type.ts';
import { WORKSPACE_FIELDS, type WorkspaceItem } from './workspace-fields.ts';

/** One row of a result: the values of the chosen fields, in their order. */
export interface ResultRow {
  readonly id: string;
  readonly values: readonly Value[];
}

/** Result of a query. */
export interface Result {
  /** Number of rows. */
  readonly total: number;
  /** Chosen fields, in the order of the values. */
  readonly fields: readonly Pick<Field<never>, 'name' | 'kind'>[];
  /** Returns some rows in the order of the query. Groups get the names of their workspaces. */
  rows(offset: number, size: number): Promise<Iterable<ResultRow>>;
}

/** Runs a query over the visible workspaces, which come by name. Long steps run in time slices. */
export async function search(items: readonly WorkspaceItem[], query: ExplorerQuery): Promise<Result> {
  const { type } = query;
  if (type === 'workspaces') {
    const chosen = await ordered(await filtered(items, WORKSPACE_FIELDS, query.filters), WORKSPACE_FIELDS, query);
    return resultOf(chosen, WORKSPACE_FIELDS, query, ({ row }) => row.id);
  }
  const fields = GROUP_FIELDS[type];
  const groups = new Groups(type, items);
  const isByName = ({ field }: ExplorerQuery['filters'][number]) => field === WORKSPACES.name;
  const others = query.filters.filter((filter) => !isByName(filter));
  let chosen = await filtered(await groups.all(), fields, others);
  for (const filter of query.filters.filter(isByName)) chosen = await havingWorkspace(groups, chosen, filter);
  const sort = query.sort.length > 0 ? query.sort : [{ field: 'workspace_count', descending: true }];
  const inOrder = await ordered(chosen, fields, { ...query, sort });
  const named = query.fields.includes(WORKSPACES.name) ? (some: readonly Group[]) => groups.namesOf(some) : undefined;
  return resultOf(inOrder, fields, query, ({ id }) => id, named);
}

async function filtered<Row>(
  rows: readonly Row[],
  fields: readonly Field<Row>[],
  filters: ExplorerQuery['filters'],
): Promise<Row[]> {
  const conditions = filters.flatMap(({ field: name, operator, value }) => {
    const field = fields.find((one) => one.name === name);
    if (field === undefined) return [];
    const holds = predicateOf(field.kind, operator, value);
    return [(row: Row) => holds(field.get(row))];
  });
  if (conditions.length === 0) return [...rows];
  const chosen: Row[] = [];
  await eachInSlices(
    rows.length,
    (at) => {
      const row = rows[at] as Row;
      if (conditions.every((holds) => holds(row))) chosen.push(row);
    },
    HEAVY * conditions.length,
  );
  return chosen;
}

/** A group matches if one of its workspaces does; a negated filter, if none does. A group is never empty. */
async function havingWorkspace(
  groups: Groups,
  chosen: readonly Group[],
  { operator, value }: ExplorerQuery['filters'][number],
): Promise<Group[]> {
  if (operator === 'is_empty') return [];
  if (operator === 'is_not_empty') return [...chosen];
  const isNegated = operator === 'is_not' || operator === 'does_not_contain';
  const holds = predicateOf('text', operator === 'is' || operator === 'is_not' ? 'is' : 'contains', value);
  const matching = await groups.having(holds);
  return chosen.filter(({ use }) => matching.has(use) !== isNegated);
}

/** Sorts by the fields of the query; otherwise, and among equals, the order stays. */
async function ordered<Row>(
  rows: readonly Row[],
  fields: readonly Field<Row>[],
  { sort }: Pick<ExplorerQuery, 'sort'>,
): Promise<readonly Row[]> {
  if (sort.length === 0) return rows;
  const keys = sort.flatMap(({ field: name, descending }) => {
    const field = fields.find((one) => one.name === name);
    return field === undefined ? [] : [{ field, values: new Array<Value>(rows.length), descending }];
  });
  await eachInSlices(
    rows.length,
    (at) => {
      const row = rows[at] as Row;
      for (const { field, values } of keys) values[at] = field.get(row);
    },
    HEAVY,
  );
  const comparisons = keys.map(({ field, values, descending }) => {
    const compare = comparisonOf(field, descending);
    return (one: number, other: number) => compare(values[one] as Value, values[other] as Value);
  });
  const compare = (one: number, other: number): number => {
    for (const each of comparisons) {
      const found = each(one, other);
      if (found !== 0) return found;
    }
    return one - other;
  };
  const order = await sorted(
    Array.from(rows, (_, at) => at),
    compare,
    HEAVY,
  );
  return Array.from(order, (at) => rows[at] as Row);
}

function resultOf<Row>(
  rows: readonly Row[],
  all: readonly Field<Row>[],
  query: ExplorerQuery,
  idOf: (row: Row) => string,
  complete?: (some: readonly Row[]) => Promise<(row: Row) => Row>,
): Result {
  const fields = all.filter(({ name }) => query.fields.includes(name));
  return {
    total: rows.length,
    fields,
    async rows(offset, size) {
      const some = rows.slice(offset, offset + size);
      const completed = await complete?.(some);
      return rowsOf(some, (row) => {
        const whole = completed?.(row) ?? row;
        return { id: idOf(row), values: fields.map((field) => field.get(whole)) };
      });
    },
  };
}

/** Yields the rows one by one: the names in all rows of a file take much more memory than what they come from. */
function* rowsOf<Row>(rows: readonly Row[], shown: (row: Row) => ResultRow): Generator<ResultRow> {
  for (const row of rows) yield shown(row);
}
