import { compileGlob, type Glob } from '../../../lib/glob.ts';
import { memoizeByObject } from '../../../lib/memoize-by-object.ts';
import type { PatternLanguage } from '../../../lib/pattern-set.ts';
import type { Certificate } from '../../../x509/index.ts';

/**
 * What the specification asks of names beyond the patterns of a role (§4, login rules 5 and 6), in force unless the
 * configuration turns `strict_dns_names` off; and what a pattern means for a DNS name where it turns `strict_dns_patterns` on.
 */

/**
 * RFC 1035 §2.3.4, as text without the final dot.
 * @limit a DNS name, characters -> it is none
 */
const MAX_NAME = 253;
/** RFC 1123 §2.1. */
const HOST_LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;
/** With the underscore of service names (RFC 8552) too. */
const LABEL = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/i;
const DIGITS = /^\d+$/;

/** A DNS name as certificates carry them: maybe of one label, maybe with a wildcard as its first one. */
export function isDnsName(name: string): boolean {
  return name.length <= MAX_NAME && consistsOf(LABEL, name.startsWith('*.') ? name.slice(2) : name);
}

/** Login rule 5: the DNS SANs of a certificate that are no DNS names. Many roles may ask about one certificate. */
export const malformedDnsNames: (leaf: Certificate) => readonly string[] = memoizeByObject(
  ({ dnsNames }: Certificate) => dnsNames.filter((name) => !isDnsName(name)),
);

/** The name of one host, in full: at least two labels, no wildcard, no final dot, no address. */
export function isFullyQualified(name: string): boolean {
  return name.length <= MAX_NAME && name.includes('.') && consistsOf(HOST_LABEL, name);
}

function consistsOf(form: RegExp, name: string): boolean {
  const labels = name.split('.');
  // A last label of digits makes it an IPv4 address (RFC 1123 §2.1).
  return labels.every((label) => form.test(label)) && !DIGITS.test(labels.at(-1) ?? '');
}

/**
 * Whether a DNS name fits a pattern in which stars stay within their labels: so that `*.example.com` is about the names below `example.com` and not
 * about those further down, whose owners may be others. A pattern that ends in a `*` leaves open what follows.
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

/** Of sets of such patterns. */
export const DNS_PATTERNS: PatternLanguage = {
  compile: compileDnsPattern,
  mayBegin: (text) => !text.includes('.'),
};

/** What a part of a pattern between two dots must be like to fit a label: no run of characters is longer than one. */
const PATTERN_LABEL = /^(?!-)(?!.*[^*]{64})[a-z\d_*-]+(?<!-)$/i;
const HOST_PATTERN_LABEL = /^(?!-)(?!.*[^*]{64})[a-z\d*-]+(?<!-)$/i;

/** Whether any well-formed DNS name can fit a pattern. */
export function canBeDnsName(pattern: string): boolean {
  return canConsistOf(PATTERN_LABEL, pattern);
}

/**
 * Whether any fully qualified name can fit a pattern.
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

/** Login rule 6: why the common name of a certificate cannot be verified; undefined when it can. */
export function commonNameFault({ commonName, dnsNames }: Certificate): string | undefined {
  if (commonName === undefined) return 'none';
  if (!isFullyQualified(commonName)) return `${commonName}, which is no fully qualified DNS name`;
  const name = commonName.toLowerCase();
  if (dnsNames.some((dnsName) => dnsName.toLowerCase() === name)) return undefined;
  return `${commonName}, which is not among the DNS SANs (${dnsNames.join(', ') || 'none'})`;
}
