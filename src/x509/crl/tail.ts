import type { Buffer } from 'node:buffer';
import type { Oid } from '../asn1/oid.ts';
import { constructedTag, DerReader } from '../asn1/reader.ts';
import { checkSameAlgorithm } from '../certificate/algorithm.ts';
import { type Extension, readExtensions } from '../certificate/extensions.ts';
import { readSignature } from '../certificate/signature.ts';
import { inField, ParseError } from '../parse-error.ts';
import type { SignedRange } from './crl.ts';
import { type CrlExtensions, decodeCrlExtensions } from './crl-extensions.ts';
import type { CrlHead } from './head.ts';

/** Part of a CRL behind its entries (RFC 5280 §5.1). */
export interface CrlTail extends CrlExtensions {
  readonly signed: SignedRange;
}

/** Reads the part of a CRL behind its entries; `bytes` holds exactly this part. */
export function readTail(bytes: Buffer, head: CrlHead): CrlTail {
  const signedEnd = head.signedEnd - head.entriesEnd;
  const extensions = inField('CRL extensions', () =>
    decodeCrlExtensions(readCrlExtensions(new DerReader(bytes, 0, signedEnd), head.version)),
  );
  const { algorithm, signature } = inField('signature', () => readSignature(new DerReader(bytes, signedEnd), bytes));
  checkSameAlgorithm(head.algorithm, algorithm);
  const signed = { start: head.signedStart, end: head.signedEnd, algorithm, signature };
  return { ...extensions, signed };
}

function readCrlExtensions(reader: DerReader, version: 1 | 2): ReadonlyMap<Oid, Extension> {
  if (!reader.more) return new Map();
  if (version === 1) throw new ParseError('extensions in a CRL of version 1');
  const inner = reader.enter(constructedTag(0));
  reader.finish();
  const extensions = readExtensions(inner);
  inner.finish();
  return extensions;
}
