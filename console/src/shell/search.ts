/** Parses the query string without JSON decoding: each name once, values as text. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Writes the query string: leaves out empty values and keeps `,`, `/`, `:` and `*` readable. */
export function writeSearch(values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const texts = given.map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value)).replace(/%(2C|2F|3A|2A)/g, decodeURIComponent)}`,
  );
  return texts.length === 0 ? '' : `?${texts.join('&')}`;
}

/** Returns one search parameter if it is present. */
export function text<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  name: Name,
): { [Key in Name]?: string } {
  const value = search[name];
  return (typeof value === 'string' && value !== '' ? { [name]: value } : {}) as { [Key in Name]?: string };
}
