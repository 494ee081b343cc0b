import type { Dialect, Params, SqlValue } from './database.ts';

/**
 * Matches text that may contain a colon without a parameter (a string, a quoted name, a comment, a cast), or a
 * parameter.
 */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|::|:([a-z_]\w*)/gi;
const DATA_STATEMENT = /^\s*(?:select|insert|update|delete|with)\b/i;

/** A statement compiled for one dialect. */
export interface Compiled {
  readonly text: string;
  /** Parameters in the order in which their values are bound; each appears once. */
  readonly names: readonly string[];
  /** Whether the statement reads or writes rows. Statements that define tables are neither counted nor cached. */
  readonly data: boolean;
}

/** `:name` becomes `?1` (SQLite) or `$1` (PostgreSQL). */
export function compile(text: string, dialect: Dialect): Compiled {
  const sign = dialect === 'sqlite' ? '?' : '$';
  const names: string[] = [];
  const compiled = text.replace(TOKENS, (token, name: string | undefined) => {
    if (name === undefined) return token;
    if (!names.includes(name)) names.push(name);
    return `${sign}${names.indexOf(name) + 1}`;
  });
  return { text: compiled, names, data: DATA_STATEMENT.test(text) };
}

/**
 * Returns the values in the order of `names`.
 * @throws Error if a parameter is missing or superfluous, or if the two databases would store a value differently
 */
export function bind(compiled: Compiled, params: Params): SqlValue[] {
  const values = compiled.names.map((name) => checked(params[name], name));
  for (const name in params) {
    if (!compiled.names.includes(name)) throw new Error(`no parameter :${name} in: ${compiled.text}`);
  }
  return values;
}

/** Returns the values of a dynamic query. A query builder passes booleans, which become 1 and 0. */
export function bindDynamic(parameters: readonly unknown[]): SqlValue[] {
  return parameters.map((value, index) => checked(typeof value === 'boolean' ? Number(value) : value, `${index + 1}`));
}

function checked(value: unknown, name: string): SqlValue {
  if (value === null || value instanceof Uint8Array) return value;
  if (typeof value === 'string' && !value.includes('\0')) return value;
  if (
    typeof value === 'number' &&
    (Number.isSafeInteger(value) || !Number.isInteger(value)) &&
    Number.isFinite(value)
  ) {
    return value;
  }
  throw new Error(`parameter :${name} ${value === undefined ? 'is missing' : 'has a type that no column holds'}`);
}
