/** The query of an address, as it is typed: texts, each name once, nothing quoted. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** What is empty is left out, and what need not be escaped stays readable. */
export function writeSearch(values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const texts = given.map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value)).replace(/%(2C|2F|3A|2A)/g, decodeURIComponent)}`,
  );
  return texts.length === 0 ? '' : `?${texts.join('&')}`;
}

/** One of them, where it is there. */
export function text<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  name: Name,
): { [Key in Name]?: string } {
  const value = search[name];
  return (typeof value === 'string' && value !== '' ? { [name]: value } : {}) as { [Key in Name]?: string };
}
