import { compileGlob, type Glob } from '../../../lib/glob.ts';

/** How upper and lower case count when names of one type are compared with patterns. */
export interface CaseRule {
  /** Returns the pattern for folded names. It matches the names that the pattern matches, in any case that does not count. */
  pattern(text: string): string;
  /** Returns the folded name. Undefined if case counts in the whole name. */
  name(text: string): string | undefined;
}

/** ASCII only: outside of it, characters that look different have the same lower case (`K`, the Kelvin sign). */
const lower = (text: string): string =>
  /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;

/** Case counts. */
export const EXACT: CaseRule = { pattern: (text) => text, name: () => undefined };

/** DNS names (RFC 4343). */
export const DNS_CASE: CaseRule = { pattern: lower, name: lower };

/** Email addresses (RFC 5280 §7.5): the domain compares without case, the local part with it. */
export const EMAIL_CASE: CaseRule = {
  // Without @, only the text after the last star is certainly a part of the domain.
  pattern: (text) => lowerFrom(text, text.includes('@') ? text.lastIndexOf('@') : text.lastIndexOf('*')),
  name: (text) => (text.includes('@') ? lowerFrom(text, text.lastIndexOf('@')) : undefined),
};

const lowerFrom = (text: string, at: number): string => (at < 0 ? text : text.slice(0, at) + lower(text.slice(at)));

/** Scheme and authority of a URI. */
const URI = /^[a-z][a-z\d+.-]*:(?:\/\/[^/?#]*)?/i;
/** The part of a pattern before its first star, as far as it is scheme and authority. */
const URI_PATTERN = /^[a-z][a-z\d+.-]*:(?:\/\/[^/?#*]*)?/i;

/**
 * URIs (RFC 3986 §6.2.2.1): scheme and host compare without case. A star may match a slash, so in a pattern only the
 * text before the first star is certainly no path.
 */
export const URI_CASE: CaseRule = {
  pattern: (text) => text.replace(URI_PATTERN, lower),
  name(text) {
    const start = URI.exec(text)?.[0];
    // Case counts in a user name.
    return start === undefined || start.includes('@') ? undefined : lower(start) + text.slice(start.length);
  },
};

/** Compiles a pattern for names as they are written. Case counts only where the rule says so. */
export function compileCase({ pattern, name }: CaseRule, text: string): Glob {
  const folded = compileGlob(pattern(text));
  const written = compileGlob(text);
  return (value) => {
    const lowered = name(value);
    return (lowered !== undefined && folded(lowered)) || written(value);
  };
}
