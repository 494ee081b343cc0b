import { createPrivateKey } from 'node:crypto';
import { certificatesOfPkcs7, kindOfDer } from './der-kind.ts';
import { bodyOf, pemHeaders, toPem } from './pem-blocks.ts';
import { bytesKind } from './text-kind.ts';

/** Thrown for a file that cannot be sent. The message names its format and the next step. */
export class NotText extends Error {
  override readonly name = 'NotText';
}

/**
 * Returns the text of a file. Converts DER certificates, CRLs and private keys, and the certificates of PKCS#7, to PEM,
 * which TLS and every field of the APIs accept.
 * @throws NotText for PKCS#12, UTF-16 and any other binary file
 */
export function pemOf(bytes: Buffer): string {
  const converted = convert(bytes);
  if (converted !== undefined) return converted;
  const kind = bytesKind(bytes);
  if (kind !== undefined) throw new NotText(kind);
  return bytes.toString();
}

function convert(bytes: Buffer): string | undefined {
  const kind = kindOfDer(bytes);
  if (kind === 'certificate') return toPem('CERTIFICATE', bytes);
  if (kind === 'crl') return toPem('X509 CRL', bytes);
  if (kind === 'private key') return keyPem(bytes);
  const pkcs7 = kind === 'pkcs7' ? bytes : pkcs7In(bytes);
  const certificates = pkcs7 ? certificatesOfPkcs7(pkcs7) : [];
  return certificates.length === 0 ? undefined : certificates.map((der) => toPem('CERTIFICATE', der)).join('');
}

/** Returns undefined for a key with a passphrase. */
function keyPem(key: Buffer): string | undefined {
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const) {
    try {
      return createPrivateKey({ key, format: 'der', type }).export({ format: 'pem', type: 'pkcs8' }).toString();
    } catch {
      // The key has one of the other formats.
    }
  }
  return undefined;
}

function pkcs7In(bytes: Buffer): Buffer | undefined {
  if (!bytes.includes('-----BEGIN ')) return undefined;
  const text = bytes.toString('latin1');
  const [header] = pemHeaders(text);
  return header && /^(PKCS7|CMS)$/.test(header.label) ? bodyOf(text, header) : undefined;
}
