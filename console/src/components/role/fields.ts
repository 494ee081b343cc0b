import { claimLines, claimsIn, whyNoClaims } from '../claims/claims.ts';

/** A field of a role as somebody fills it in: a text, a list or claims with a line for each, a number, yes or no, one of a few. */
export interface RoleField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'code' | 'lines' | 'claims' | 'number' | 'flag' | 'choice';
  readonly help?: string;
  /** Of a choice. */
  readonly options?: readonly (readonly [value: string, label: string])[];
}

export type FieldGroups = readonly (readonly [label: string, fields: readonly RoleField[]])[];

const fieldsOf = (groups: FieldGroups): readonly RoleField[] => groups.flatMap(([, fields]) => fields);

/** In the words of the API, as everything in a role. */
export const field = (kind: RoleField['kind'], name: string, help?: string): RoleField => ({
  name,
  label: name,
  kind,
  ...(help && { help }),
});

/** What tokens may that any method gives. */
export const TOKEN_FIELDS: readonly RoleField[] = [
  field('lines', 'token_policies'),
  field('number', 'token_ttl', 'Seconds; 0: as the mount says.'),
  field('number', 'token_max_ttl', 'Seconds; 0: as the mount says.'),
  field('lines', 'token_bound_cidrs', 'Where it may be used from.'),
];

/** What stands in the form. */
export type Filled = Readonly<Record<string, string | boolean>>;

/** A role as it stands in a form. */
export function filledOf(groups: FieldGroups, role: object): Filled {
  const values = role as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    fieldsOf(groups).map(({ name, kind, options }) => {
      const value = values[name];
      if (kind === 'flag') return [name, value === true];
      if (kind === 'lines') return [name, Array.isArray(value) ? value.join('\n') : ''];
      if (kind === 'claims') return [name, claimLines(value as Record<string, unknown> | null)];
      return [name, String(value ?? options?.[0]?.[0] ?? '')];
    }),
  );
}

/** Why it cannot be sent; nothing where it can. */
export function whyUnreadable(groups: FieldGroups, after: Filled): string | undefined {
  const [first] = fieldsOf(groups).flatMap(({ name, kind }) => {
    const why = kind === 'claims' ? whyNoClaims(String(after[name] ?? '')) : undefined;
    return why === undefined ? [] : [`${name}: ${why}`];
  });
  return first;
}

/** What of it is other than it was, as it is written. */
export function changesOf(groups: FieldGroups, before: Filled, after: Filled): Record<string, unknown> {
  const changed = fieldsOf(groups).filter(({ name }) => before[name] !== after[name]);
  return Object.fromEntries(changed.map(({ name, kind }) => [name, written(kind, after[name])]));
}

function written(kind: RoleField['kind'], value: string | boolean | undefined): unknown {
  if (kind === 'lines') return linesIn(String(value));
  if (kind === 'claims') return claimsIn(String(value));
  return kind === 'number' ? String(value).trim() || '0' : value;
}

/** What a text says line by line. */
export const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
