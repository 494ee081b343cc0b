import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Dialect, type Queries, queryBuilder } from '../../storage/index.ts';
import type { Page, Slice } from '../jsonapi/pagination.ts';

/** A statement that is built for one call. Every value in it becomes a parameter. */
export const fragment = sql;
/** A part of a statement. */
export type Fragment = RawBuilder<unknown>;

const builders: Readonly<Record<Dialect, Kysely<unknown>>> = {
  sqlite: queryBuilder('sqlite'),
  postgres: queryBuilder('postgres'),
};

/** Runs a query that was built for this call. */
export function select<Row>(db: Queries, query: RawBuilder<Row>): Promise<Row[]> {
  return db.dynamic<Row>(query.compile(builders[db.dialect]));
}

/** Joins conditions with AND. Requires at least one. */
export function allOf(conditions: readonly Fragment[]): Fragment {
  return fragment.join(conditions, fragment` and `);
}

/** Joins conditions with OR. Requires at least one. */
export function anyOf(conditions: readonly Fragment[]): Fragment {
  return fragment`(${fragment.join(conditions, fragment` or `)})`;
}

/** @limit ids in a query that are padded to share its plan, ids -> a longer query is planned separately */
const MOST_FILLED_UP = 1024;

/** Condition that a column has one of the values; false without values. */
export function isOneOf(column: string, values: readonly string[]): Fragment {
  if (values.length === 0) return fragment`1 = 0`;
  return fragment`${fragment.raw(column)} in (${fragment.join(filledUp(values))})`;
}

/** Pads with the last value to a power of two, so that databases keep few prepared statements. */
function filledUp(values: readonly string[]): readonly string[] {
  if (values.length > MOST_FILLED_UP) return values;
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return Array.from({ length }, (_, index) => values[Math.min(index, values.length - 1)] as string);
}

/** Pattern of `LIKE` for texts with any characters between them; used with `ESCAPE '\'`. */
export function likePattern(parts: readonly string[]): string {
  return parts.map((part) => part.replace(/[\\%_]/g, '\\$&')).join('%');
}

/** Pattern of `LIKE` for values that contain a text, without wildcards in the text. */
export function containing(text: string): string {
  return likePattern(['', text, '']);
}

/** Source of a list, in SQL. */
export interface ListQuery {
  readonly columns: string;
  readonly from: string;
  readonly where: readonly Fragment[];
  readonly orderBy: string;
}

/**
 * Returns one page, and the number of rows on all pages. Only for short lists; that of workspaces has its own
 * implementation.
 */
export async function selectSlice<Row>(db: Queries, list: ListQuery, page: Page): Promise<Slice<Row>> {
  const { columns, from, orderBy } = list;
  const source = fragment`from ${fragment.raw(from)} where ${allOf(list.where)}`;
  const items = await select(
    db,
    fragment<Row>`select ${fragment.raw(columns)} ${source}
      order by ${fragment.raw(orderBy)} limit ${page.size} offset ${page.offset}`,
  );
  const [counted] = await select(db, fragment<{ count: number }>`select count(*) as count ${source}`);
  return { items, total: counted?.count ?? 0 };
}
