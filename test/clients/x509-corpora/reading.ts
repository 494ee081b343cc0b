/**
 * Result of one parser for one input: its fields by name, or the error. A valid path has no fields. The error of a path
 * whose certificates cannot be parsed starts with `unread`.
 */
export type Reading = { readonly fields: Fields } | { readonly error: string };

export type Fields = Readonly<Record<string, Value>>;

type Value = string | number | boolean | null | readonly (string | number | null)[];
