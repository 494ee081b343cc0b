import type { Job, JobVariable } from '../job.ts';
import { SHORTEST } from './secret-forms.ts';
import { WORDS } from './words.ts';

/** String literals in an expression, except attribute names. */
const TEXT = /"((?:[^"\\]|\\.)*)"(?!\s*[=:])/g;

/** Returns the values of a job that its log must not show. */
export function secretsOf({ variables, sshKey, identity }: Job): string[] {
  const ofVariables = variables.filter(({ sensitive }) => sensitive).flatMap(textsOf);
  const values = [...ofVariables, ...(identity?.secrets ?? [])];
  return sshKey === null ? values : [...values, sshKey];
}

/** Returns the keys of sensitive variables whose value the log may show: it is too short, or a word of structured lines. */
export function unmaskedKeys({ variables }: Job): string[] {
  const shown = variables.filter(
    ({ sensitive, value }) => sensitive && value !== '' && (value.length < SHORTEST || WORDS.has(value)),
  );
  return [...new Set(shown.map(({ key }) => key))];
}

/**
 * Returns the value, and for an expression its string literals: engines print an expression differently, but its
 * strings unchanged.
 */
function textsOf({ value, hcl }: JobVariable): string[] {
  return hcl ? [value, ...[...value.matchAll(TEXT)].map(([, text = '']) => unquoted(text))] : [value];
}

function unquoted(text: string): string {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return text;
  }
}
