import { type TSchema, Type } from 'typebox';
import type { Issue } from '../../lib/errors.ts';

/** The query of a route that takes no parameter. */
export const NO_QUERY = Type.Object({});

/**
 * Characters of the name of an unknown parameter that its refusal repeats.
 * @limit the name of an unknown query parameter in an error, characters -> it is cut
 */
const MAX_SHOWN = 100;

/**
 * Fields of go-tfe's options that its encoder writes under their names in Go. They say nothing, or what another parameter says,
 * and are ignored.
 */
const GO_FIELDS = /^(?:TagBindings|ListOptions|SubscribableChoice)(?:\[|$)/;

/** The members of a query schema that name parameters. */
interface Named {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly patternProperties?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the check for parameters that the schema of a query does not name: one issue each. A filter that is ignored widens the
 * list that a script goes on to work with, so no parameter is ignored (JSON:API 1.1 §8.1).
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

/** Official clients look for the words "include parameter", and ask again without it. */
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
