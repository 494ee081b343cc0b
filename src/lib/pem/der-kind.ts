import type { Buffer } from 'node:buffer';

/** Kinds of DER files. */
export type DerKind =
  | 'certificate'
  | 'request'
  | 'crl'
  | 'pkcs7'
  | 'pkcs12'
  | 'private key'
  | 'public key'
  | 'unknown DER';

/** One DER element and its content. */
interface Element {
  readonly tag: number;
  readonly content: Buffer;
  /** The element with its tag and length. */
  readonly whole: Buffer;
}

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OID = 0x06;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const SEQUENCE = 0x30;
const CONTEXT_0 = 0xa0;
const SIGNED_DATA = '2a864886f70d010702';
const DATA = '2a864886f70d0107';
/** Maximum number of elements of one level that are examined. */
const LOOKED_AT = 5_000;

/**
 * Returns the kind of a DER file by its outermost elements; undefined if it is not DER. The result is for messages and
 * conversions: it verifies nothing.
 */
export function kindOfDer(der: Buffer): DerKind | undefined {
  const [outer] = elements(der);
  if (outer?.tag !== SEQUENCE || outer.whole.length !== der.length) return undefined;
  const parts = elements(outer.content);
  const [first, second, third] = parts;
  if (first?.tag === OID) return hexOf(first) === SIGNED_DATA ? 'pkcs7' : 'unknown DER';
  if (first?.tag === INTEGER) return ofVersion(second);
  if (first?.tag !== SEQUENCE) return 'unknown DER';
  const inner = elements(first.content);
  if (third?.tag === BIT_STRING) return signedKind(inner);
  if (inner[0]?.tag !== OID) return 'unknown DER';
  if (second?.tag === OCTET_STRING) return 'private key';
  return second?.tag === BIT_STRING ? 'public key' : 'unknown DER';
}

/** Returns the kind of a sequence that starts with a number: PKCS#12, or a private key in PKCS#1, PKCS#8 or SEC 1. */
function ofVersion(second: Element | undefined): DerKind {
  if (second?.tag !== SEQUENCE) return 'private key';
  const [type] = elements(second.content);
  return type?.tag === OID && hexOf(type).startsWith(DATA) ? 'pkcs12' : 'private key';
}

/** Returns the kind of a signed sequence: a certificate, a certificate request, or a CRL. */
function signedKind(parts: readonly Element[]): DerKind {
  const [first, second] = parts;
  if (first?.tag === CONTEXT_0) return 'certificate';
  if (parts.some(isTime)) return 'crl';
  const isAlgorithm = second?.tag === SEQUENCE && elements(second.content)[0]?.tag === OID;
  return first?.tag === INTEGER && !isAlgorithm ? 'request' : 'certificate';
}

const isTime = ({ tag }: Element): boolean => tag === UTC_TIME || tag === GENERALIZED_TIME;
const hexOf = ({ content }: Element): string => content.toString('hex');

/** Returns the complete elements of one level. */
function elements(der: Buffer): Element[] {
  const found: Element[] = [];
  for (let at = 0; at + 2 <= der.length && found.length < LOOKED_AT; ) {
    const first = der.readUInt8(at + 1);
    const bytes = first < 0x80 ? 0 : first & 0x7f;
    // The length is indefinite, or larger than any file that is read here.
    if (first === 0x80 || bytes > 4 || at + 2 + bytes > der.length) break;
    const start = at + 2 + bytes;
    const end = start + (bytes === 0 ? first : der.readUIntBE(at + 2, bytes));
    if (end > der.length) break;
    found.push({ tag: der.readUInt8(at), content: der.subarray(start, end), whole: der.subarray(at, end) });
    at = end;
  }
  return found;
}

/**
 * Returns the certificates of a PKCS#7 file that holds nothing else of interest (`p7b`); an empty list for any other
 * file.
 */
export function certificatesOfPkcs7(der: Buffer): Buffer[] {
  if (kindOfDer(der) !== 'pkcs7') return [];
  const [contentInfo] = elements(der);
  const [, explicit] = contentInfo ? elements(contentInfo.content) : [];
  const [signedData] = explicit?.tag === CONTEXT_0 ? elements(explicit.content) : [];
  const certificates = signedData && elements(signedData.content).find(({ tag }) => tag === CONTEXT_0);
  return (certificates ? elements(certificates.content) : [])
    .filter(({ tag }) => tag === SEQUENCE)
    .map(({ whole }) => whole);
}
