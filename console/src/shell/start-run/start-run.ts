import * as texts from './texts.ts';

interface Variable {
  readonly key: string;
  readonly value: string;
}

/** Splits a text into lines without empty ones. */
export const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Parses lines of `name = value`; the engine reads the value as HCL. */
export function variablesOf(text: string): { readonly variables: readonly Variable[]; readonly fault: string } {
  const variables: Variable[] = [];
  for (const line of linesOf(text)) {
    const [, key = '', value = ''] = /^([A-Za-z_][\w-]*)\s*=\s*(.+)$/.exec(line) ?? [];
    if (key === '') return { variables: [], fault: texts.notAVariable(line.slice(0, 60)) };
    variables.push({ key, value });
  }
  return { variables, fault: '' };
}
