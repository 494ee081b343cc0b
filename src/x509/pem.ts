import { Buffer } from 'node:buffer';
import { ParseError } from './parse-error.ts';

/** What a block of PEM holds. `TRUSTED CERTIFICATE` is OpenSSL's; it is read when it holds a certificate and nothing else. */
export type PemLabel = 'CERTIFICATE' | 'TRUSTED CERTIFICATE' | 'X509 CRL';

/**
 * Characters. Room for a thousand certificates.
 * @limit certificates in PEM, characters -> 400
 */
const MAX_CERTIFICATES_LENGTH = 2 ** 21;
/** @limit certificates and other blocks of PEM in one text, blocks -> 400 */
const MAX_BLOCKS = 1000;
const BEGIN = '-----BEGIN ';
const DASHES = '-----';
/** DER of every certificate block in a text, in order; not yet parsed. Throws as `pemBlocks` does. */
export function certificatesInPem(text: string): Buffer[] {
  return [...eachCertificateInPem(text)];
}

/** The same one by one, each read only when it is asked for: a text may hold a thousand. Throws at what it comes to. */
export function eachCertificateInPem(text: string): Generator<Buffer, void, undefined> {
  return eachBlock(text, ['CERTIFICATE', 'TRUSTED CERTIFICATE'], MAX_CERTIFICATES_LENGTH);
}

/**
 * The content of every block with one of these labels (RFC 7468), in order. What lies around and between blocks, and blocks with
 * other labels, is passed over. Throws a `ParseError` on a block that is not strict, on a text longer than `maxLength`
 * characters, and on more than 1000 blocks of whatever label.
 */
export function pemBlocks(text: string, labels: readonly PemLabel[], maxLength: number): Buffer[] {
  return [...eachBlock(text, labels, maxLength)];
}

function* eachBlock(text: string, labels: readonly PemLabel[], maxLength: number): Generator<Buffer, void, undefined> {
  if (text.length > maxLength) throw new ParseError(`PEM text of more than ${maxLength} characters`);
  let begin = text.indexOf(BEGIN);
  for (let blocks = 0; begin >= 0; blocks++) {
    if (blocks === MAX_BLOCKS) throw new ParseError(`more than ${MAX_BLOCKS} PEM blocks`);
    const header = begin + BEGIN.length;
    const label = labels.find((wanted) => text.startsWith(`${wanted}${DASHES}`, header));
    if (label !== undefined) yield readBody(text, header + label.length + DASHES.length, label);
    begin = text.indexOf(BEGIN, header);
  }
}

/** From after the first line to the next dashes, which must be those of the last line. */
function readBody(text: string, start: number, label: PemLabel): Buffer {
  const end = text.indexOf(DASHES, start);
  if (end < 0 || !text.startsWith(`-----END ${label}${DASHES}`, end))
    throw new ParseError(`PEM block without an end: ${label}`);
  const base64 = text.slice(start, end).replace(/\s+/g, '');
  const bytes = Buffer.from(base64, 'base64');
  // Buffer passes over what is not base64, headers among it; encoding again shows whether there was any.
  if (bytes.toString('base64') !== base64) throw new ParseError(`PEM block that is not base64: ${label}`);
  return bytes;
}
