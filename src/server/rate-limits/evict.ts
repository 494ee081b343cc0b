/** What goes at once where there is too much: to find the first entry of a map passes over all that were removed before it. */
const SHARE = 64;

/** The entries that a map has had longest, where it has more than it may: a part of them at once. */
export function tooMany<V>(map: ReadonlyMap<string, V>, most: number): string[] {
  if (map.size <= most) return [];
  const found: string[] = [];
  for (const key of map.keys()) {
    found.push(key);
    if (found.length >= most / SHARE) break;
  }
  return found;
}
