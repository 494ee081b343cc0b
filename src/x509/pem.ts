import { Buffer } from 'node:buffer';
import { ParseError } from './parse-error.ts';

/** What a block of PEM holds. `TRUSTED CERTIFICATE` is OpenSSL's; it is read when it holds a certificate and nothing else. */
export type PemLabel = 'CERTIFICATE' | 'TRUSTED CERTIFICATE' | 'X509 CRL';

/**
 * Characters. Room for a thousand certificates.
 * @limit certificates in PEM, characters -> 400
 */
const MAX_CERTIFICATES_LENGTH = 2 ** 21;
/** @limit certificates in one text, certificates -> 400 */
const MAX_BLOCKS = 1000;
const BEGIN = '-----BEGIN ';
const DASHES = '-----';
/** DER of every certificate block in a text, in order; not yet parsed. Throws as `pemBlocks` does. */
export function certificatesInPem(text: string): Buffer[] {
  return pemBlocks(text, ['CERTIFICATE', 'TRUSTED CERTIFICATE'], MAX_CERTIFICATES_LENGTH);
}

/**
 * The content of every block with one of these labels (RFC 7468), in order. What lies around and between blocks, and blocks with
 * other labels, is passed over. Throws a `ParseError` on a block that is not strict, on a text longer than `maxLength`
 * characters, and on more than 1000 blocks.
 */
export function pemBlocks(text: string, labels: readonly PemLabel[], maxLength: number): Buffer[] {
  if (text.length > maxLength) throw new ParseError(`PEM text of more than ${maxLength} characters`);
  const blocks: Buffer[] = [];
  let begin = text.indexOf(BEGIN);
  while (begin >= 0) {
    const header = begin + BEGIN.length;
    const label = labels.find((wanted) => text.startsWith(`${wanted}${DASHES}`, header));
    if (label !== undefined) {
      if (blocks.length === MAX_BLOCKS) throw new ParseError(`more than ${MAX_BLOCKS} PEM blocks`);
      blocks.push(readBody(text, header + label.length + DASHES.length, label));
    }
    begin = text.indexOf(BEGIN, header);
  }
  return blocks;
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
