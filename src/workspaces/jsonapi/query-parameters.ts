import { type TSchema, Type } from 'typebox';
import type { Issue } from '../../lib/errors.ts';

/** Query schema of a route without parameters. */
export const NO_QUERY = Type.Object({});

/**
 * Maximum length of an unknown parameter's name in an error message.
 * @limit name of an unknown query parameter in an error, characters -> it is cut
 */
const MAX_SHOWN = 100;

/**
 * Fields of go-tfe's options that its encoder writes under their Go names. They are empty or repeat another parameter,
 * so they are ignored.
 */
const GO_FIELDS = /^(?:TagBindings|ListOptions|SubscribableChoice)(?:\[|$)/;

/** Members of a query schema that define parameters. */
interface Named {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly patternProperties?: Readonly<Record<string, unknown>>;
}

/**
 * Returns a check for parameters that a query schema does not define; each is one issue. An ignored filter would
 * silently widen a list, so unknown parameters are refused (JSON:API 1.1 §8.1).
 */
export function unknownParameters(schema: TSchema): (query: unknown) => Issue[] {
  const { properties = {}, patternProperties = {} } = schema as Named;
  const known = Object.keys(properties);
  const names = new Set(known);
  const patterns = [GO_FIELDS, ...Object.keys(patternProperties).map((pattern) => new RegExp(pattern))];
  const isKnown = (name: string) => names.has(name) || patterns.some((pattern) => pattern.test(name));
  return (query) =>
    Object.keys((query ?? {}) as object)
      .filter((name) => !isKnown(name))
      .map((name) => unknownIssue(name, known));
}

/** Official clients match on the words "include parameter" and repeat the request without it. */
function unknownIssue(name: string, known: readonly string[]): Issue {
  const shown = name.slice(0, MAX_SHOWN);
  const taken = known.length === 0 ? 'It takes no parameters' : `It takes ${known.join(', ')}`;
  const isInclude = name === 'include';
  return {
    title: isInclude ? 'Invalid include parameter' : 'Invalid query parameter',
    detail: `This route has no ${isInclude ? 'include parameter' : `parameter "${shown}"`}. ${taken}`,
    parameter: shown,
  };
}
