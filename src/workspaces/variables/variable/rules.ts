import type { Issue } from '../../../lib/errors.ts';
import { environmentProblem, isVariableName } from '../../../lib/job/variable-rules.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import { movesSecret } from '../../platform/bound-secret.ts';
import type { VariableInput } from './schema.ts';
import type { Category, VariableContent } from './variable.ts';

/** @limit the value of a variable, bytes -> 422 */
const MAX_VALUE_BYTES = 262_144;
/**
 * Maximum number of variables of one workspace or set. One response lists them all.
 * @limit variables of a workspace or a set, variables -> 422
 */
const MAX_VARIABLES = 500;
/** @limit total size of the values of the variables of a workspace or a set, bytes -> 422 */
const MAX_TOTAL_BYTES = 8 * 1_048_576;

/** Identifiers of the engine's language, and names that a shell can set. */
const IS_KEY: Readonly<Record<Category, (key: string) => boolean>> = {
  terraform: isVariableName,
  env: (key) => /^[^\s=\p{C}]+$/u.test(key),
};
const KEY_RULES: Readonly<Record<Category, string>> = {
  terraform: 'Key must contain only letters, digits, - and _, and start with a letter or _',
  env: 'Key must not contain spaces, = or control characters',
};

/** Error messages for changes that need the value again. That of the key starts with the words of HCP Terraform. */
const KEPT_SECRET = {
  key: 'Key cannot be updated for a sensitive variable without its value: send the value again, or delete the variable and create another',
  'apply-only':
    'Apply only cannot be switched off for a sensitive variable without its value: send the value again, or delete the variable and create another',
} as const;

/** Defaults of a variable. */
const NEW_VARIABLE = {
  key: '',
  category: 'terraform',
  value: '',
  description: null,
  hcl: false,
  sensitive: false,
  applyOnly: false,
} as const;

/**
 * Returns the variable after a client's attributes: absent ones stay, null restores the default. Error messages never
 * contain a value.
 * @param at JSON pointer to the attributes
 * @throws 422 with all errors
 */
export function nextVariable(input: VariableInput, at: string, current?: VariableContent): VariableContent {
  const { key, category, value, description, hcl, sensitive, 'apply-only': applyOnly } = input;
  const before: VariableContent = current ?? NEW_VARIABLE;
  const next: VariableContent = {
    key: key ?? before.key,
    category: category ?? before.category,
    value: value === null ? '' : (value ?? before.value),
    description: description === undefined ? before.description : description,
    hcl: hcl === undefined ? before.hcl : (hcl ?? false),
    sensitive: sensitive === undefined ? before.sensitive : (sensitive ?? false),
    applyOnly: applyOnly === undefined ? before.applyOnly : (applyOnly ?? false),
  };
  const destination = {
    key: [before.key, next.key],
    // Speculative plans, of pull requests for example, would read the stored value.
    'apply-only': [String(before.applyOnly && !next.applyOnly), 'false'],
  } as const;
  const moved = movesSecret({ isStored: before.sensitive, given: value, destination });
  const issues = [
    ...issuesOf(next, before, at),
    ...moved.map((name) => ({ detail: KEPT_SECRET[name], pointer: `${at}/${name}` })),
  ];
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
      ? [{ detail: `Value must have at most ${MAX_VALUE_BYTES} bytes`, pointer: `${at}/value` }]
      : []),
    // A sensitive variable cannot become readable, because an actor could otherwise read a value that is
    // write-only.
    ...(before.sensitive && !next.sensitive
      ? [{ detail: 'Sensitive cannot be switched off; delete the variable instead', pointer: `${at}/sensitive` }]
      : []),
  ];
}

/** Size is measured in UTF-8 bytes. */
export function bytesOf(value: string): number {
  return Buffer.byteLength(value);
}

/**
 * Checks the number and the total size of an owner's variables.
 * @throws 422 when they exceed a limit
 */
export function checkTotals({ count, bytes }: { readonly count: number; readonly bytes: number }): void {
  if (count > MAX_VARIABLES) throw unprocessable([{ detail: `There are at most ${MAX_VARIABLES} variables` }]);
  if (bytes > MAX_TOTAL_BYTES) {
    throw unprocessable([{ detail: `The values have at most ${MAX_TOTAL_BYTES} bytes together` }]);
  }
}
