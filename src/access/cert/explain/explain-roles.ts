import { isoTime } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { PemFault } from '../../../lib/pem/read-blocks.ts';
import { nextTurn, runInSlices, type Steps, yieldIfDue } from '../../../lib/slices.ts';
import { type Certificate, KeyPurpose, searchPaths, type ValidPath } from '../../../x509/index.ts';
import { allPassed, type Verdict } from '../../method/index.ts';
import { derIn } from '../../operation/certificate-text.ts';
import type { RevocationChecks } from '../authentication/revocation-checks.ts';
import { checkPath } from '../authentication/verify-peer.ts';
import { hintFor } from '../constraint/hints.ts';
import { firstWarnings, patternWarnings } from '../constraint/pattern-warnings.ts';
import { anchorsOfRoles, type RoleEntry } from '../role/role-index.ts';
import type { LoadedRole } from '../role/role-registry.ts';
import type { CertConfig } from '../settings/cert-config.ts';
import { purposeNames } from '../settings/key-purposes.ts';
import { otherNameText } from '../settings/other-sans.ts';

/** A verdict with advice. */
export type ExplainedVerdict = Verdict & { readonly hint?: string };

export interface ExplainedPath {
  /** Subjects of the certificates in the path, leaf first. */
  readonly certificates: readonly string[];
  readonly admitted: boolean;
  readonly verdicts: readonly ExplainedVerdict[];
}

export interface ExplainedRole {
  readonly role: string;
  readonly admitted: boolean;
  /** All valid paths to a CA of the role, with the role's verdicts. */
  readonly paths: readonly ExplainedPath[];
  /** Why other paths are not valid. */
  readonly rejected: readonly ExplainedVerdict[];
  /** External groups in the certificate. */
  readonly groups: readonly string[];
  /** Patterns of the role that no certificate can match. */
  readonly warnings: readonly string[];
}

export interface ExplainContext {
  readonly address: string;
  readonly revocation: RevocationChecks;
  readonly config: CertConfig;
  readonly mountVersion: number;
  readonly allowSha1: boolean;
  /** Current time, milliseconds since 1970. */
  readonly now: number;
  /** Returns why the role would issue no token for this path, or undefined. */
  refusal(role: LoadedRole, path: ValidPath<unknown>): Promise<Verdict | undefined>;
}

/** @limit certificates in one explanation of a login, certificates -> 400 */
const MAX_CHAIN = 100;

/**
 * Returns the DER of the certificates of a PEM, the leaf first.
 * @throws AppError bad-request
 */
export function* readChain(pem: string): Steps<readonly Uint8Array[]> {
  try {
    const chain: Uint8Array[] = [];
    for (const der of derIn(pem)) {
      if (chain.push(der) > MAX_CHAIN) throw new AppError('bad-request', TOO_LONG);
      yield;
    }
    return chain;
  } catch (error) {
    if (!(error instanceof PemFault)) throw error;
    throw new AppError('bad-request', `certificate: ${error.message}`);
  }
}

const TOO_LONG = `certificate: expected 1 to ${MAX_CHAIN} certificates in PEM, the leaf first`;

/** Evaluates a chain with each of these roles: all paths, all checks. Issues nothing. */
export function explainRoles(
  chain: readonly Certificate[],
  roles: readonly (readonly [RoleEntry, LoadedRole])[],
  context: ExplainContext,
): Promise<ExplainedRole[]> {
  const [leaf, ...intermediates] = chain;
  if (!leaf) return Promise.resolve([]);
  return Promise.all(
    roles.map(async ([entry, role]) => {
      await nextTurn();
      const rejected: ExplainedVerdict[] = [];
      const paths: ExplainedPath[] = [];
      const found = searchPaths(leaf, {
        anchors: anchorsOfRoles([entry]),
        intermediates,
        time: context.now,
        extendedKeyUsage: entry.purposes ?? KeyPurpose.any,
        allowSha1: context.allowSha1,
        onReject: (verdict) => rejected.push(withHint(verdict)),
      });
      for (const path of found) {
        await yieldIfDue();
        if (path === undefined) continue;
        const judged = [...path.verdicts(), ...(await checkPath(path, role, context))];
        const refusal = allPassed(judged) ? await context.refusal(role, path) : undefined;
        const verdicts = (refusal ? [...judged, refusal] : judged).map(withHint);
        const certificates = path.certificates.map(({ subject }) => subject.toString());
        paths.push({ certificates, admitted: allPassed(verdicts), verdicts });
      }
      const warnings = await runInSlices(firstWarnings(patternWarnings(role.settings, context.config)));
      return {
        role: role.name,
        admitted: paths.some(({ admitted }) => admitted),
        paths,
        rejected,
        groups: role.groupsOf(leaf),
        warnings,
      };
    }),
  );
}

/** Returns the main properties of a certificate, for an administrator. */
export function describeCertificate(certificate: Certificate): Record<string, unknown> {
  return {
    subject: certificate.subject.toString(),
    issuer: certificate.issuer.toString(),
    serial_number: String(certificate.serialNumber),
    not_before: isoTime(certificate.notBefore),
    not_after: isoTime(certificate.notAfter),
    common_name: certificate.commonName ?? null,
    dns_sans: certificate.dnsNames,
    email_sans: certificate.emailAddresses,
    uri_sans: certificate.uris,
    ip_sans: certificate.ipAddresses,
    other_sans: certificate.otherNames.map(otherNameText),
    organizational_units: certificate.organizationalUnits,
    extended_key_usage: purposeNames(certificate),
    fingerprint: certificate.fingerprint,
  };
}

/** Adds advice to a refusal. */
export function withHint(verdict: Verdict): ExplainedVerdict {
  const hint = verdict.outcome === 'refused' ? hintFor(verdict.check) : undefined;
  return hint === undefined ? verdict : { ...verdict, hint };
}
