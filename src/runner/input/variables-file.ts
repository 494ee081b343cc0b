import { isVariableName } from '../../lib/job/variable-rules.ts';
import type { JobVariable } from '../job.ts';
import { JobFailure } from '../ports.ts';

/**
 * Returns the Terraform variables as a file of variable definitions, in HCL. JSON does not work, because a value may be
 * an expression.
 * @throws JobFailure for an invalid name
 */
export function variablesFile(variables: readonly JobVariable[]): string {
  const byKey = new Map(variables.filter(({ category }) => category === 'terraform').map((one) => [one.key, one]));
  return [...byKey.values()].map(definition).join('');
}

function definition({ key, value, hcl }: JobVariable): string {
  if (!isVariableName(key)) throw new JobFailure(`${JSON.stringify(key)} is not a valid variable name`);
  // In parentheses an expression may contain line breaks, and none of its lines starts another definition.
  return hcl ? `${key} = (\n${value}\n)\n` : `${key} = ${quoted(value)}\n`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '"': '\\"', '\\': '\\\\' };

/** Quotes a text as an HCL string without template expressions. */
export function quoted(text: string): string {
  const escaped = text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they cannot stand in a file of HCL
    .replaceAll(/["\\\u0000-\u001f\u007f]/g, (one) => ESCAPES[one] ?? unicode(one))
    .replaceAll(/[$%]\{/g, (one) => `${one[0]}${one}`);
  return `"${escaped}"`;
}

const unicode = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
