import { type Plain, plainValues } from '../../../jwt/index.ts';
import { type Field, FieldError } from '../../operation/fields.ts';

/** @limit bound claims of a JWT role, claims -> 400 */
const MAX_CLAIMS = 100;
/** @limit values of one bound claim of a JWT role, values -> 400 */
const MAX_VALUES = 1_000;
/** @limit total length of the bound claims of a JWT role with their values, characters -> 400 */
const MAX_LENGTH = 65_536;

/** Bound claims as written: one value, or several of which one must match. */
export type BoundClaims = Readonly<Record<string, Plain | readonly Plain[]>>;

/** Field for claim values by name or JSON pointer: an object, or JSON text of one. */
export function boundClaims(): Field<BoundClaims | null> {
  return {
    initial: null,
    schema: { type: 'object' },
    parse: (value) => (value === null ? undefined : asClaims(value)),
  };
}

/**
 * Returns an object, or parses JSON text of one.
 * @throws FieldError
 */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  const object = typeof value === 'string' ? fromJson(value) : value;
  if (typeof object !== 'object' || object === null || Array.isArray(object))
    throw new FieldError('expected an object');
  return object as Readonly<Record<string, unknown>>;
}

function asClaims(value: unknown): BoundClaims {
  const claims = objectOf(value);
  const entries = Object.entries(claims);
  if (entries.length > MAX_CLAIMS) throw new FieldError(`expected at most ${MAX_CLAIMS} claims`);
  if (JSON.stringify(claims).length > MAX_LENGTH) throw new FieldError(`expected at most ${MAX_LENGTH} characters`);
  for (const [name, bound] of entries) {
    const values = plainValues(bound);
    if (name === '' || !values)
      throw new FieldError('expected claims with a string, a number, true or false, or a list of these');
    if (values.length === 0 || values.length > MAX_VALUES) {
      throw new FieldError(`expected 1 to ${MAX_VALUES} values for each claim`);
    }
  }
  return claims as BoundClaims;
}

function fromJson(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new FieldError('expected an object');
  }
}
