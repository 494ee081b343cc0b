/** Characters of a value that a page shows. */
const LONGEST = 5_000;

/** A value as a person reads it, and a shell takes it: a text without quotes, anything else as JSON. Empty where there is none. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** The beginning of a text, and how much more there is. */
export function longText(text: string): { readonly shown: string; readonly more: number } {
  const more = text.length - LONGEST;
  return more > 0 ? { shown: text.slice(0, LONGEST), more } : { shown: text, more: 0 };
}
