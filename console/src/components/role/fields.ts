import { claimLines, claimsIn, whyNoClaims } from '../claims/claims.ts';
import * as texts from './texts.ts';

/** A field of the form. Lists and claims have one entry on each line. */
export interface RoleField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'code' | 'lines' | 'claims' | 'number' | 'flag' | 'choice';
  readonly help?: string;
  /** Text of a new role, if the server has a default. */
  readonly initial?: string;
  /** Options of a choice. */
  readonly options?: readonly (readonly [value: string, label: string])[];
}

export type FieldGroups = readonly (readonly [label: string, fields: readonly RoleField[]])[];

const fieldsOf = (groups: FieldGroups): readonly RoleField[] => groups.flatMap(([, fields]) => fields);

/** Creates a field whose label is the API's field name. */
export const field = (kind: RoleField['kind'], name: string, help?: string): RoleField => ({
  name,
  label: name,
  kind,
  ...(help && { help }),
});

/** Fields for token properties, common to all auth methods. */
export const TOKEN_FIELDS: readonly RoleField[] = [
  field('lines', 'token_policies'),
  field('number', 'token_ttl', texts.seconds0UsesThe),
  field('number', 'token_max_ttl', texts.seconds0UsesThe2),
  field('lines', 'token_bound_cidrs', texts.ipRangesCidrFrom),
];

/** Values of the form. */
export type Filled = Readonly<Record<string, string | boolean>>;

/** Converts a role to form values. */
export function filledOf(groups: FieldGroups, role: object): Filled {
  const values = role as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    fieldsOf(groups).map(({ name, kind, options, initial = '' }) => {
      const value = values[name];
      if (kind === 'flag') return [name, value === true];
      if (kind === 'lines') return [name, Array.isArray(value) ? value.join('\n') : initial];
      if (kind === 'claims') return [name, claimLines(value as Record<string, unknown> | null)];
      return [name, String(value ?? options?.[0]?.[0] ?? '')];
    }),
  );
}

/** Returns why the form cannot be sent; undefined if it can. */
export function whyUnreadable(groups: FieldGroups, after: Filled): string | undefined {
  const [first] = fieldsOf(groups).flatMap(({ name, kind }) => {
    const why = kind === 'claims' ? whyNoClaims(String(after[name] ?? '')) : undefined;
    return why === undefined ? [] : [`${name}: ${why}`];
  });
  return first;
}

/** Returns the changed fields, as the API expects them. */
export function changesOf(groups: FieldGroups, before: Filled, after: Filled): Record<string, unknown> {
  const changed = fieldsOf(groups).filter(({ name }) => before[name] !== after[name]);
  return Object.fromEntries(changed.map(({ name, kind }) => [name, written(kind, after[name])]));
}

function written(kind: RoleField['kind'], value: string | boolean | undefined): unknown {
  if (kind === 'lines') return linesIn(String(value));
  if (kind === 'claims') return claimsIn(String(value));
  return kind === 'number' ? String(value).trim() || '0' : value;
}

/** Splits a text into lines without empty ones. */
export const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
