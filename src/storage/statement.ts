import type { Dialect, Params, SqlValue } from './database.ts';

/** What may hold a colon that starts no parameter (text, a quoted name, a comment, a cast), or a parameter. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|::|:([a-z_]\w*)/gi;
const DATA_STATEMENT = /^\s*(?:select|insert|update|delete|with)\b/i;

/** A statement in the words of one dialect. */
export interface Compiled {
  readonly text: string;
  /** The parameters, in the order in which their values are bound. Each once, however often the text uses it. */
  readonly names: readonly string[];
  /** Whether it reads or writes rows. What defines tables is neither counted nor kept. */
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
 * The values in the order of `names`.
 * @throws Error when a parameter is missing or superfluous, or when the two databases would not store a value alike.
 */
export function bind(compiled: Compiled, params: Params): SqlValue[] {
  const values = compiled.names.map((name) => checked(params[name], name));
  for (const name in params) {
    if (!compiled.names.includes(name)) throw new Error(`no parameter :${name} in: ${compiled.text}`);
  }
  return values;
}

/** The values of a dynamic query. A builder passes true and false on; in our columns they are 1 and 0. */
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
  throw new Error(`parameter :${name} is ${value === undefined ? 'missing' : 'of a kind that no column holds'}`);
}
