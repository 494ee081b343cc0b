import { literalIn } from './literal.ts';
import { CORE_GROUP, CORE_USER } from './resource.ts';
import { scimError } from './scim-error.ts';

/** Path to a part of a resource (RFC 7644 §3.5.2): `emails[type eq "work"].value`. */
export interface Path {
  /** URN of an extension. Undefined for the resource itself. */
  readonly schema: string | undefined;
  readonly attribute: string;
  readonly filter: { readonly attribute: string; readonly value: string } | undefined;
  readonly sub: string | undefined;
}

/** @limit path of a SCIM operation, characters -> 400 */
const LONGEST_PATH = 500;
const NAME = '[A-Za-z$][\\w$-]{0,99}';
const PATH = new RegExp(
  `^(?:(urn:[\\w:.-]{1,300}):)?(${NAME})(?:\\[\\s*(${NAME})\\s+eq\\s+("(?:[^"\\\\]|\\\\.)*"|true|false)\\s*\\])?(?:\\.(${NAME}))?$`,
  'i',
);
const OWN: readonly string[] = [CORE_USER.toLowerCase(), CORE_GROUP.toLowerCase()];
/** Names that would change the prototype of JavaScript objects. */
const NEVER: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/**
 * Parses a path.
 * @throws 400 for an invalid path
 */
export function readPath(text: unknown): Path {
  const found = typeof text === 'string' && text.length <= LONGEST_PATH ? PATH.exec(text) : null;
  const [, schema, attribute = '', filtered, value, sub] = found ?? [];
  const sought = value === undefined ? '' : literalIn(value);
  if (!found || sought === undefined || [attribute, filtered, sub].some((name) => NEVER.includes(name ?? ''))) {
    throw scimError('invalidPath', 'path: is invalid');
  }
  return {
    schema: schema === undefined || OWN.includes(schema.toLowerCase()) ? undefined : schema,
    attribute,
    filter: filtered === undefined ? undefined : { attribute: filtered, value: sought },
    sub,
  };
}
