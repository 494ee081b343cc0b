/** Merges parts of a table of routes. Each route must be in exactly one part. */
export function joined<T>(...parts: readonly Readonly<Record<string, T>>[]): Readonly<Record<string, T>> {
  const routes = parts.flatMap((part) => Object.keys(part));
  const twice = routes.filter((route, index) => routes.indexOf(route) < index);
  if (twice.length > 0) throw new Error(`In two parts: ${twice.join(', ')}`);
  return Object.assign({}, ...parts);
}
