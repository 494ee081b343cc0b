/**
 * Parses a quoted text or a boolean of a filter or a path. Returns undefined if it is neither, or contains characters
 * that the database cannot store.
 */
export function literalIn(text: string): string | undefined {
  if (!text.startsWith('"')) return text.toLowerCase();
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' && !value.includes('\0') ? value : undefined;
  } catch {
    return undefined;
  }
}
