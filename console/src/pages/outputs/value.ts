/** Maximum number of characters shown of a value. */
const LONGEST = 5_000;

/** Formats a value: text without quotes, other values as JSON. Empty if there is none. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Splits a text into its shown part and the number of remaining characters. */
export function longText(text: string): { readonly shown: string; readonly more: number } {
  const more = text.length - LONGEST;
  return more > 0 ? { shown: text.slice(0, LONGEST), more } : { shown: text, more: 0 };
}
