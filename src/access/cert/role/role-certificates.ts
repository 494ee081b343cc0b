import { AppError } from '../../../lib/errors.ts';
import { fromBase64 } from '../../../lib/pem/pem-blocks.ts';
import { PemFault } from '../../../lib/pem/read-blocks.ts';
import type { Steps } from '../../../lib/slices.ts';
import { readResponderCertificates } from '../../../revocation/ocsp-client.ts';
import { ANY_PURPOSE, type Certificate, ParseError } from '../../../x509/index.ts';
import { certificatesIn } from '../../operation/certificate-text.ts';
import { acceptedPurposes, CLIENT_AUTH } from '../settings/key-purposes.ts';
import type { RoleSettings } from '../settings/role-settings.ts';

/** Returns the certificates of a role's PEM, in order. Empty if any part cannot be parsed. */
export function* readCertificates(pem: string): Steps<readonly Certificate[]> {
  try {
    return yield* certificatesIn(pem);
  } catch (error) {
    if (error instanceof PemFault) return [];
    throw error;
  }
}

/**
 * Returns the anchors of a login: all certificates of the PEM if the first is a CA. Otherwise only the first, which
 * is then the only certificate that may log in.
 */
export function anchorsOf<C extends Pick<Certificate, 'isCa'>>(certificates: readonly C[]): readonly C[] {
  const [first] = certificates;
  return first && !first.isCa ? [first] : certificates;
}

/** Returns the certificates of `ocsp_ca_certificates`. Undefined if they cannot be parsed. */
export function* readResponders(text: string): Steps<readonly Certificate[] | undefined> {
  const read = yield* respondersIn(text);
  return typeof read === 'string' ? undefined : read;
}

/** Returns the certificates of `ocsp_ca_certificates`, or why they cannot be parsed. */
export function* respondersIn(text: string): Steps<readonly Certificate[] | string> {
  if (text === '') return [];
  try {
    return yield* readResponderCertificates(text);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return yield* faultOf(text, error.message);
  }
}

/** The PEM may be base64-encoded once more. */
function* faultOf(text: string, fault: string): Steps<string> {
  const decoded = text.includes('-----BEGIN ') ? undefined : fromBase64(text)?.toString('latin1');
  try {
    yield* certificatesIn(decoded?.includes('-----BEGIN ') ? decoded : text);
    return fault;
  } catch (error) {
    if (!(error instanceof PemFault)) throw error;
    return error.message;
  }
}

/**
 * Checks that a pinned certificate can be used for a login at all.
 * @throws AppError bad-request
 */
export function assertUsable([first]: readonly Certificate[], { extended_key_usage }: RoleSettings): void {
  const accepted = acceptedPurposes(extended_key_usage);
  const purposes = first?.isCa ? undefined : first?.known.extendedKeyUsage;
  if (!accepted || !purposes || purposes.has(ANY_PURPOSE)) return;
  if ([...purposes].some((purpose) => accepted.has(purpose))) return;
  throw new AppError(
    'bad-request',
    accepted === CLIENT_AUTH
      ? 'nonCA certificates should have TLS client authentication set as an extended key usage'
      : `nonCA certificates should have one of these extended key usages: ${extended_key_usage.join(', ')}`,
  );
}

/**
 * Returns the certificates of a role's PEM, in order.
 * @throws AppError bad-request
 */
export function* checkedCertificates(pem: string): Steps<readonly Certificate[]> {
  try {
    return yield* certificatesIn(pem);
  } catch (error) {
    if (!(error instanceof PemFault)) throw error;
    throw new AppError('bad-request', `failed to parse certificate: ${error.message}`);
  }
}
