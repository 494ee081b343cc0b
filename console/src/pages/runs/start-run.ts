interface Variable {
  readonly key: string;
  readonly value: string;
}

/** What stands in each line. */
export const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** `name = value`, one a line; the value as the engine reads it. */
export function variablesOf(text: string): { readonly variables: readonly Variable[]; readonly fault: string } {
  const variables: Variable[] = [];
  for (const line of linesOf(text)) {
    const [, key = '', value = ''] = /^([A-Za-z_][\w-]*)\s*=\s*(.+)$/.exec(line) ?? [];
    if (key === '') return { variables: [], fault: `Not a variable: ${line.slice(0, 60)}` };
    variables.push({ key, value });
  }
  return { variables, fault: '' };
}
