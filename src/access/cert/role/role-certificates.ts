import { AppError } from '../../../lib/errors.ts';
import { fromBase64 } from '../../../lib/pem/pem-blocks.ts';
import { PemFault } from '../../../lib/pem/read-blocks.ts';
import type { Steps } from '../../../lib/slices.ts';
import { readResponderCertificates } from '../../../revocation/ocsp-client.ts';
import { type Certificate, KeyPurpose, oidFromDotted, ParseError } from '../../../x509/index.ts';
import { certificatesIn } from '../../operation/certificate-text.ts';

const CLIENT_PURPOSES = [KeyPurpose.clientAuth, KeyPurpose.any].map(oidFromDotted);

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
 * Returns the certificates of a role's PEM, in order.
 * @throws AppError bad-request for invalid or useless certificates
 */
export function* checkedCertificates(pem: string): Steps<readonly Certificate[]> {
  const certificates = yield* readable(pem);
  const [first] = certificates;
  if (first && !first.isCa && !allowsClientAuth(first)) {
    throw new AppError(
      'bad-request',
      'nonCA certificates should have TLS client authentication set as an extended key usage',
    );
  }
  return certificates;
}

function* readable(pem: string): Steps<readonly Certificate[]> {
  try {
    return yield* certificatesIn(pem);
  } catch (error) {
    if (!(error instanceof PemFault)) throw error;
    throw new AppError('bad-request', `failed to parse certificate: ${error.message}`);
  }
}

function allowsClientAuth(certificate: Certificate): boolean {
  const purposes = certificate.known.extendedKeyUsage;
  return purposes === undefined || CLIENT_PURPOSES.some((purpose) => purposes.has(purpose));
}
