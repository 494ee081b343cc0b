/**
 * Removes slashes from both ends of a path. A loop instead of a pattern, which would be slow for a path of many
 * slashes.
 */
export function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === '/') start++;
  while (end > start && path[end - 1] === '/') end--;
  return path.slice(start, end);
}
