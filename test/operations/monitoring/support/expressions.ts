/**
 * Returns the series that an expression names: every name with label selectors, since all our expressions use
 * selectors.
 */
export function namedSeries(expression: string): string[] {
  return [...expression.matchAll(/([a-z_]\w*)\{/g)].map(([, name = '']) => name);
}
