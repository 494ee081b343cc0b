import { type Dialect, type Params, type Queries, type Statement, sql } from '../../storage/index.ts';

const SOURCES: Readonly<Record<Dialect, string>> = {
  sqlite: 'json_each(:rows)',
  postgres: 'json_array_elements(CAST(:rows AS json))',
};

/** A statement that reads rows from its parameters, for each dialect. */
export type RowsStatement<P extends Params, R> = Readonly<Record<Dialect, Statement<P & { rows: string }, R>>>;

/**
 * Declares one statement that writes any number of rows. The rows are a parameter: `value ->> 'id'` is an attribute of
 * a row, as text.
 * @param text returns the statement. @param rows source of the rows, for FROM
 */
export function sqlOfRows<P extends Params = Record<string, never>, R = never>(
  text: (rows: string) => string,
): RowsStatement<P, R> {
  return {
    sqlite: sql<P & { rows: string }, R>(text(SOURCES.sqlite)),
    postgres: sql<P & { rows: string }, R>(text(SOURCES.postgres)),
  };
}

/** Runs a statement with these rows, and returns the rows that it returns. */
export function allOfRows<P extends Params, R>(
  db: Queries,
  statement: RowsStatement<P, R>,
  rows: readonly Params[],
  params: P,
): Promise<R[]> {
  return db.all(statement[db.dialect], { ...params, rows: JSON.stringify(rows) } as P & { rows: string });
}
