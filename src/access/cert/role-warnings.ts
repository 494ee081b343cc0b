import type { Steps } from '../../lib/slices.ts';
import { AnchorSet, anchorFaults, type Certificate, KeyPurpose, validate } from '../../x509/index.ts';
import type { Token } from '../tokens/token.ts';
import type { TtlLimits } from '../tokens/ttl.ts';
import type { CertConfig } from './config.ts';
import { compileConstraints, judge, parseRequiredExtension } from './constraints.ts';
import { hintFor } from './hints.ts';
import { canBeFullyQualified } from './name-rules.ts';
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
    ...(yield* ocspWarnings(settings, first)),
    ...ttlWarnings(settings, limits),
    ...(tokenType === 'batch' && settings.token_num_uses > 0 ? [UNCOUNTED] : []),
  ];
  yield* patternWarnings(settings);
  if (config.strict_dns_names) yield* commonNameWarnings(settings);
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

/** What a value must contain for a pattern without a star to have a chance. */
const FORMS = [
  ['allowed_dns_sans', /^[^@/:\s]+$/, 'no DNS name'],
  ['allowed_email_sans', /^[^@]+@[^@]+$/, 'no e-mail address'],
  ['allowed_uri_sans', /^[A-Za-z][\w+.-]*:/, 'no URI'],
] as const;

function* patternWarnings(settings: RoleSettings): Generator<string | undefined> {
  for (const [field, form, fault] of FORMS) {
    for (const pattern of settings[field] ?? []) {
      const fits = pattern.includes('*') || form.test(pattern);
      yield fits ? undefined : `${field}: "${pattern}" can never match: it is ${fault}`;
    }
  }
}

function* commonNameWarnings({ allowed_common_names: patterns }: RoleSettings): Generator<string | undefined> {
  const rule = 'it is no fully qualified DNS name, and strict_dns_names is on in the configuration';
  for (const pattern of patterns ?? []) {
    yield canBeFullyQualified(pattern) ? undefined : `allowed_common_names: "${pattern}" can never match: ${rule}`;
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
