/** Kinds of fields, which decide about their operators. */
export type Kind = 'text' | 'number' | 'boolean' | 'time' | 'list';

/** Value of a field: times are milliseconds since 1970. Null is unknown, or empty. */
export type Value = string | number | boolean | null | readonly string[];

/** A field of the rows of a view type, in snake case as in HCP Terraform. */
export interface Field<Row> {
  readonly name: string;
  readonly kind: Kind;
  /** Version numbers sort by their parts. */
  readonly isVersion?: true;
  get(row: Row): Value;
}

/** Operators by kind of field. The first ones are those of HCP Terraform. */
export const OPERATORS = {
  text: ['is', 'is_not', 'contains', 'does_not_contain', 'is_empty', 'is_not_empty'],
  list: ['is', 'is_not', 'contains', 'does_not_contain', 'is_empty', 'is_not_empty'],
  number: ['is', 'is_not', 'gt', 'lt', 'gteq', 'lteq', 'is_empty', 'is_not_empty'],
  boolean: ['is', 'is_not', 'is_empty', 'is_not_empty'],
  time: ['is_before', 'is_after', 'is_empty', 'is_not_empty'],
} as const satisfies Record<Kind, readonly string[]>;

export type Operator = (typeof OPERATORS)[Kind][number];

/** Operators that take no value. */
export const WITHOUT_VALUE: ReadonlySet<string> = new Set(['is_empty', 'is_not_empty']);

type Predicate = (value: Value) => boolean;

/** Thrown for a filter value that the field cannot have. The message says which values it takes. */
export class WrongValue extends Error {}

/**
 * Returns the condition of a filter. Texts are contained in any letter case. A list has each of its entries: it `is` a
 * value that is one of them.
 * @throws WrongValue
 */
export function predicateOf(kind: Kind, operator: Operator, text: string): Predicate {
  switch (operator) {
    case 'is_empty':
      return isEmpty;
    case 'is_not_empty':
      return (value) => !isEmpty(value);
    case 'is_not':
    case 'does_not_contain': {
      const holds = predicateOf(kind, operator === 'is_not' ? 'is' : 'contains', text);
      return (value) => !holds(value);
    }
    case 'is':
      return equal(kind, text);
    case 'contains':
      return containing(text);
    default:
      return compared(kind, operator, text);
  }
}

const isEmpty: Predicate = (value) => value === null || value === '' || (Array.isArray(value) && value.length === 0);

function equal(kind: Kind, text: string): Predicate {
  if (kind === 'list') return (value) => (value as readonly string[] | null)?.includes(text) ?? false;
  const wanted = kind === 'number' ? numberOf(text) : kind === 'boolean' ? booleanOf(text) : text;
  return (value) => value === wanted;
}

function containing(text: string): Predicate {
  const wanted = text.toLowerCase();
  // A few texts occur in the lists of many rows.
  const known = new Map<string, boolean>();
  const has = (one: string): boolean => {
    const before = known.get(one);
    if (before !== undefined) return before;
    const found = one.toLowerCase().includes(wanted);
    known.set(one, found);
    return found;
  };
  return (value) => {
    if (typeof value === 'string') return value.toLowerCase().includes(wanted);
    return Array.isArray(value) && value.some(has);
  };
}

function compared(kind: Kind, operator: Operator, text: string): Predicate {
  const than = kind === 'time' ? timeOf(text) : numberOf(text);
  const holds = COMPARISONS[operator as keyof typeof COMPARISONS];
  return (value) => typeof value === 'number' && holds(value, than);
}

const COMPARISONS = {
  gt: (one: number, other: number) => one > other,
  lt: (one: number, other: number) => one < other,
  gteq: (one: number, other: number) => one >= other,
  lteq: (one: number, other: number) => one <= other,
  is_before: (one: number, other: number) => one < other,
  is_after: (one: number, other: number) => one > other,
} as const;

function numberOf(text: string): number {
  if (!/^-?\d{1,15}(?:\.\d{1,6})?$/.test(text)) throw new WrongValue('must be a number, such as 30');
  return Number(text);
}

function booleanOf(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new WrongValue('must be true or false');
  return text === 'true';
}

const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** A time without an offset is in UTC. */
function timeOf(text: string): number {
  const match = TIME.exec(text);
  const time = match === null ? Number.NaN : Date.parse(match[1] || text.length <= 10 ? text : `${text}Z`);
  if (Number.isNaN(time))
    throw new WrongValue('must be a time in ISO 8601, such as 2026-01-31 or 2026-01-31T12:00:00Z');
  return time;
}

const versions = new Intl.Collator('en', { numeric: true });

/** Number of simple steps that one row costs: it may have some hundred providers, modules and types. */
export const HEAVY = 16;

/** Returns a comparison of two values of the field. Empty values come last, in either direction. */
export function comparisonOf<Row>(
  { isVersion }: Field<Row>,
  descending: boolean,
): (one: Value, other: Value) => number {
  const sign = descending ? -1 : 1;
  return (one, other) => {
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    if (isVersion) return sign * versions.compare(String(one), String(other));
    if (Array.isArray(one) && Array.isArray(other)) return sign * compareLists(one, other);
    return sign * (Number(one > other) - Number(one < other));
  };
}

/** Compares entry by entry: joined lists of all rows take gigabytes, while the lists share their texts. */
function compareLists(one: readonly string[], other: readonly string[]): number {
  const shared = Math.min(one.length, other.length);
  for (let at = 0; at < shared; at++) {
    const [left, right] = [one[at] as string, other[at] as string];
    if (left !== right) return left < right ? -1 : 1;
  }
  return one.length - other.length;
}
