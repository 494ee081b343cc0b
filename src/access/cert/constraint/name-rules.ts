import { compileGlob, type Glob } from '../../../lib/glob.ts';
import { memoizeByObject } from '../../../lib/memoize-by-object.ts';
import type { PatternLanguage } from '../../../lib/pattern-set.ts';
import type { Certificate } from '../../../x509/index.ts';

/**
 * Rules for names that apply besides the patterns of a role: login rules 5 and 6 of the specification (§4) unless
 * `strict_dns_names` is off, and patterns for DNS names if `strict_dns_patterns` is on.
 */

/**
 * RFC 1035 §2.3.4, without the final dot.
 * @limit a DNS name, characters -> the name is invalid
 */
const MAX_NAME = 253;
/** RFC 1123 §2.1. */
const HOST_LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;
/** Also accepts underscores, as in service names (RFC 8552). */
const LABEL = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/i;
const DIGITS = /^\d+$/;

/** Returns whether a text is a DNS name as in certificates: it may have one label only, and `*` as its first label. */
export function isDnsName(name: string): boolean {
  return name.length <= MAX_NAME && consistsOf(LABEL, name.startsWith('*.') ? name.slice(2) : name);
}

/**
 * Login rule 5: returns the DNS SANs that are not DNS names. Cached with the certificate, because many roles may
 * check it.
 */
export const malformedDnsNames: (leaf: Certificate) => readonly string[] = memoizeByObject(
  ({ dnsNames }: Certificate) => dnsNames.filter((name) => !isDnsName(name)),
);

/** Returns whether a text is a full host name: at least two labels, no wildcard, no final dot, no IP address. */
export function isFullyQualified(name: string): boolean {
  return name.length <= MAX_NAME && name.includes('.') && consistsOf(HOST_LABEL, name);
}

function consistsOf(form: RegExp, name: string): boolean {
  const labels = name.split('.');
  // A numeric last label would make it an IPv4 address (RFC 1123 §2.1).
  return labels.every((label) => form.test(label)) && !DIGITS.test(labels.at(-1) ?? '');
}

/**
 * Compiles a pattern for DNS names in which stars stay within their label. `*.example.com` matches names directly
 * below `example.com`, but not deeper ones, which may belong to others. A trailing `*` matches the rest of the name.
 */
export function compileDnsPattern(pattern: string): Glob {
  const wanted = pattern.split('.').map(compileGlob);
  const last = wanted.length - 1;
  const isOpen = pattern.endsWith('*');
  return (name) => {
    const labels = name.split('.');
    if (isOpen && labels.length > last) labels.push(labels.splice(last).join('.'));
    return labels.length === wanted.length && wanted.every((fits, i) => fits(labels[i] ?? ''));
  };
}

/** Pattern language for sets of such patterns. */
export const DNS_PATTERNS: PatternLanguage = {
  compile: compileDnsPattern,
  mayBegin: (text) => !text.includes('.'),
};

/** A label of a pattern that can match a label of a name. It has no more than 63 characters in a row. */
const PATTERN_LABEL = /^(?!-)(?!.*[^*]{64})[a-z\d_*-]+(?<!-)$/i;
const HOST_PATTERN_LABEL = /^(?!-)(?!.*[^*]{64})[a-z\d*-]+(?<!-)$/i;

/** Returns whether any valid DNS name can match a pattern. */
export function canBeDnsName(pattern: string): boolean {
  return canConsistOf(PATTERN_LABEL, pattern);
}

/**
 * Returns whether any fully qualified name can match a pattern.
 * @param withinLabels whether a star stays within its label
 */
export function canBeFullyQualified(pattern: string, withinLabels: boolean): boolean {
  const hasDot = pattern.includes('.') || (withinLabels ? pattern.endsWith('*') : pattern.includes('*'));
  return hasDot && canConsistOf(HOST_PATTERN_LABEL, pattern);
}

function canConsistOf(form: RegExp, pattern: string): boolean {
  if (pattern.replaceAll('*', '').length > MAX_NAME) return false;
  const labels = pattern.split('.');
  return labels.every((label) => form.test(label)) && !DIGITS.test(labels.at(-1) ?? '');
}

/** Login rule 6: returns why the common name of a certificate is not accepted, or undefined. */
export function commonNameFault({ commonName, dnsNames }: Certificate): string | undefined {
  if (commonName === undefined) return 'none';
  if (!isFullyQualified(commonName)) return `${commonName}, which is not a fully qualified DNS name`;
  const name = commonName.toLowerCase();
  if (dnsNames.some((dnsName) => dnsName.toLowerCase() === name)) return undefined;
  return `${commonName}, which is not among the DNS SANs (${dnsNames.join(', ') || 'none'})`;
}
