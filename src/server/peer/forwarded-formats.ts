import { certificatesInPem, ParseError } from '../../x509/index.ts';

/** Header formats of forwarded client certificates. */
export type ForwardedFormat = 'rfc9440' | 'nginx' | 'envoy';

/** Certificates (DER), the leaf first. */
export type Chain = readonly [leaf: Uint8Array, ...intermediates: Uint8Array[]];

/** A header that does not match its format. */
export class ForwardedError extends Error {
  override readonly name = 'ForwardedError';
}

/** Header names by format. nginx defines no name; this one is customary. */
export const FORMAT_HEADERS = {
  rfc9440: ['client-cert', 'client-cert-chain'],
  nginx: ['x-ssl-client-cert'],
  envoy: ['x-forwarded-client-cert'],
} as const;

/** @limit certificates that a proxy forwards with a request, certificates -> 400 */
const MAX_CERTIFICATES = 11;

/**
 * Returns the chain from the headers. Undefined if the client presented no certificate.
 * @throws ForwardedError
 */
export function decodeChain(format: ForwardedFormat, header: (name: string) => string | undefined): Chain | undefined {
  const [first, second] = FORMAT_HEADERS[format];
  const value = header(first);
  if (value === undefined || value === '') {
    if (second && header(second)) throw new ForwardedError(`${second} without ${first}`);
    return undefined;
  }
  switch (format) {
    case 'rfc9440':
      return whole([byteSequence(value), ...list(header('client-cert-chain')).map(byteSequence)]);
    case 'nginx':
      return one(escapedPem(value));
    case 'envoy':
      return envoyChain(value);
  }
}

function whole(certificates: readonly Uint8Array[]): Chain {
  const [leaf, ...intermediates] = certificates;
  if (!leaf) throw new ForwardedError('a header without a certificate');
  if (certificates.length > MAX_CERTIFICATES) throw new ForwardedError('too many certificates');
  return [leaf, ...intermediates];
}

/** nginx forwards only the leaf. More certificates mean a forged header. */
function one(certificates: readonly Uint8Array[]): Chain {
  if (certificates.length > 1) throw new ForwardedError('expected one certificate');
  return whole(certificates);
}

const list = (value: string | undefined): string[] => (value ? value.split(',').map((item) => item.trim()) : []);

/** Parses RFC 9440 §2.1: a byte sequence of RFC 8941, base64 between colons. */
function byteSequence(item: string): Uint8Array {
  const base64 = /^:([A-Za-z\d+/]+={0,2}):$/.exec(item.trim())?.[1];
  if (!base64) throw new ForwardedError('expected one certificate as base64 between colons (RFC 9440)');
  return Buffer.from(base64, 'base64');
}

/** Parses `$ssl_client_escaped_cert` of nginx: percent-encoded PEM. */
function escapedPem(value: string): Buffer[] {
  try {
    return certificatesInPem(decodeURIComponent(value));
  } catch (error) {
    if (error instanceof URIError || error instanceof ParseError) {
      throw new ForwardedError('expected a certificate as percent-encoded PEM');
    }
    throw error;
  }
}

/**
 * Parses Envoy's element `Hash=…;Cert="…";Chain="…"`, where `Chain` includes the leaf. Accepts exactly one element,
 * because elements of earlier proxies come from untrusted clients.
 */
function envoyChain(value: string): Chain {
  const pairs = new Map<string, string>();
  const element = /([A-Za-z]+)=(?:"((?:[^"\\]|\\.)*)"|([^",;]*))(;|$)/gy;
  let end = 0;
  for (const [text, name = '', quoted, plain = ''] of value.matchAll(element)) {
    pairs.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain);
    end += text.length;
  }
  if (end !== value.length) throw new ForwardedError('expected one element of Envoy (Hash=…;Cert="…"), from one proxy');
  const cert = pairs.get('cert');
  const chain = pairs.get('chain');
  if (chain) return whole(escapedPem(chain));
  if (cert) return whole(escapedPem(cert));
  throw new ForwardedError('an element without Cert: let the proxy forward it (set_current_client_cert_details)');
}
