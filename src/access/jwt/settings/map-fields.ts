import { type Plain, plainValues } from '../../../jwt/index.ts';
import { type Field, FieldError } from '../../operation/fields.ts';

/** @limit claims that a role binds, claims -> 400 */
const MAX_CLAIMS = 100;
/** @limit values of a claim that a role binds, values -> 400 */
const MAX_VALUES = 1_000;
/** @limit the claims that a role binds, with their values, characters -> 400 */
const MAX_LENGTH = 65_536;

/** As somebody wrote it: one value, or several of which one has to be there. */
export type BoundClaims = Readonly<Record<string, Plain | readonly Plain[]>>;

/** Values of claims by name or JSON pointer: an object, or one as JSON. */
export function boundClaims(): Field<BoundClaims | null> {
  return {
    initial: null,
    schema: { type: 'object' },
    parse: (value) => (value === null ? undefined : asClaims(value)),
  };
}

/** An object, or a text that holds one as JSON. */
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
      throw new FieldError('a claim is bound to texts, numbers, true or false, or to a list of such');
    if (values.length === 0 || values.length > MAX_VALUES) {
      throw new FieldError(`a claim is bound to 1 to ${MAX_VALUES} values`);
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
