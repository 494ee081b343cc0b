import { isoTime } from '../../../lib/clock.ts';
import type { Certificate } from '../../../x509/index.ts';
import type { Verdict } from '../../method/index.ts';
import type { CrlSnapshot } from './crl-registry.ts';
import type { LoadedCrl } from './loaded-crl.ts';

const CHECK = 'crl';
/** @limit length of a certificate subject in a verdict, characters -> the subject is cut */
const MAX_SUBJECT = 256;

/**
 * Checks a path against the CRLs. Returns one verdict for each CRL that applies to any of its certificates.
 *
 * A CRL applies to a certificate if it has the name of the certificate's issuer and, if the path contains that
 * issuer, its signature. A CRL in the issuer's name that no known CA has signed refuses the certificate. While no
 * role contains the issuer of a CRL, the CRL matches serial numbers only, unless its settings say otherwise.
 * @param path leaf first, anchor last
 */
export async function crlVerdicts(
  { crls }: CrlSnapshot,
  path: readonly Certificate[],
  now: number,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const crl of crls.values()) {
    const verdict = await crlVerdict(crl, path, now);
    if (verdict) verdicts.push(verdict);
  }
  return verdicts;
}

/**
 * Returns why the CRLs refuse a certificate that a role trusts, and so every path that ends there: it is revoked, or
 * a CRL in its name cannot be used. Empty if nothing refuses it.
 */
export async function anchorRefusals(snapshot: CrlSnapshot, anchor: Certificate, now: number): Promise<Verdict[]> {
  const own = await crlVerdicts(snapshot, [anchor], now);
  const refusals = own.filter(({ outcome }) => outcome === 'refused');
  if (!anchor.isCa) return refusals;
  for (const crl of snapshot.crls.values()) {
    const isSaid = refusals.some(({ expected }) => expected === expectation(crl));
    if (isSaid || !crl.list.isIssuedInNameOf(anchor)) continue;
    const standing = await standingWith(crl, anchor, now);
    if (typeof standing === 'object') refusals.push(refused(crl, anchor, 0, standing.fault));
  }
  return refusals;
}

/** Returns undefined if the CRL applies to no certificate of the path. */
async function crlVerdict(crl: LoadedCrl, path: readonly Certificate[], now: number): Promise<Verdict | undefined> {
  let consulted = false;
  for (const [index, certificate] of path.entries()) {
    const issuer = path[index + 1] ?? (certificate.isSelfIssued ? certificate : undefined);
    const isItsIssuers = isInNameOfIssuer(crl, certificate, issuer);
    if (!isItsIssuers && !goesBySerialAlone(crl)) continue;
    const standing = isItsIssuers ? await standingWith(crl, issuer, now) : 'good';
    if (standing === 'of another') continue;
    consulted = true;
    const finding = standing === 'good' ? revocationText(crl, certificate) : standing.fault;
    if (finding !== undefined) return refused(crl, certificate, index, finding);
  }
  return consulted ? { check: CHECK, outcome: 'passed', expected: expectation(crl), actual: 'not listed' } : undefined;
}

/** @param issuer undefined for an anchor with an unknown issuer */
function isInNameOfIssuer({ list }: LoadedCrl, certificate: Certificate, issuer: Certificate | undefined): boolean {
  return issuer ? list.isIssuedInNameOf(issuer) : list.isIssuedInNameOfIssuerOf(certificate);
}

function goesBySerialAlone({ signature, settings }: LoadedCrl): boolean {
  return signature.state === 'unknown-issuer' && settings.on_unknown_issuer === 'match_serial';
}

/** Checks whether a CRL in the name of an issuer can be used. */
async function standingWith(
  { list, settings, signature }: LoadedCrl,
  issuer: Certificate | undefined,
  now: number,
): Promise<'good' | 'of another' | { readonly fault: string }> {
  const fault = issuer && (await list.signatureFault(issuer));
  // Another CA with the same name and another key may have signed the CRL, which then belongs to that CA.
  if (fault !== undefined && signature.state === 'verified') return 'of another';
  if (fault !== undefined) return { fault: `the CRL cannot be used: ${fault}` };
  return settings.on_stale === 'refuse' && !list.isCurrent(now) ? { fault: 'the CRL is out of date' } : 'good';
}

function revocationText({ list }: LoadedCrl, certificate: Certificate): string | undefined {
  const revocation = list.revocationOf(certificate);
  return revocation && `revoked on ${isoTime(revocation.revokedAt)}, reason ${revocation.reason}`;
}

function refused(crl: LoadedCrl, { subject }: Certificate, index: number, actual: string): Verdict {
  const certificate = { index, subject: subject.toString().slice(0, MAX_SUBJECT) };
  return { check: CHECK, outcome: 'refused', certificate, expected: expectation(crl), actual };
}

const expectation = ({ name }: LoadedCrl): string => `not on the CRL "${name}"`;
