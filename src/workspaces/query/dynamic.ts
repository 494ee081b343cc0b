import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Dialect, type Queries, queryBuilder } from '../../storage/index.ts';
import type { Page, Slice } from '../jsonapi/pagination.ts';

/** SQL that is put together for one call. Every value in it becomes a parameter. */
export const fragment = sql;
/** A piece of a statement. */
export type Fragment = RawBuilder<unknown>;

const builders: Readonly<Record<Dialect, Kysely<unknown>>> = {
  sqlite: queryBuilder('sqlite'),
  postgres: queryBuilder('postgres'),
};

/** Runs a query that was put together for this call. */
export function select<Row>(db: Queries, query: RawBuilder<Row>): Promise<Row[]> {
  return db.dynamic<Row>(query.compile(builders[db.dialect]));
}

/** All of the conditions, of which there is at least one. */
export function allOf(conditions: readonly Fragment[]): Fragment {
  return fragment.join(conditions, fragment` and `);
}

/** One of the conditions, of which there is at least one. */
export function anyOf(conditions: readonly Fragment[]): Fragment {
  return fragment`(${fragment.join(conditions, fragment` or `)})`;
}

/** @limit ids in one query whose number is filled up, ids -> a longer query is planned for itself */
const MOST_FILLED_UP = 1024;

/** Whether a column has one of the values; of no values, it has none. */
export function isOneOf(column: string, values: readonly string[]): Fragment {
  if (values.length === 0) return fragment`1 = 0`;
  return fragment`${fragment.raw(column)} in (${fragment.join(filledUp(values))})`;
}

/** With the last one again, up to a power of two: so there are few texts, which databases keep prepared. */
function filledUp(values: readonly string[]): readonly string[] {
  if (values.length > MOST_FILLED_UP) return values;
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return Array.from({ length }, (_, index) => values[Math.min(index, values.length - 1)] as string);
}

/** What `LIKE` is given for texts with any characters between them; used with `ESCAPE '\'`. */
export function likePattern(parts: readonly string[]): string {
  return parts.map((part) => part.replace(/[\\%_]/g, '\\$&')).join('%');
}

/** The same for whatever contains a text. No character of it is special. */
export function containing(text: string): string {
  return likePattern(['', text, '']);
}

/** What a list is read from, in SQL. */
export interface ListQuery {
  readonly columns: string;
  readonly from: string;
  readonly where: readonly Fragment[];
  readonly orderBy: string;
}

/** One page, and how many rows there are on all. For lists that stay short: that of workspaces has its own way. */
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
