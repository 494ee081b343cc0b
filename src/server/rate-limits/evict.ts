/** Number of entries evicted at once, because finding the first entry of a map scans over all removed ones. */
const SHARE = 64;

/** Evicts the oldest entries of an oversized map, in batches. */
export function tooMany<V>(map: ReadonlyMap<string, V>, most: number): string[] {
  if (map.size <= most) return [];
  const found: string[] = [];
  for (const key of map.keys()) {
    found.push(key);
    if (found.length >= most / SHARE) break;
  }
  return found;
}
