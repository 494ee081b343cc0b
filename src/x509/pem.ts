import { Buffer } from 'node:buffer';
import { ParseError } from './parse-error.ts';

/** Labels of PEM blocks. `TRUSTED CERTIFICATE` is OpenSSL's; it is accepted if it holds only a certificate. */
export type PemLabel = 'CERTIFICATE' | 'TRUSTED CERTIFICATE' | 'X509 CRL';

/**
 * Maximum number of characters, enough for a thousand certificates.
 * @limit certificates in PEM, characters -> 400
 */
const MAX_CERTIFICATES_LENGTH = 2 ** 21;
/** @limit certificates and other PEM blocks in one text, blocks -> 400 */
const MAX_BLOCKS = 1000;
const BEGIN = '-----BEGIN ';
const DASHES = '-----';
/** Returns the DER of every certificate block in a text, in order and not parsed. Throws like `pemBlocks`. */
export function certificatesInPem(text: string): Buffer[] {
  return [...eachCertificateInPem(text)];
}

/** Yields the blocks one by one on demand, because a text may hold a thousand. Throws at the faulty block. */
export function eachCertificateInPem(text: string): Generator<Buffer, void, undefined> {
  return eachBlock(text, ['CERTIFICATE', 'TRUSTED CERTIFICATE'], MAX_CERTIFICATES_LENGTH);
}

/**
 * Returns the content of every block with one of these labels (RFC 7468), in order. Text around blocks, and blocks with
 * other labels, are ignored. Throws a `ParseError` for a block that is not strict PEM, for a text longer than
 * `maxLength` characters, and for more than 1000 blocks of any label.
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

/** Reads from the end of the first line to the next dashes, which must be those of the last line. */
function readBody(text: string, start: number, label: PemLabel): Buffer {
  const end = text.indexOf(DASHES, start);
  if (end < 0 || !text.startsWith(`-----END ${label}${DASHES}`, end))
    throw new ParseError(`PEM block without an end: ${label}`);
  const base64 = text.slice(start, end).replace(/\s+/g, '');
  const bytes = Buffer.from(base64, 'base64');
  // Buffer ignores characters that are not base64, headers included; encoding the result again reveals them.
  if (bytes.toString('base64') !== base64) throw new ParseError(`PEM block that is not base64: ${label}`);
  return bytes;
}
