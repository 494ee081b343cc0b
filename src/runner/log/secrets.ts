import type { Job, JobVariable } from '../job.ts';
import { SHORTEST } from './secret-forms.ts';
import { WORDS } from './words.ts';

/** Texts in an expression, but for names of members. */
const TEXT = /"((?:[^"\\]|\\.)*)"(?!\s*[=:])/g;

/** What of a job must not stand in its log. */
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

/** An expression is printed in other ways than it is written; what is quoted in it is printed as it is. */
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
