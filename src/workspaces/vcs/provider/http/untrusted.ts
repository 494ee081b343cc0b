import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { type JsonLimits, parseJson } from '../../../../lib/json.ts';
import { ProviderError } from '../provider-error.ts';

const LIMITS: JsonLimits = {
  /** @limit nested objects and arrays in a response of a VCS provider, levels -> the response counts as invalid */
  depth: 32,
  /** @limit values in a response of a VCS provider, values -> the response counts as invalid */
  values: 50_000,
};

/** Parses a body; undefined for an empty one, and for one that is not JSON within the limits. */
export function parseResponse(bytes: Buffer): unknown {
  try {
    return parseJson(bytes, LIMITS);
  } catch {
    return undefined;
  }
}

/**
 * Creates a function that reads a value from a provider. Members that the schema does not name are ignored.
 * @param name of the value in an error, such as `pull request`
 * @returns function that throws ProviderError `invalid` if the value does not match
 */
export function reader<T extends TSchema>(name: string, schema: T): (value: unknown) => Static<T> {
  let compiled: Validator | undefined;
  return (value) => {
    compiled ??= Compile(schema) as Validator;
    if (compiled.Check(value)) return value as Static<T>;
    const [problem] = compiled.Errors(value);
    const where = problem?.instancePath || 'it';
    throw new ProviderError(
      'invalid',
      `The provider sent a ${name} that cannot be read: ${where} ${problem?.message ?? 'does not match'}`,
    );
  };
}
