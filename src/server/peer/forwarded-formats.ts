import { certificatesInPem, ParseError } from '../../x509/index.ts';

/** Header formats of forwarded client certificates, one per proxy or standard. */
export type ForwardedFormat = keyof typeof FORMATS;

/** Headers that carry a forwarded certificate, in lower case. */
export interface HeaderNames {
  /** Header with the leaf. */
  readonly leaf: string;
  /** Header with the intermediates. Absent if the format has none. */
  readonly chain?: string;
}

/** Certificates (DER), the leaf first. */
export type Chain = readonly [leaf: Uint8Array, ...intermediates: Uint8Array[]];

/** A header that does not match its format. */
export class ForwardedError extends Error {
  override readonly name = 'ForwardedError';
}

/** @limit certificates that a proxy forwards with a request, certificates -> 400 */
const MAX_CERTIFICATES = 11;

interface Format extends HeaderNames {
  /** Parses the header with the leaf and the header with the intermediates. */
  decode(value: string, chain: string | undefined): Chain;
}

/**
 * Header names and parsers by format. nginx, HAProxy and Caddy define no names; these are customary or ours.
 * Sources: RFC 9440, and the documentation of each proxy.
 */
const FORMATS = {
  rfc9440: { leaf: 'client-cert', chain: 'client-cert-chain', decode: byteSequences },
  google: { leaf: 'x-client-cert-leaf', chain: 'x-client-cert-chain', decode: byteSequences },
  nginx: { leaf: 'x-ssl-client-cert', decode: (value) => one(escapedPem(value)) },
  envoy: { leaf: 'x-forwarded-client-cert', decode: envoyChain },
  // Two formats, so that a client cannot send the header that the mode of the load balancer does not set.
  aws: { leaf: 'x-amzn-mtls-clientcert', decode: (value) => whole(escapedPem(value)) },
  'aws-verify': { leaf: 'x-amzn-mtls-clientcert-leaf', decode: (value) => one(escapedPem(value)) },
  traefik: { leaf: 'x-forwarded-tls-client-cert', decode: (value) => whole(unescaped(value).split(',').map(base64)) },
  cloudflare: { leaf: 'cf-client-cert-der-base64', decode: (value) => whole([base64(value)]) },
  caddy: { leaf: 'x-client-cert-der', decode: (value) => whole([base64(value)]) },
  haproxy: {
    leaf: 'x-ssl-client-cert-der',
    chain: 'x-ssl-client-cert-chain-der',
    decode: (value, chain) => whole([base64(value), ...(chain ? concatenated(base64(chain)) : [])]),
  },
} as const satisfies Record<string, Format>;

/** Headers of all formats. */
export const ALL_HEADERS: readonly string[] = Object.values<Format>(FORMATS).flatMap(({ leaf, chain }) =>
  chain ? [leaf, chain] : [leaf],
);

/** Returns the headers of a format, with the configured names instead of the default ones. */
export function headerNames(format: ForwardedFormat, header?: string, chainHeader?: string): HeaderNames {
  const { leaf, chain }: Format = FORMATS[format];
  const second = chain && (chainHeader ?? chain);
  return { leaf: header ?? leaf, ...(second && { chain: second }) };
}

/**
 * Returns the chain from the headers. Undefined if the client presented no certificate.
 * @throws ForwardedError
 */
export function decodeChain(
  format: ForwardedFormat,
  names: HeaderNames,
  header: (name: string) => string | undefined,
): Chain | undefined {
  const value = header(names.leaf);
  const chain = names.chain && header(names.chain);
  if (value) return FORMATS[format].decode(value, chain || undefined);
  if (chain) throw new ForwardedError(`${names.chain} without ${names.leaf}`);
  return undefined;
}

function whole(certificates: readonly Uint8Array[]): Chain {
  const [leaf, ...others] = certificates;
  if (!leaf) throw new ForwardedError('a header without a certificate');
  if (certificates.length > MAX_CERTIFICATES) throw new ForwardedError('too many certificates');
  // Some proxies repeat the leaf in the header with the chain.
  return [leaf, ...others.filter((certificate) => Buffer.compare(certificate, leaf) !== 0)];
}

/** For headers that carry only the leaf. More certificates mean a forged header. */
function one(certificates: readonly Uint8Array[]): Chain {
  if (certificates.length > 1) throw new ForwardedError('expected one certificate');
  return whole(certificates);
}

const list = (value: string | undefined): string[] => (value ? value.split(',').map((item) => item.trim()) : []);

function byteSequences(value: string, chain: string | undefined): Chain {
  return whole([byteSequence(value), ...list(chain).map(byteSequence)]);
}

/** Parses RFC 9440 §2.1: a byte sequence of RFC 8941, base64 between colons. */
function byteSequence(item: string): Uint8Array {
  const text = /^:(.+):$/.exec(item.trim())?.[1];
  if (!text || !BASE64.test(text)) {
    throw new ForwardedError('expected one certificate as base64 between colons (RFC 9440)');
  }
  return Buffer.from(text, 'base64');
}

const BASE64 = /^[A-Za-z\d+/]+={0,2}$/;

/** Parses one DER value as base64 without line breaks. */
function base64(item: string): Uint8Array {
  const text = item.trim();
  if (!BASE64.test(text)) throw new ForwardedError('expected a certificate as base64, without BEGIN and END lines');
  return Buffer.from(text, 'base64');
}

/** Traefik before 3.0 percent-encodes the header, later versions do not. A plus sign is always base64. */
function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new ForwardedError('expected base64, percent-encoded or plain');
  }
}

/** Splits concatenated DER certificates: `ssl_c_chain_der` of HAProxy. */
function concatenated(der: Uint8Array): Uint8Array[] {
  const certificates: Uint8Array[] = [];
  let rest = der;
  while (rest.length > 0) {
    const [tag, first = 0] = rest;
    const lengthBytes = first & 0x80 ? first & 0x7f : 0;
    const end = 2 + lengthBytes + (lengthBytes > 0 ? bigEndian(rest.subarray(2, 2 + lengthBytes)) : first);
    if (tag !== 0x30 || lengthBytes > 3 || end > rest.length || certificates.length === MAX_CERTIFICATES) {
      throw new ForwardedError(`expected up to ${MAX_CERTIFICATES} certificates as concatenated DER`);
    }
    certificates.push(rest.subarray(0, end));
    rest = rest.subarray(end);
  }
  return certificates;
}

const bigEndian = (bytes: Uint8Array): number => bytes.reduce((value, byte) => value * 256 + byte, 0);

/** Parses percent-encoded PEM: `$ssl_client_escaped_cert` of nginx, and AWS, which leaves `+=/` as they are. */
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
