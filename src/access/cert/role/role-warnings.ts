import type { Steps } from '../../../lib/slices.ts';
import {
  AnchorSet,
  anchorFaults,
  type Certificate,
  KeyPurpose,
  type PathOptions,
  validate,
} from '../../../x509/index.ts';
import { tokenWarnings, type Verdict } from '../../method/index.ts';
import type { Token } from '../../model/token.ts';
import type { TtlLimits } from '../../model/ttl-limits.ts';
import { checkConstraints, compileConstraints } from '../constraint/constraints.ts';
import { hintFor } from '../constraint/hints.ts';
import { firstWarnings, patternWarnings } from '../constraint/pattern-warnings.ts';
import type { CertConfig } from '../settings/cert-config.ts';
import { acceptedPurposes } from '../settings/key-purposes.ts';
import type { RoleSettings } from '../settings/role-settings.ts';
import { constraintWarnings, nameConstraintWarnings, pinnedLookalike, textWarnings } from './ca-warnings.ts';
import { anchorsOf, readCertificates, respondersIn } from './role-certificates.ts';

/** The environment of a role: the mount's configuration and limits. */
export interface RoleSurroundings {
  readonly config: CertConfig;
  readonly limits: TtlLimits;
  /** Type of token that the role issues at this mount. */
  readonly tokenType: Token['type'];
  /** Certificates of the role. Undefined if they have not been parsed. */
  readonly certificates?: readonly Certificate[] | undefined;
  /** Warnings from the mount's CRLs about the certificates. */
  readonly revocation: readonly string[];
  /** Current time, milliseconds since 1970. */
  readonly now: number;
}

/** Returns warnings about settings of a role that cannot work, or not now. The role is stored anyway. */
export function roleWarnings(settings: RoleSettings, surroundings: RoleSurroundings): Steps<string[]> {
  return firstWarnings(allWarnings(settings, surroundings));
}

/** Yields undefined between slices. */
function* allWarnings(
  settings: RoleSettings,
  { config, limits, tokenType, certificates: read, now, revocation }: RoleSurroundings,
): Generator<string | undefined> {
  const all = read ?? (yield* readCertificates(settings.certificate));
  const certificates = anchorsOf(all);
  const [first] = certificates;
  yield* [
    ...textWarnings(settings.certificate),
    ...pinnedLookalike(all, acceptedPurposes(settings.extended_key_usage)),
  ];
  for (const certificate of certificates) {
    yield* [...certificateWarnings(certificate, settings, now), ...constraintWarnings(certificate)];
    yield;
  }
  yield* [...revocation, ...(yield* nameConstraintWarnings(certificates, settings))];
  if (first && !first.isCa) yield* yield* pinnedWarnings(first, settings, config);
  yield;
  yield* [...(yield* ocspWarnings(settings, first)), ...tokenWarnings(settings, limits, tokenType)];
  yield* patternWarnings(settings, config);
}

/** Returns why every login through this certificate fails. */
function certificateWarnings(certificate: Certificate, { extended_key_usage }: RoleSettings, now: number): string[] {
  const options = { time: now, extendedKeyUsage: acceptedPurposes(extended_key_usage) ?? KeyPurpose.any };
  const faults = certificate.isCa ? anchorFaults(certificate, options) : leafFaults(certificate, options);
  return faults.map((verdict) => refusalWarning(certificate, verdict));
}

/** Returns a warning that no login through a certificate of a role can succeed, with the reason. */
export const refusalWarning = (certificate: Certificate, { check, expected, actual }: Refused): string =>
  `certificate "${certificate.subject}" cannot be used for a login (${check}): expected ${expected}, found ` +
  `${actual}`;

type Refused = Pick<Verdict, 'check' | 'expected' | 'actual'>;

function leafFaults(leaf: Certificate, options: Pick<PathOptions, 'time' | 'extendedKeyUsage'>) {
  const { path, refusals } = validate(leaf, { ...options, anchors: AnchorSet.fromCertificates([leaf]) });
  return path ? [] : refusals;
}

/** A pinned certificate is known in advance, and so is the result of the constraints. */
function* pinnedWarnings(leaf: Certificate, settings: RoleSettings, config: CertConfig): Steps<string[]> {
  const constraints = yield* compileConstraints({ ...settings, token_bound_cidrs: [] }, config);
  const verdicts = yield* checkConstraints(constraints, { leaf, address: '' });
  return verdicts
    .filter(({ outcome }) => outcome === 'refused')
    .map(
      ({ check, expected, actual }) =>
        `${check} can never match the pinned certificate: expected ${expected}, found ${actual}. ${hintFor(check)}`,
    );
}

function* ocspWarnings(settings: RoleSettings, first: Certificate | undefined): Steps<string[]> {
  const warnings: string[] = [];
  const responders = yield* respondersIn(settings.ocsp_ca_certificates);
  if (typeof responders === 'string') {
    warnings.push(`ocsp_ca_certificates cannot be parsed; with ocsp_enabled no login can succeed: ${responders}`);
  }
  if (settings.ocsp_enabled && first && !first.isCa) {
    warnings.push(
      'ocsp_enabled: no login can succeed, because OCSP cannot check a pinned certificate without its issuer',
    );
  }
  return warnings;
}
