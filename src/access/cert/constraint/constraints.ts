import { withinBlocks } from '../../../lib/cidr.ts';
import { compileGlob } from '../../../lib/glob.ts';
import { PatternSet } from '../../../lib/pattern-set.ts';
import type { Steps } from '../../../lib/slices.ts';
import { attributeName, attributeTypeOf, type Certificate, type Oid } from '../../../x509/index.ts';
import type { Verdict } from '../../method/index.ts';
import type { CertConfig } from '../settings/cert-config.ts';
import { isOid } from '../settings/oid.ts';
import { otherHex, otherNameText, otherTexts, UPN } from '../settings/other-sans.ts';
import type { RoleSettings } from '../settings/role-settings.ts';
import { compileGroupSources, MAX_GROUPS } from './group-sources.ts';
import { IpBlocks } from './ip-blocks.ts';
import { type CaseRule, DNS_CASE, EMAIL_CASE, EXACT, URI_CASE } from './name-case.ts';
import { commonNameFault, DNS_PATTERNS, isFullyQualified, malformedDnsNames } from './name-rules.ts';
import { attributePatterns, type OtherSanPattern, parseOtherSan, shownPatterns } from './own-constraints.ts';

/** Properties of a login that constraints check, besides the chain. */
export interface Presented {
  readonly leaf: Certificate;
  readonly address: string;
}

/** One constraint of a role, compiled. */
export interface Constraint {
  readonly check: string;
  readonly expected: string;
  /** Returns the actual value, for the verdict. */
  actual(presented: Presented): string;
  /** Checks the constraint; in slices if that may take long. */
  holds(presented: Presented): boolean | Steps<boolean>;
}

/**
 * Compiles the constraints of a role (spec §2.2). An unset list is no constraint. Within one constraint any pattern
 * may match any value; all constraints must hold. A `*` in a pattern matches any characters, except as in
 * `compileDnsPattern`. DNS names, also as common names, and hosts in email addresses and URIs compare without case. Login rule 5 (spec §4) applies to every certificate, and rule 6 if a role constrains the
 * common name. In `allowed_names`, a common name that fails rule 6 is ignored.
 */
export function* compileConstraints(
  settings: RoleSettings,
  { strict_dns_names: strict, strict_dns_patterns: dns }: Pick<CertConfig, 'strict_dns_names' | 'strict_dns_patterns'>,
): Steps<readonly Constraint[]> {
  const hostName: Source = { valuesOf: strict ? verifiedCommonName : hostCommonName, dns, rule: DNS_CASE };
  const otherCommonName: Source = { valuesOf: plainCommonName, dns, rule: EXACT };
  const dnsNames: Source = { valuesOf: (leaf) => leaf.dnsNames, dns, rule: DNS_CASE };
  const commonNames = strict ? [hostName] : [hostName, otherCommonName];
  const constraints = [
    ...(strict ? nameRules(settings) : []),
    yield* names('allowed_names', settings.allowed_names, ...commonNames, dnsNames, EMAIL_ADDRESSES),
    yield* names(
      'allowed_common_names',
      settings.allowed_common_names,
      { ...hostName, valuesOf: hostCommonName },
      otherCommonName,
    ),
    yield* names('allowed_dns_sans', settings.allowed_dns_sans, dnsNames),
    yield* names('allowed_email_sans', settings.allowed_email_sans, EMAIL_ADDRESSES),
    yield* names('allowed_uri_sans', settings.allowed_uri_sans, URIS),
    yield* names('allowed_organizational_units', settings.allowed_organizational_units, ORGANIZATIONAL_UNITS),
    yield* names('allowed_organizations', settings.allowed_organizations, ORGANIZATIONS),
    yield* otherSans(settings.allowed_other_sans ?? []),
    ipSans(settings.allowed_ip_sans ?? []),
    ...(yield* subjectAttributes(settings.allowed_subject_attributes ?? [])),
    ...(yield* requiredExtensions(settings.required_extensions ?? [])),
    groups(settings.group_sources),
    boundCidrs(settings.token_bound_cidrs),
  ];
  return constraints.filter((constraint) => constraint !== undefined);
}

/**
 * Bounds the size of a log entry: a certificate may contain thousands of names.
 * @limit a text in a verdict of a role, characters -> the text is cut
 */
const MAX_TEXT = 300;
const shortened = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

/** Checks all constraints, also after a failure, so that an administrator sees every reason at once. */
export function* checkConstraints(constraints: readonly Constraint[], presented: Presented): Steps<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const constraint of constraints) {
    const holds = constraint.holds(presented);
    const isHeld = typeof holds === 'boolean' ? holds : yield* holds;
    verdicts.push({
      check: constraint.check,
      outcome: isHeld ? 'passed' : 'refused',
      expected: shortened(constraint.expected),
      actual: shortened(constraint.actual(presented)),
    });
    yield;
  }
  return verdicts;
}

/** Names of one type in a certificate. */
interface Source {
  valuesOf(leaf: Certificate): readonly string[];
  /** Whether a `*` stays within one label. */
  readonly dns: boolean;
  readonly rule: CaseRule;
}

const EMAIL_ADDRESSES: Source = { valuesOf: (leaf) => leaf.emailAddresses, dns: false, rule: EMAIL_CASE };
const URIS: Source = { valuesOf: (leaf) => leaf.uris, dns: false, rule: URI_CASE };
const ORGANIZATIONAL_UNITS: Source = { valuesOf: (leaf) => leaf.organizationalUnits, dns: false, rule: EXACT };

const ORGANIZATIONS: Source = { valuesOf: (leaf) => leaf.organizations, dns: false, rule: EXACT };

const anyCommonName = ({ commonName }: Certificate): readonly string[] =>
  commonName === undefined ? [] : [commonName];
const hostCommonName = (leaf: Certificate): readonly string[] => anyCommonName(leaf).filter(isFullyQualified);
const plainCommonName = (leaf: Certificate): readonly string[] =>
  anyCommonName(leaf).filter((name) => !isFullyQualified(name));
const verifiedCommonName = (leaf: Certificate): readonly string[] =>
  commonNameFault(leaf) === undefined ? anyCommonName(leaf) : [];

function* names(
  check: string,
  patterns: readonly string[] | null,
  ...sources: readonly Source[]
): Steps<Constraint | undefined> {
  if (!patterns?.length) return undefined;
  const matchers = yield* matchersFor(patterns, sources);
  return {
    check,
    expected: shortened(patterns.slice(0, MAX_TEXT).join(', ')),
    actual: ({ leaf }) => sources.flatMap(({ valuesOf }) => valuesOf(leaf)).join(', ') || 'none',
    *holds({ leaf }) {
      for (const [at, { valuesOf }] of sources.entries()) {
        if (yield* (matchers[at] as Matcher)([...new Set(valuesOf(leaf))])) return true;
      }
      return false;
    },
  };
}

type Matcher = (values: readonly string[]) => Steps<boolean>;

/** Compiles patterns for each of the sources. Sources with the same rules share their patterns in memory. */
function* matchersFor(patterns: readonly string[], sources: readonly Source[]): Steps<readonly Matcher[]> {
  const sets = new Map<string, PatternSet>();
  function* setOf(some: readonly string[], dns: boolean): Steps<PatternSet> {
    const key = `${dns} ${some.join('\n')}`;
    const set = sets.get(key) ?? (yield* PatternSet.fromPatterns(some, dns ? DNS_PATTERNS : undefined));
    sets.set(key, set);
    return set;
  }
  const matchers: Matcher[] = [];
  for (const { dns, rule } of sources) {
    const folded = yield* setOf(patterns.map(rule.pattern), dns);
    const written = rule === DNS_CASE ? folded : yield* setOf(patterns, dns);
    matchers.push(caseMatcher(rule, folded, written));
  }
  return matchers;
}

/** Names are tried as written too if that can make a difference. */
function caseMatcher(rule: CaseRule, folded: PatternSet, written: PatternSet): Matcher {
  return function* matchesAny(values) {
    const names = values.map(rule.name);
    if (yield* folded.matchesAny(names.filter((name) => name !== undefined))) return true;
    if (rule === DNS_CASE) return false;
    const others = folded === written ? values.filter((value, at) => value !== names[at]) : values;
    return yield* written.matchesAny(others);
  };
}

/** Returns login rule 5 for every role, and rule 6 if the role constrains common names. */
function nameRules({ allowed_common_names: commonNames }: RoleSettings): Constraint[] {
  return commonNames?.length ? [DNS_SANS, COMMON_NAME] : [DNS_SANS];
}

const DNS_SANS: Constraint = {
  check: 'dns_sans',
  expected: 'DNS SANs that are all well-formed DNS names',
  actual: ({ leaf }) => malformedDnsNames(leaf).map(quoted).join(', ') || 'no other',
  holds: ({ leaf }) => malformedDnsNames(leaf).length === 0,
};

const quoted = (name: string): string => JSON.stringify(name);

const COMMON_NAME: Constraint = {
  check: 'common_name',
  expected: 'a fully qualified DNS name that is among the DNS SANs too',
  actual: ({ leaf }) => commonNameFault(leaf) ?? leaf.commonName ?? 'none',
  holds: ({ leaf }) => commonNameFault(leaf) === undefined,
};

/** Compiles names of other types. As with all alternative names, any pattern may match any name. */
function* otherSans(items: readonly string[]): Steps<Constraint | undefined> {
  if (items.length === 0) return undefined;
  const parsed = items.map(parseOtherSan).filter((one) => one !== undefined);
  const constraints: Constraint[] = [];
  for (const some of Map.groupBy(parsed, ({ type, hex }) => `${type} ${hex}`).values()) {
    const [{ type, hex }] = some as [OtherSanPattern];
    const rule = type === UPN && !hex ? EMAIL_CASE : EXACT;
    const valuesOf = (leaf: Certificate) => (hex ? otherHex : otherTexts)(leaf, type);
    const patterns = some.map(({ pattern }) => pattern);
    const constraint = yield* names('allowed_other_sans', patterns, { valuesOf, dns: false, rule });
    if (constraint) constraints.push(constraint);
    yield;
  }
  return {
    check: 'allowed_other_sans',
    expected: shortened(items.slice(0, MAX_TEXT).join(', ')),
    actual: ({ leaf }) => leaf.otherNames.slice(0, MAX_TEXT).map(otherNameText).join(', ') || 'none',
    *holds(presented) {
      for (const constraint of constraints) {
        const holds = constraint.holds(presented);
        if (typeof holds === 'boolean' ? holds : yield* holds) return true;
        yield;
      }
      return false;
    },
  };
}

/** Number of addresses checked in one step. */
const ADDRESSES_IN_STEP = 100;

function ipSans(blocks: readonly string[]): Constraint | undefined {
  if (blocks.length === 0) return undefined;
  const allowed = new IpBlocks(blocks);
  return {
    check: 'allowed_ip_sans',
    expected: shortened(blocks.join(', ')),
    actual: ({ leaf }) => leaf.ipAddresses.join(', ') || 'none',
    *holds({ leaf }) {
      for (const [at, address] of leaf.ipBytes.entries()) {
        if (allowed.has(address)) return true;
        if (at % ADDRESSES_IN_STEP === 0) yield;
      }
      return false;
    },
  };
}

/** Returns one constraint for each attribute: every attribute that the role names must have a value that matches. */
function* subjectAttributes(items: readonly string[]): Steps<readonly Constraint[]> {
  const constraints: Constraint[] = [];
  for (const [type, patterns] of attributePatterns(items)) {
    const valuesOf = ({ subject }: Certificate) => subject.values(type);
    const rule = ATTRIBUTE_CASE.get(type) ?? EXACT;
    const constraint = yield* names('allowed_subject_attributes', patterns, { valuesOf, dns: false, rule });
    if (!constraint) continue;
    constraints.push({
      ...constraint,
      expected: shortened(shownPatterns(type, patterns.slice(0, MAX_TEXT))),
      actual: ({ leaf }) => shownPatterns(type, valuesOf(leaf)) || `no ${attributeName(type)}`,
    });
  }
  return constraints;
}

/** Attributes whose values are DNS labels and email addresses. */
const ATTRIBUTE_CASE: ReadonlyMap<Oid | undefined, CaseRule> = new Map([
  [attributeTypeOf('DC'), DNS_CASE],
  [attributeTypeOf('emailAddress'), EMAIL_CASE],
]);

/** Number of constraints compiled in one slice. */
const COMPILED_IN_STEP = 20;

function* requiredExtensions(items: readonly string[]): Steps<readonly Constraint[]> {
  const constraints: Constraint[] = [];
  for (const item of items) {
    if (constraints.push(requiredExtension(item)) % COMPILED_IN_STEP === 0) yield;
  }
  return constraints;
}

/** Compiles `oid:pattern`, which matches text, or `hex:oid:pattern`, which matches the whole value in hex. */
function requiredExtension(item: string): Constraint {
  const { oid, pattern, hex } = parseRequiredExtension(item);
  const fits = compileGlob(hex ? pattern.toLowerCase() : pattern);
  const valueIn = (leaf: Certificate): string | undefined => {
    if (!isOid(oid)) return undefined;
    return hex ? leaf.extension(oid)?.value.toString('hex') : leaf.extensionText(oid) || undefined;
  };
  return {
    check: 'required_extensions',
    expected: item,
    actual: ({ leaf }) => valueIn(leaf) ?? 'absent, or not text',
    holds: ({ leaf }) => {
      const value = valueIn(leaf);
      return value !== undefined && fits(value);
    },
  };
}

/** Splits an item of `required_extensions`. The pattern may contain colons. */
export function parseRequiredExtension(item: string): { oid: string; pattern: string; hex: boolean } {
  const hex = item.startsWith('hex:');
  const rest = hex ? item.slice(4) : item;
  const colon = rest.indexOf(':');
  return { oid: rest.slice(0, Math.max(colon, 0)), pattern: rest.slice(colon + 1), hex };
}

/** A certificate with too many groups is refused: some of its groups would be missing. */
function groups(sources: readonly string[]): Constraint | undefined {
  if (sources.length === 0) return undefined;
  const groupsOf = compileGroupSources(sources);
  return {
    check: 'group_sources',
    expected: `at most ${MAX_GROUPS} groups`,
    actual: ({ leaf }) => `${groupsOf(leaf).length} groups`,
    holds: ({ leaf }) => groupsOf(leaf).length <= MAX_GROUPS,
  };
}

function boundCidrs(blocks: readonly string[]): Constraint | undefined {
  if (blocks.length === 0) return undefined;
  return {
    check: 'token_bound_cidrs',
    expected: shortened(blocks.join(', ')),
    actual: ({ address }) => address,
    holds: ({ address }) => withinBlocks(address, blocks),
  };
}
