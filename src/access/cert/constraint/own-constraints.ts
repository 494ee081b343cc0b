import { attributeName, attributeTypeOf, type Oid } from '../../../x509/index.ts';
import { otherTypeOf } from '../settings/other-sans.ts';

/** Constraints of a role that other servers do not have. Unlike theirs, an invalid item is refused when it is written. */

export interface OtherSanPattern {
  readonly type: Oid;
  readonly pattern: string;
  /** Whether the pattern is for the whole DER in hex. */
  readonly hex: boolean;
}

/** Parses `UPN:pattern`, `oid:pattern` or `hex:oid:pattern`. The pattern may contain colons. */
export function parseOtherSan(item: string): OtherSanPattern | undefined {
  const found = /^(hex:)?([^:]+):(.+)$/s.exec(item);
  const type = otherTypeOf(found?.[2] ?? '');
  const [, hex, , pattern = ''] = found ?? [];
  if (type === undefined || (hex && !/^[\da-f*]+$/i.test(pattern))) return undefined;
  return { type, pattern: hex ? pattern.toLowerCase() : pattern, hex: hex !== undefined };
}

export interface AttributePattern {
  readonly type: Oid;
  readonly pattern: string;
}

/** Parses `UID=pattern` or `oid=pattern`. The pattern may contain equals signs. */
export function parseAttribute(item: string): AttributePattern | undefined {
  const found = /^([^=]+)=(.+)$/s.exec(item);
  const type = attributeTypeOf((found?.[1] ?? '').trim());
  return type === undefined ? undefined : { type, pattern: (found?.[2] ?? '').trim() };
}

/** Returns the patterns of each attribute. */
export function attributePatterns(items: readonly string[]): ReadonlyMap<Oid, readonly string[]> {
  const parsed = items.map(parseAttribute).filter((one) => one !== undefined);
  const byType = Map.groupBy(parsed, ({ type }) => type);
  return new Map([...byType].map(([type, some]) => [type, some.map(({ pattern }) => pattern)]));
}

export const shownPatterns = (type: Oid, patterns: readonly string[]): string =>
  patterns.map((pattern) => `${attributeName(type)}=${pattern}`).join(', ');
