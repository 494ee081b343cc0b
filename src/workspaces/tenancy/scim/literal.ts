/** A text in quotation marks or a flag, as filters and paths hold them; undefined for what is none, or holds what no database keeps. */
export function literalIn(text: string): string | undefined {
  if (!text.startsWith('"')) return text.toLowerCase();
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' && !value.includes('\0') ? value : undefined;
  } catch {
    return undefined;
  }
}
