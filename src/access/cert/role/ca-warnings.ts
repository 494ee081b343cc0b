import { compileGlob } from '../../../lib/glob.ts';
import { type PemHeader, pemHeaders } from '../../../lib/pem/pem-blocks.ts';
import type { Steps } from '../../../lib/slices.ts';
import {
  type Certificate,
  comparisonCount,
  type GeneralName,
  KEY_CERT_SIGN,
  KeyPurpose,
  type NameConstraints,
  nameViolation,
  oidFromDotted,
} from '../../../x509/index.ts';
import type { RoleSettings } from '../settings/role-settings.ts';

const CLIENT_AUTH = oidFromDotted(KeyPurpose.clientAuth);

/** Returns what is probably a mistake in the text of a role's certificates. */
export function textWarnings(pem: string): string[] {
  const headers = pemHeaders(pem);
  const strange = headers.filter(({ label }) => !IS_CERTIFICATE.test(label));
  const read = headers.length - strange.length;
  const ends = pem.match(/-END (TRUSTED )?CERTIFICATE-/g)?.length ?? 0;
  const lost = `certificate: ${read} blocks were read, and ${ends} lines end one: the first line of a block is not -----BEGIN CERTIFICATE-----`;
  return [...(ends > read ? [lost] : []), ...strangeWarnings(strange)];
}

const IS_CERTIFICATE = /^(TRUSTED )?CERTIFICATE$/;

function strangeWarnings(strange: readonly PemHeader[]): string[] {
  return strange
    .slice(0, SHOWN_BLOCKS)
    .map(({ label, line }) =>
      label.endsWith('PRIVATE KEY')
        ? `certificate: line ${line} begins a private key. It is stored with the role, and shown to everybody who reads the role: write the role without it, and replace the key`
        : `certificate: the block "${label}" (line ${line}) is not used`,
    );
}

/** Blocks that are spoken of. */
const SHOWN_BLOCKS = 10;

/**
 * Returns why a certificate that pins itself was probably meant as a CA: it is no CA to a login, which trusts it and nothing that it
 * has issued.
 */
export function pinnedLookalike(all: readonly Certificate[]): string[] {
  const [first, ...others] = all;
  if (!first || first.isCa) return [];
  const alone = `certificate "${first.subject}" is no CA`;
  const reason = caLike(first);
  return [
    ...(reason === undefined
      ? []
      : [`${alone}: ${reason}. Only this certificate itself can log in, and none that it has issued`]),
    ...(others.length === 0
      ? []
      : [
          `${alone}, and it is the first of ${all.length}: only this certificate itself can log in; the others are not used`,
        ]),
  ];
}

function caLike(certificate: Certificate): string | undefined {
  const { keyUsage, basicConstraints, extendedKeyUsage } = certificate.known;
  const isClient = extendedKeyUsage?.has(CLIENT_AUTH) ?? false;
  if (keyUsage !== undefined && (keyUsage & KEY_CERT_SIGN) !== 0) {
    return 'its key usage has keyCertSign, but its basic constraints do not say cA true';
  }
  if (!certificate.isSelfIssued || basicConstraints !== undefined || isClient) return undefined;
  return certificate.version < 3
    ? `it is of version ${certificate.version}, which has no basic constraints`
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
 * Comparisons of names with constraints, for all CAs and patterns of a role together.
 * @limit comparisons of the patterns of a role with name constraints for warnings, comparisons -> with more there is no such warning
 */
const MOST_COMPARISONS = 100_000;
/**
 * Each name is held against all of them in one step.
 * @limit name constraints of a CA that are looked at for warnings of a role, constraints -> with more there is no such warning
 */
const MOST_CONSTRAINTS = 1_000;

/** Returns which names of a role no CA of it may issue for: found by the check of a login, on names that the patterns allow. */
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
      `${field}: the name constraints of ${names} allow no name that a pattern matches, no login can succeed: ${fault}`,
    );
  }
  return warnings;
}

const isFew = ({ permitted, excluded }: NameConstraints): boolean =>
  permitted.length + excluded.length <= MOST_CONSTRAINTS;

/** Returns why the first CA allows no name; undefined where one of them allows some. */
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

/** Returns which kinds of names a CA may not issue for at all, whatever the role says. */
export function constraintWarnings({ subject, known }: Certificate): string[] {
  const constraints = known.nameConstraints;
  if (!constraints || !isFew(constraints)) return [];
  const about = `certificate "${subject}"`;
  return KINDS.flatMap(([what, probe, isAll]) => {
    if (constraints.excluded.some(isAll))
      return [`${about}: its name constraints exclude ${what}: no certificate with any is admitted`];
    const violation = probe && nameViolation(constraints, [probe]);
    return violation?.actual.startsWith('malformed constraint')
      ? [
          `${about}: its name constraints cannot be compared (${violation.actual}); no certificate with ${what.replace('every', 'any')} is admitted`,
        ]
      : [];
  });
}

/** An excluded kind of name, a name of that kind, and whether a constraint covers all of them. */
const KINDS: readonly (readonly [string, GeneralName | undefined, (base: GeneralName) => boolean])[] = [
  ['every subject', undefined, (base) => base.type === 'directoryName' && base.value.isEmpty],
  ['every DNS name', { type: 'dns', value: 'a.example' }, (base) => base.type === 'dns' && base.value === ''],
  [
    'every e-mail address',
    { type: 'email', value: 'a@a.example' },
    (base) => base.type === 'email' && base.value === '',
  ],
  ['every URI', { type: 'uri', value: 'https://a.example' }, (base) => base.type === 'uri' && base.value === ''],
];

interface Budget {
  /** Comparisons. */
  left: number;
}

/** Undefined where some name passes, or where it would take too long to know. */
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

/** Names that a pattern matches: `*` as a text, and whatever is below a permitted name. */
function samples(pattern: string, bases: readonly string[], type: Constrained['type']): string[] {
  const inBases = bases.flatMap((base) => {
    const host = base.replace(/^\./, '');
    return type === 'dns' ? [host, `a.${host}`] : [base, `a@${host}`, `a@a.${host}`];
  });
  return [pattern.replaceAll('*', 'a'), ...inBases.filter(compileGlob(pattern))];
}
