import type { Glob } from '../../../lib/glob.ts';
import { memoizeByObject } from '../../../lib/memoize-by-object.ts';
import type { Certificate } from '../../../x509/index.ts';
import { parseValueSource, type ValueKind, type ValueSource } from '../settings/value-source.ts';
import { type CaseRule, compileCase, DNS_CASE, EMAIL_CASE, EXACT, URI_CASE } from './name-case.ts';

/** @limit external groups of a certificate, groups -> the login is refused */
export const MAX_GROUPS = 500;

const RULES: Readonly<Partial<Record<ValueKind, CaseRule>>> = {
  dns_san: DNS_CASE,
  email_san: EMAIL_CASE,
  uri_san: URI_CASE,
};

interface GroupSource extends Pick<ValueSource, 'valuesOf'> {
  readonly rule: CaseRule;
  readonly matches: Glob;
}

/** Compiles `source` or `source:pattern`, such as `subject:OU` or `uri_san:spiffe://example.org/team/*`. */
export function parseGroupSource(item: string): GroupSource | undefined {
  const parsed = parseValueSource(item);
  if (!parsed || parsed.rest === '') return undefined;
  const rule = RULES[parsed.source.kind] ?? EXACT;
  return { valuesOf: parsed.source.valuesOf, rule, matches: compileCase(rule, parsed.rest ?? '*') };
}

/** Returns the names of the external groups in a certificate. */
export type GroupsOf = (leaf: Certificate) => readonly string[];

/**
 * Compiles the sources of a role once, with a cache by certificate. DNS names, and hosts in email addresses and URIs,
 * become lower case.
 */
export const compileGroupSources = memoizeByObject((items: readonly string[]): GroupsOf => {
  const sources = items.map(parseGroupSource).filter((source) => source !== undefined);
  return memoizeByObject((leaf: Certificate) => {
    const groups = new Set<string>();
    for (const { valuesOf, rule, matches } of sources) {
      for (const value of valuesOf(leaf)) {
        if (value !== '' && matches(value)) groups.add(rule.name(value) ?? value);
      }
    }
    return [...groups];
  });
});
