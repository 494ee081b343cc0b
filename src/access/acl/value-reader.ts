import { DurationError, parseSeconds } from '../../lib/duration.ts';
import type { Value } from './language/parse.ts';
import { PolicyError, quoted } from './language/policy-error.ts';
import type { ParameterMap, ParameterValue } from './policy.ts';
import { parseTemplate } from './template.ts';

/**
 * Maximum number of names and values in one block, nested ones included.
 * @limit values in one block of a policy, values -> 400
 */
export const MAX_BLOCK_VALUES = 10_000;

/** Returns a syntax error with the position in the policy text. */
export type Fail = (offset: number, message: string) => PolicyError;

/** Converts parsed values to the fields of a block. Every method may throw a PolicyError. */
export class ValueReader {
  readonly #fail: Fail;
  /** Whether any value was a template. */
  templated = false;
  /** Number of values read. */
  count = 0;

  constructor(fail: Fail) {
    this.#fail = fail;
  }

  isTemplate(text: string, offset: number): boolean {
    try {
      return parseTemplate(text) !== undefined;
    } catch (error) {
      throw error instanceof PolicyError ? this.#fail(offset, error.message) : error;
    }
  }

  parameters(value: Value): ParameterMap {
    if (value.kind !== 'object')
      throw this.#fail(value.offset, 'expected names with lists of values: { name = [ … ] }');
    const parameters = new Map<string, readonly ParameterValue[]>();
    for (const { keys, value: values } of value.items) {
      this.#counted(keys[0].offset);
      const name = keys[0].text.toLowerCase();
      if (keys.length > 1 || values.kind !== 'list') {
        throw this.#fail(
          values.offset,
          `the values of ${quoted(name)} must be a list; an empty list means every value`,
        );
      }
      if (parameters.has(name)) throw this.#fail(keys[0].offset, `${quoted(name)} occurs twice; merge the lists`);
      parameters.set(
        name,
        values.values.map((one) => this.#plain(one)),
      );
    }
    return parameters;
  }

  #counted(offset: number): void {
    if (++this.count > MAX_BLOCK_VALUES)
      throw this.#fail(offset, `a block may have at most ${MAX_BLOCK_VALUES} values`);
  }

  #plain(value: Value): ParameterValue {
    this.#counted(value.offset);
    if (value.kind === 'list') return value.values.map((one) => this.#plain(one));
    if (value.kind === 'object') {
      return Object.fromEntries(value.items.map((item) => [item.keys[0].text, this.#plain(item.value)]));
    }
    if (typeof value.value === 'string' && this.isTemplate(value.value, value.offset)) this.templated = true;
    return value.value;
  }

  texts(value: Value): string[] {
    if (value.kind !== 'list') throw this.#fail(value.offset, 'expected a list: [ … ]');
    return value.values.map((one) => {
      this.#counted(one.offset);
      return this.text(one);
    });
  }

  text(value: Value): string {
    if (value.kind === 'scalar' && typeof value.value === 'string') return value.value;
    throw this.#fail(value.offset, 'expected a string in double quotes');
  }

  seconds(value: Value): number {
    if (value.kind === 'scalar' && (typeof value.value === 'string' || typeof value.value === 'number')) {
      try {
        return parseSeconds(value.value);
      } catch (error) {
        throw error instanceof DurationError ? this.#fail(value.offset, error.message) : error;
      }
    }
    throw this.#fail(value.offset, 'expected a duration such as "1h" or 3600');
  }

  time(value: Value): number {
    const written = this.text(value);
    const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(written)
      ? Date.parse(written)
      : Number.NaN;
    if (Number.isNaN(time)) throw this.#fail(value.offset, 'expected a time such as "2027-01-31T12:00:00Z"');
    return time;
  }
}
