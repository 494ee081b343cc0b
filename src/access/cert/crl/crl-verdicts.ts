import { isoTime } from '../../../lib/clock.ts';
import type { Certificate } from '../../../x509/index.ts';
import type { Verdict } from '../../method/index.ts';
import type { CrlSnapshot } from './crl-registry.ts';
import type { LoadedCrl } from './loaded-crl.ts';

const CHECK = 'crl';
/** @limit a subject in a verdict, characters -> it is cut */
const MAX_SUBJECT = 256;

/**
 * What the lists say of a path: a verdict for each list that has to do with any of its certificates.
 *
 * A list has to do with a certificate when it is issued in the name of the certificate's issuer and, where the path holds
 * that issuer, signed by it. A list in the issuer's name that nobody known has signed refuses the certificate. As long as no
 * role knows the issuer of a list, the list goes by serial numbers alone, unless its settings say otherwise.
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
 * Returns why the lists refuse a certificate that a role trusts, and with it every path that ends there: it is revoked, or a list in
 * its name cannot be used. Empty where nothing stands in the way.
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

/** Undefined when the list has to do with none of them. */
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

/** @param issuer undefined for an anchor that somebody else has issued, nobody here knows who */
function isInNameOfIssuer({ list }: LoadedCrl, certificate: Certificate, issuer: Certificate | undefined): boolean {
  return issuer ? list.isIssuedInNameOf(issuer) : list.isIssuedInNameOfIssuerOf(certificate);
}

function goesBySerialAlone({ signature, settings }: LoadedCrl): boolean {
  return signature.state === 'unknown-issuer' && settings.on_unknown_issuer === 'match_serial';
}

/** What a list in the name of an issuer is worth. */
async function standingWith(
  { list, settings, signature }: LoadedCrl,
  issuer: Certificate | undefined,
  now: number,
): Promise<'good' | 'of another' | { readonly fault: string }> {
  const fault = issuer && (await list.signatureFault(issuer));
  // An authority that has the same name and another key may have signed it: then it is that one's list.
  if (fault !== undefined && signature.state === 'verified') return 'of another';
  if (fault !== undefined) return { fault: `the list cannot be used: ${fault}` };
  return settings.on_stale === 'refuse' && !list.isCurrent(now) ? { fault: 'the list is out of date' } : 'good';
}

function revocationText({ list }: LoadedCrl, certificate: Certificate): string | undefined {
  const revocation = list.revocationOf(certificate);
  return revocation && `revoked on ${isoTime(revocation.revokedAt)}, reason ${revocation.reason}`;
}

function refused(crl: LoadedCrl, { subject }: Certificate, index: number, actual: string): Verdict {
  const certificate = { index, subject: subject.toString().slice(0, MAX_SUBJECT) };
  return { check: CHECK, outcome: 'refused', certificate, expected: expectation(crl), actual };
}

const expectation = ({ name }: LoadedCrl): string => `not on the revocation list "${name}"`;
