/**
 * The answer of a reader about one input: its fields by name, or why the reader refuses it. A path that is valid has no fields; the error of one whose
 * certificates are not read begins with `unread`.
 */
export type Reading = { readonly fields: Fields } | { readonly error: string };

export type Fields = Readonly<Record<string, Value>>;

type Value = string | number | boolean | null | readonly (string | number | null)[];
