/** The series that an expression names: whatever has selectors, as every one of ours does. */
export function namedSeries(expression: string): string[] {
  return [...expression.matchAll(/([a-z_]\w*)\{/g)].map(([, name = '']) => name);
}
