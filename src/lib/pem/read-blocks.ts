import { kindOfDer } from './der-kind.ts';
import { bodyOf, type PemHeader, pemHeaders } from './pem-blocks.ts';
import { ADVICE, textKind, type Wanted } from './text-kind.ts';

/**
 * Thrown if a PEM text cannot be read. The message contains the faulty block, or the format of the text, and the next
 * step. It repeats nothing of the text.
 */
export class PemFault extends Error {
  override readonly name = 'PemFault';
}

const LABELS: Readonly<Record<Wanted, RegExp>> = {
  certificate: /^(TRUSTED )?CERTIFICATE$/,
  crl: /^X509 CRL$/,
  'public key': /^((RSA )?PUBLIC KEY|CERTIFICATE)$/,
};

/**
 * Reads the blocks of a text one by one. Every PEM text of a client is read with this function.
 * @param blocks the content of the blocks in order; an error that it throws is about the next block
 * @param isFault distinguishes an error about the text from a bug
 * @throws PemFault for a block that cannot be read, and for a text without blocks
 */
export function* readBlocks<B, T>(
  text: string,
  wanted: Wanted,
  blocks: Iterable<B>,
  read: (block: B) => T,
  isFault: (error: unknown) => error is Error,
): Generator<T> {
  let count = 0;
  try {
    for (const block of blocks) {
      const one = read(block);
      count++;
      yield one;
    }
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new PemFault(faultOfBlock(text, wanted, count, error.message));
  }
  if (count === 0) throw new PemFault(textKind(text, wanted));
}

const TRUSTED = 'it has OpenSSL trust settings behind the certificate: convert it with `openssl x509`';

/**
 * Returns `block 2 of 144 (line 31) cannot be read: …`.
 * @param index index among the wanted blocks, from 0
 */
function faultOfBlock(text: string, wanted: Wanted, index: number, fault: string): string {
  const headers = pemHeaders(text).filter(({ label }) => LABELS[wanted].test(label));
  const header = headers[index];
  if (!header) return headers.length === 0 ? `${fault}: it is ${textKind(text, wanted)}` : fault;
  const why = blockKind(text, header, wanted) ?? fault;
  return `block ${index + 1} of ${headers.length} (line ${header.line}) cannot be read: ${why}`;
}

/** Returns why the first block of a text cannot be read; undefined if it is complete. */
export function firstBlockFault(text: string, wanted: Wanted): string | undefined {
  const header = pemHeaders(text).find(({ label }) => LABELS[wanted].test(label));
  return header && brokenText(text, header);
}

/** Returns the kind of content of a block that cannot be read; undefined if the fault itself is more specific. */
function blockKind(text: string, header: PemHeader, wanted: Wanted): string | undefined {
  const broken = brokenText(text, header);
  if (broken !== undefined) return broken;
  const der = bodyOf(text, header);
  if (der && header.label.startsWith('TRUSTED ') && kindOfDer(der) === undefined) return TRUSTED;
  const kind = der && kindOfDer(der);
  return kind === undefined || kind === 'unknown DER' || kind === wanted ? undefined : `it holds ${ADVICE[kind]}`;
}

function brokenText(text: string, header: PemHeader): string | undefined {
  const from = header.start + header.label.length;
  const end = text.indexOf('-----END ', from);
  if (end < 0) return 'it has no END line: the text was cut off';
  const block = text.slice(from, end);
  if (block.includes('\\n')) return 'its line breaks are the two characters \\n: send real line breaks';
  return block.includes('Proc-Type:') ? 'it has headers, as encrypted keys have' : undefined;
}
