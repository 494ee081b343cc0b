import type { Steps } from '../../../lib/slices.ts';
import { AnchorSet, anchorFaults, type Certificate, KeyPurpose, validate } from '../../../x509/index.ts';
import { tokenWarnings, type Verdict } from '../../method/index.ts';
import type { Token } from '../../model/token.ts';
import type { TtlLimits } from '../../model/ttl-limits.ts';
import { checkConstraints, compileConstraints } from '../constraint/constraints.ts';
import { hintFor } from '../constraint/hints.ts';
import { firstWarnings, patternWarnings } from '../constraint/pattern-warnings.ts';
import type { CertConfig } from '../settings/cert-config.ts';
import type { RoleSettings } from '../settings/role-settings.ts';
import { constraintWarnings, nameConstraintWarnings, pinnedLookalike, textWarnings } from './ca-warnings.ts';
import { anchorsOf, readCertificates, respondersIn } from './role-certificates.ts';

/** What a role is saved into. */
export interface RoleSurroundings {
  readonly config: CertConfig;
  readonly limits: TtlLimits;
  /** What the role gives at this mount. */
  readonly tokenType: Token['type'];
  /** Those of the role; undefined where they have not been read. */
  readonly certificates?: readonly Certificate[] | undefined;
  /** Warnings from the CRLs of the mount about its certificates. */
  readonly revocation: readonly string[];
  /** Milliseconds. */
  readonly now: number;
}

/** What a role says that can never work, or not now: told when it is saved, and saved all the same. */
export function roleWarnings(settings: RoleSettings, surroundings: RoleSurroundings): Steps<string[]> {
  return firstWarnings(allWarnings(settings, surroundings));
}

/** Undefined now and then, between steps. */
function* allWarnings(
  settings: RoleSettings,
  { config, limits, tokenType, certificates: read, now, revocation }: RoleSurroundings,
): Generator<string | undefined> {
  const all = read ?? (yield* readCertificates(settings.certificate));
  const certificates = anchorsOf(all);
  const [first] = certificates;
  yield* [...textWarnings(settings.certificate), ...pinnedLookalike(all)];
  for (const certificate of certificates) {
    yield* [...certificateWarnings(certificate, now), ...constraintWarnings(certificate)];
    yield;
  }
  yield* [...revocation, ...(yield* nameConstraintWarnings(certificates, settings))];
  if (first && !first.isCa) yield* yield* pinnedWarnings(first, settings, config);
  yield;
  yield* [...(yield* ocspWarnings(settings, first)), ...tokenWarnings(settings, limits, tokenType)];
  yield* patternWarnings(settings, config);
}

/** What keeps every login away that would lead to this certificate. */
function certificateWarnings(certificate: Certificate, now: number): string[] {
  const options = { time: now, extendedKeyUsage: KeyPurpose.clientAuth };
  const faults = certificate.isCa ? anchorFaults(certificate, options) : leafFaults(certificate, options);
  return faults.map((verdict) => refusalWarning(certificate, verdict));
}

/** Says why no path that ends at a certificate of a role admits anybody. */
export const refusalWarning = (certificate: Certificate, { check, expected, actual }: Refused): string =>
  `certificate "${certificate.subject}" lets nobody in (${check}): expected ${expected}, found ${actual}`;

type Refused = Pick<Verdict, 'check' | 'expected' | 'actual'>;

function leafFaults(leaf: Certificate, options: { time: number; extendedKeyUsage: string }) {
  const { path, refusals } = validate(leaf, { ...options, anchors: AnchorSet.fromCertificates([leaf]) });
  return path ? [] : refusals;
}

/** The one certificate that may log in is known: so is what the constraints will say about it. */
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
    warnings.push(`ocsp_ca_certificates cannot be read; with ocsp_enabled no login can succeed: ${responders}`);
  }
  if (settings.ocsp_enabled && first && !first.isCa) {
    warnings.push(
      'ocsp_enabled: nobody can be asked about a pinned certificate, whose issuer is not known; no login can succeed',
    );
  }
  return warnings;
}
