import type { Steps } from '../../lib/slices.ts';
import { AnchorSet, anchorFaults, type Certificate, KeyPurpose, validate } from '../../x509/index.ts';
import type { Token } from '../tokens/token.ts';
import type { TtlLimits } from '../tokens/ttl.ts';
import type { CertConfig } from './config.ts';
import { compileConstraints, judge, parseRequiredExtension } from './constraints.ts';
import { hintFor } from './hints.ts';
import { canBeDnsName, canBeFullyQualified } from './name-rules.ts';
import { isOid } from './oid.ts';
import { anchorsOf, readCertificates, readResponders } from './role-certificates.ts';
import type { RoleSettings } from './role-fields.ts';

/** What a role is saved into. */
export interface RoleSurroundings {
  readonly config: CertConfig;
  readonly limits: TtlLimits;
  /** What the role gives at this mount. */
  readonly tokenType: Token['type'];
  /** Milliseconds. */
  readonly now: number;
}

/** What a role says that can never work, or not now: told when it is saved, and saved all the same. */
export function* roleWarnings(settings: RoleSettings, surroundings: RoleSurroundings): Steps<string[]> {
  const warnings: string[] = [];
  let surplus = 0;
  for (const warning of allWarnings(settings, surroundings)) {
    if (warning === undefined) yield;
    else if (warnings.push(warning) > MAX_WARNINGS) {
      warnings.pop();
      surplus++;
    }
  }
  return surplus === 0 ? warnings : [...warnings, `and ${surplus} more`];
}

/** Undefined now and then, between steps. */
function* allWarnings(
  settings: RoleSettings,
  { config, limits, tokenType, now }: RoleSurroundings,
): Generator<string | undefined> {
  const certificates = anchorsOf(yield* readCertificates(settings.certificate));
  const [first] = certificates;
  for (const certificate of certificates) {
    yield* certificateWarnings(certificate, now);
    yield;
  }
  if (first && !first.isCa) yield* yield* pinnedWarnings(first, settings, config);
  yield;
  yield* [
    ...oidWarnings(settings),
    ...valueWarnings(settings),
    ...(yield* ocspWarnings(settings, first)),
    ...ttlWarnings(settings, limits),
    ...(tokenType === 'batch' && settings.token_num_uses > 0 ? [UNCOUNTED] : []),
  ];
  yield* patternWarnings(settings, config);
}

/**
 * Told of one role; the rest is counted.
 * @limit warnings about a role, warnings -> the others are left out
 */
const MAX_WARNINGS = 100;
const UNCOUNTED = 'token_num_uses: this mount gives batch tokens, whose uses are not counted; no login can succeed';

/** What keeps every login away that would lead to this certificate. */
function certificateWarnings(certificate: Certificate, now: number): string[] {
  const options = { time: now, extendedKeyUsage: KeyPurpose.clientAuth };
  const faults = certificate.isCa ? anchorFaults(certificate, options) : leafFaults(certificate, options);
  return faults.map(
    ({ check, expected, actual }) =>
      `certificate "${certificate.subject}" lets nobody in (${check}): expected ${expected}, found ${actual}`,
  );
}

function leafFaults(leaf: Certificate, options: { time: number; extendedKeyUsage: string }) {
  const { path, refusals } = validate(leaf, { ...options, anchors: AnchorSet.of([leaf]) });
  return path ? [] : refusals;
}

/** The one certificate that may log in is known: so is what the constraints will say about it. */
function* pinnedWarnings(leaf: Certificate, settings: RoleSettings, config: CertConfig): Steps<string[]> {
  const constraints = yield* compileConstraints({ ...settings, token_bound_cidrs: [] }, config);
  const verdicts = yield* judge(constraints, { leaf, address: '' });
  return verdicts
    .filter(({ outcome }) => outcome === 'refused')
    .map(
      ({ check, expected, actual }) =>
        `${check} can never match the pinned certificate: expected ${expected}, found ${actual}. ${hintFor(check)}`,
    );
}

function oidWarnings(settings: RoleSettings): string[] {
  const required = (settings.required_extensions ?? []).map((item) => parseRequiredExtension(item).oid);
  const metadata = settings.allowed_metadata_extensions ?? [];
  return [
    ...required
      .filter((oid) => !isOid(oid))
      .map((oid) => `required_extensions: "${oid}" is no object identifier; no login can match`),
    ...metadata
      .filter((oid) => !isOid(oid))
      .map((oid) => `allowed_metadata_extensions: "${oid}" is no object identifier`),
  ];
}

/** A text without a character is none, and hex has no other digits. */
function valueWarnings({ required_extensions: items }: RoleSettings): string[] {
  return (items ?? [])
    .filter((item) => {
      const { oid, pattern, hex } = parseRequiredExtension(item);
      return isOid(oid) && (hex ? !/^[\da-f*]*$/i.test(pattern) : pattern === '');
    })
    .map((item) => `required_extensions: "${item}" can never match: its pattern is empty, or not in hex`);
}

function* ocspWarnings(settings: RoleSettings, first: Certificate | undefined): Steps<string[]> {
  const warnings: string[] = [];
  if ((yield* readResponders(settings.ocsp_ca_certificates)) === undefined) {
    warnings.push('ocsp_ca_certificates cannot be read; with ocsp_enabled no login can succeed');
  }
  if (settings.ocsp_enabled && first && !first.isCa) {
    warnings.push(
      'ocsp_enabled: nobody can be asked about a pinned certificate, whose issuer is not known; no login can succeed',
    );
  }
  return warnings;
}

const hasStar = (pattern: string): boolean => pattern.includes('*');
const hasEmailForm = (pattern: string): boolean => /^[^@]+@[^@]+$/.test(pattern);
const RULES = ', and strict_dns_names is on in the configuration';

interface PatternCheck {
  readonly field:
    | 'allowed_names'
    | 'allowed_common_names'
    | 'allowed_dns_sans'
    | 'allowed_email_sans'
    | 'allowed_uri_sans';
  /** Whether any value that the field is about can fit a pattern. */
  readonly hasChance: (pattern: string) => boolean;
  readonly fault: string;
}

const ANY_RULES: readonly PatternCheck[] = [
  {
    field: 'allowed_email_sans',
    hasChance: (pattern) => hasStar(pattern) || hasEmailForm(pattern),
    fault: 'no e-mail address',
  },
  { field: 'allowed_uri_sans', hasChance: (pattern) => /^(\*|[A-Za-z][\w+.-]*[:*])/.test(pattern), fault: 'no URI' },
];

function patternChecks({ strict_dns_names: strict, strict_dns_patterns: withinLabels }: CertConfig): PatternCheck[] {
  if (!strict) {
    const hasChance = (pattern: string) => hasStar(pattern) || /^[^@/:\s]+$/.test(pattern);
    return [...ANY_RULES, { field: 'allowed_dns_sans', hasChance, fault: 'no DNS name' }];
  }
  return [
    ...ANY_RULES,
    { field: 'allowed_dns_sans', hasChance: canBeDnsName, fault: `no DNS name${RULES}` },
    {
      field: 'allowed_common_names',
      hasChance: (pattern) => canBeFullyQualified(pattern, withinLabels),
      fault: `no fully qualified DNS name${RULES}`,
    },
    {
      field: 'allowed_names',
      hasChance: (pattern) => hasStar(pattern) || hasEmailForm(pattern) || canBeDnsName(pattern),
      fault: `neither a DNS name nor an e-mail address${RULES}`,
    },
  ];
}

function* patternWarnings(settings: RoleSettings, config: CertConfig): Generator<string | undefined> {
  for (const { field, hasChance, fault } of patternChecks(config)) {
    for (const pattern of settings[field] ?? []) {
      yield hasChance(pattern) ? undefined : `${field}: "${pattern}" can never match: it is ${fault}`;
    }
  }
}

function ttlWarnings(
  { token_ttl: ttl, token_max_ttl: max, token_period: period }: RoleSettings,
  limits: TtlLimits,
): string[] {
  const warnings: string[] = [];
  const beyond = (what: string, value: number, limit: number, whose: string) => {
    if (value > limit) warnings.push(`Given ${what} of ${value} seconds is greater than ${whose} of ${limit} seconds`);
  };
  beyond('ttl', ttl, limits.maxTtl, 'current mount/system default');
  beyond('max_ttl', max, limits.maxTtl, 'current mount/system default');
  beyond('period', period, limits.maxTtl, "the backend's maximum TTL");
  return warnings;
}
