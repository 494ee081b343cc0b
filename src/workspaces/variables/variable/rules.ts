import type { Issue } from '../../../lib/errors.ts';
import { environmentProblem, isVariableName } from '../../../lib/job/variable-rules.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import { movesSecret } from '../../platform/bound-secret.ts';
import type { VariableInput } from './schema.ts';
import type { Category, VariableContent } from './variable.ts';

/** @limit the value of a variable, bytes -> 422 */
const MAX_VALUE_BYTES = 262_144;
/**
 * Of one workspace or set, together: a list of them is one answer.
 * @limit variables of a workspace or a set, variables -> 422
 */
const MAX_VARIABLES = 500;
/** @limit values of the variables of a workspace or a set, together, bytes -> 422 */
const MAX_TOTAL_BYTES = 8 * 1_048_576;

/** Names of the engine's language; of an environment, whatever a shell can set. */
const IS_KEY: Readonly<Record<Category, (key: string) => boolean>> = {
  terraform: isVariableName,
  env: (key) => /^[^\s=\p{C}]+$/u.test(key),
};
const KEY_RULES: Readonly<Record<Category, string>> = {
  terraform: 'Key has letters, digits, - and _, and begins with a letter or _: engines know no other variables',
  env: 'Key has no spaces, no = and no control characters',
};

/** It begins as the original says it. */
const KEY_IS_KEPT =
  'Key cannot be updated for a sensitive variable without its value: send the value again, or delete the variable and create another';

/** A variable that nobody has said anything of. */
const NEW_VARIABLE = {
  key: '',
  category: 'terraform',
  value: '',
  description: null,
  hcl: false,
  sensitive: false,
} as const;

/**
 * The variable after a client's attributes: what is absent stays, null brings the default back. A value is never part
 * of what is said about it.
 * @param at JSON pointer to the attributes
 * @throws 422 with everything that is wrong
 */
export function nextVariable(input: VariableInput, at: string, current?: VariableContent): VariableContent {
  const { key, category, value, description, hcl, sensitive } = input;
  const before: VariableContent = current ?? NEW_VARIABLE;
  const next: VariableContent = {
    key: key ?? before.key,
    category: category ?? before.category,
    value: value === null ? '' : (value ?? before.value),
    description: description === undefined ? before.description : description,
    hcl: hcl === undefined ? before.hcl : (hcl ?? false),
    sensitive: sensitive === undefined ? before.sensitive : (sensitive ?? false),
  };
  const destination = { key: [before.key, next.key] } as const;
  const isMoved = movesSecret({ isStored: before.sensitive, given: value, destination }).length > 0;
  const issues = [...issuesOf(next, before, at), ...(isMoved ? [{ detail: KEY_IS_KEPT, pointer: `${at}/key` }] : [])];
  if (issues.length > 0) throw unprocessable(issues);
  return next;
}

function issuesOf(next: VariableContent, before: VariableContent, at: string): Issue[] {
  const { key, category, value = '' } = next;
  const isKeyRefused = key !== '' && !IS_KEY[category](key) && (key !== before.key || category !== before.category);
  const isEnvironment = category === 'env' && key !== '' && !isKeyRefused && next.value !== undefined;
  const problem = isEnvironment ? environmentProblem(key, value) : undefined;
  return [
    ...(key === '' ? [{ detail: "Key can't be blank", pointer: `${at}/key` }] : []),
    ...(isKeyRefused ? [{ detail: KEY_RULES[category], pointer: `${at}/key` }] : []),
    ...(problem === undefined ? [] : [{ detail: problem, pointer: `${at}/value` }]),
    ...(bytesOf(value) > MAX_VALUE_BYTES
      ? [{ detail: `Value has at most ${MAX_VALUE_BYTES} bytes`, pointer: `${at}/value` }]
      : []),
    // Whoever could switch it off would read what was written for nobody to read.
    ...(before.sensitive && !next.sensitive
      ? [{ detail: 'Sensitive cannot be switched off; delete the variable instead', pointer: `${at}/sensitive` }]
      : []),
  ];
}

/** In UTF-8. */
export function bytesOf(value: string): number {
  return Buffer.byteLength(value);
}

/** @throws 422 when one owner has more than a list of them is worth */
export function checkTotals({ count, bytes }: { readonly count: number; readonly bytes: number }): void {
  if (count > MAX_VARIABLES) throw unprocessable([{ detail: `There are at most ${MAX_VARIABLES} variables` }]);
  if (bytes > MAX_TOTAL_BYTES) {
    throw unprocessable([{ detail: `The values have at most ${MAX_TOTAL_BYTES} bytes together` }]);
  }
}
