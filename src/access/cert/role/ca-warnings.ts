import { type PemHeader, pemHeaders } from '../../../lib/pem/pem-blocks.ts';
import type { Steps } from '../../../lib/slices.ts';
import {
  type Certificate,
  comparisonCount,
  type GeneralName,
  KEY_CERT_SIGN,
  type NameConstraints,
  nameViolation,
  type Oid,
} from '../../../x509/index.ts';
import { compileCase, DNS_CASE, EMAIL_CASE } from '../constraint/name-case.ts';
import type { RoleSettings } from '../settings/role-settings.ts';

/** Returns warnings about probable mistakes in the PEM of a role. */
export function textWarnings(pem: string): string[] {
  const headers = pemHeaders(pem);
  const strange = headers.filter(({ label }) => !IS_CERTIFICATE.test(label));
  const read = headers.length - strange.length;
  const ends = pem.match(/-END (TRUSTED )?CERTIFICATE-/g)?.length ?? 0;
  const lost = `certificate: only ${read} of ${ends} blocks could be read; start each block with -----BEGIN CERTIFICATE-----`;
  return [...(ends > read ? [lost] : []), ...strangeWarnings(strange)];
}

const IS_CERTIFICATE = /^(TRUSTED )?CERTIFICATE$/;

function strangeWarnings(strange: readonly PemHeader[]): string[] {
  return strange
    .slice(0, SHOWN_BLOCKS)
    .map(({ label, line }) =>
      label.endsWith('PRIVATE KEY')
        ? `certificate: a private key starts at line ${line}. It is stored with the role and shown to everyone ` +
          'who can read the role. Write the role without it, and replace the key'
        : `certificate: the block "${label}" (line ${line}) is not used`,
    );
}

/** Maximum number of blocks in the warnings. */
const SHOWN_BLOCKS = 10;

/**
 * Returns warnings about a certificate without CA rights that was probably meant as a CA. A login accepts only this
 * certificate itself, and none that it has issued.
 * @param purposes accepted key purposes; undefined: any
 */
export function pinnedLookalike(all: readonly Certificate[], purposes: ReadonlySet<Oid> | undefined): string[] {
  const [first, ...others] = all;
  if (!first || first.isCa) return [];
  const alone = `certificate "${first.subject}" is not a CA`;
  const reason = caLike(first, purposes);
  return [
    ...(reason === undefined
      ? []
      : [`${alone}: ${reason}. Only this certificate itself can log in, not those that it has issued`]),
    ...(others.length === 0
      ? []
      : [
          `${alone}, and it is the first of ${all.length}: only this certificate itself can log in; the ` +
            'others are not used',
        ]),
  ];
}

function caLike(certificate: Certificate, purposes: ReadonlySet<Oid> | undefined): string | undefined {
  const { keyUsage, basicConstraints, extendedKeyUsage } = certificate.known;
  const isClient = [...(extendedKeyUsage ?? [])].some((purpose) => purposes?.has(purpose) ?? true);
  if (keyUsage !== undefined && (keyUsage & KEY_CERT_SIGN) !== 0) {
    return 'its key usage has keyCertSign, but its basic constraints do not have cA true';
  }
  if (!certificate.isSelfIssued || basicConstraints !== undefined || isClient) return undefined;
  return certificate.version < 3
    ? `it has version ${certificate.version}, which has no basic constraints`
    : 'it is self-signed and has no basic constraints';
}

interface Constrained {
  readonly field: 'allowed_dns_sans' | 'allowed_email_sans';
  readonly type: 'dns' | 'email';
}
const CONSTRAINED: readonly Constrained[] = [
  { field: 'allowed_dns_sans', type: 'dns' },
  { field: 'allowed_email_sans', type: 'email' },
];
/**
 * Budget for comparing names with constraints, for all CAs and patterns of a role in total.
 * @limit comparisons of a role's patterns with name constraints for warnings, comparisons -> the warning is left out
 */
const MOST_COMPARISONS = 100_000;
/**
 * One step compares a name with all constraints.
 * @limit name constraints of a CA that warnings of a role consider, constraints -> the warning is left out
 */
const MOST_CONSTRAINTS = 1_000;

/**
 * Warns if no CA of a role may issue certificates for the names that the role's patterns allow. Uses the check of a
 * login on sample names.
 */
export function* nameConstraintWarnings(authorities: readonly Certificate[], settings: RoleSettings): Steps<string[]> {
  const constrained = authorities.filter(({ known }) => known.nameConstraints && isFew(known.nameConstraints));
  if (constrained.length === 0 || constrained.length < authorities.length) return [];
  const budget = { left: MOST_COMPARISONS };
  const warnings: string[] = [];
  for (const { field, type } of CONSTRAINED) {
    const fault = yield* commonFault(constrained, settings[field] ?? [], type, budget);
    if (fault === undefined) continue;
    const names = constrained.map(({ subject }) => `"${subject}"`).join(', ');
    warnings.push(
      `${field}: no login can succeed, because the name constraints of ${names} allow no name that a pattern ` +
        `matches: ${fault}`,
    );
  }
  return warnings;
}

const isFew = ({ permitted, excluded }: NameConstraints): boolean =>
  permitted.length + excluded.length <= MOST_CONSTRAINTS;

/** Returns why the first CA allows no name. Returns undefined if some CA allows one. */
function* commonFault(
  constrained: readonly Certificate[],
  patterns: readonly string[],
  type: Constrained['type'],
  budget: Budget,
): Steps<string | undefined> {
  let first: string | undefined;
  for (const authority of constrained) {
    const fault = yield* faultFor(authority, patterns, type, budget);
    if (fault === undefined) return undefined;
    first ??= fault;
  }
  return first;
}

/** Warns about types of names that a CA may not issue at all, regardless of the role. */
export function constraintWarnings({ subject, known }: Certificate): string[] {
  const constraints = known.nameConstraints;
  if (!constraints || !isFew(constraints)) return [];
  const about = `certificate "${subject}"`;
  return KINDS.flatMap(([what, probe, isAll]) => {
    if (constraints.excluded.some(isAll))
      return [`${about}: its name constraints exclude ${what}, so a certificate with one cannot log in`];
    const violation = probe && nameViolation(constraints, [probe]);
    return violation?.actual.startsWith('malformed constraint')
      ? [
          `${about}: its name constraints cannot be evaluated (${violation.actual}), so no certificate with ` +
            `${what.replace('every', 'any')} can log in`,
        ]
      : [];
  });
}

/** An excluded type of name, a sample name, and a test whether a constraint covers all names of the type. */
const KINDS: readonly (readonly [string, GeneralName | undefined, (base: GeneralName) => boolean])[] = [
  ['every subject', undefined, (base) => base.type === 'directoryName' && base.value.isEmpty],
  ['every DNS name', { type: 'dns', value: 'a.example' }, (base) => base.type === 'dns' && base.value === ''],
  [
    'every email address',
    { type: 'email', value: 'a@a.example' },
    (base) => base.type === 'email' && base.value === '',
  ],
  ['every URI', { type: 'uri', value: 'https://a.example' }, (base) => base.type === 'uri' && base.value === ''],
];

interface Budget {
  /** Remaining comparisons. */
  left: number;
}

/** Returns undefined if some name passes, or if the budget is used up. */
function* faultFor(
  { known }: Certificate,
  patterns: readonly string[],
  type: Constrained['type'],
  budget: Budget,
): Steps<string | undefined> {
  const constraints = known.nameConstraints;
  if (!constraints) return undefined;
  const bases = constraints.permitted.flatMap((base) => (base.type === type ? [base.value] : []));
  let fault: string | undefined;
  for (const pattern of patterns) {
    for (const value of samples(pattern, bases, type)) {
      const names = [{ type, value } as GeneralName];
      budget.left -= comparisonCount(constraints, names);
      if (budget.left < 0) return undefined;
      const violation = nameViolation(constraints, names);
      if (!violation) return undefined;
      fault ??= `expected ${violation.expected}, found ${violation.actual}`;
      yield;
    }
  }
  return fault;
}

/** Returns names that a pattern matches: `*` replaced with a text, and names below permitted ones. */
function samples(pattern: string, bases: readonly string[], type: Constrained['type']): string[] {
  const inBases = bases.flatMap((base) => {
    const host = base.replace(/^\./, '');
    return type === 'dns' ? [host, `a.${host}`] : [base, `a@${host}`, `a@a.${host}`];
  });
  const matches = compileCase(type === 'dns' ? DNS_CASE : EMAIL_CASE, pattern);
  return [pattern.replaceAll('*', 'a'), ...inBases.filter(matches)];
}
