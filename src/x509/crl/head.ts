import type { Buffer } from 'node:buffer';
import { DerReader, Tag } from '../asn1/reader.ts';
import { readCount, readTime } from '../asn1/values.ts';
import { type Algorithm, readAlgorithm } from '../certificate/algorithm.ts';
import { Name } from '../certificate/name.ts';
import { inField, ParseError } from '../parse-error.ts';
import { type ElementHeader, readHeader } from './header.ts';

/** Part of a CRL before its entries, and the positions of the parts behind (RFC 5280 §5.1). Offsets in the CRL. */
export interface CrlHead {
  readonly version: 1 | 2;
  readonly algorithm: Algorithm;
  readonly issuer: Name;
  readonly thisUpdate: number;
  readonly nextUpdate: number | undefined;
  readonly signedStart: number;
  readonly signedEnd: number;
  readonly entriesStart: number;
  readonly entriesEnd: number;
}

/**
 * Reads the head of a CRL; `bytes` holds the beginning of the CRL.
 * @param outer the header of the whole CRL
 */
export function readHead(bytes: Buffer, outer: ElementHeader): CrlHead {
  const signed = sequenceAt(bytes, outer.contentStart, outer.end);
  let at = signed.contentStart;
  /** Returns a reader of the element at `at`, and moves behind it. */
  const pass = (): DerReader => {
    const end = readHeader(bytes, at)?.end;
    if (end === undefined || end > Math.min(bytes.length, signed.end)) throw new ParseError('a CRL without its head');
    const reader = new DerReader(bytes, at, end);
    at = end;
    return reader;
  };
  // Version 1 CRLs omit the version; in version 2 it has the value 1.
  const version = bytes[at] === Tag.integer ? inField('version', () => readVersion(pass())) : 1;
  const algorithm = inField('signature algorithm', () => readAlgorithm(pass()));
  const issuer = inField('issuer', () => Name.read(pass()));
  if (issuer.isEmpty) throw new ParseError('an empty name', ['issuer']);
  const thisUpdate = inField('thisUpdate', () => readTime(pass()));
  const hasNextUpdate = at < signed.end && (bytes[at] === Tag.utcTime || bytes[at] === Tag.generalizedTime);
  const nextUpdate = hasNextUpdate ? inField('nextUpdate', () => readTime(pass())) : undefined;
  const hasEntries = at < signed.end && bytes[at] === Tag.sequence;
  const entries = hasEntries ? sequenceAt(bytes, at, signed.end) : { contentStart: at, end: at };
  return {
    version,
    algorithm,
    issuer,
    thisUpdate,
    nextUpdate,
    signedStart: outer.contentStart,
    signedEnd: signed.end,
    entriesStart: entries.contentStart,
    entriesEnd: entries.end,
  };
}

function readVersion(reader: DerReader): 2 {
  if (readCount(reader) !== 1) throw new ParseError('not that of version 2');
  return 2;
}

function sequenceAt(bytes: Buffer, at: number, limit: number): ElementHeader {
  const header = readHeader(bytes, at);
  if (header?.tag !== Tag.sequence || header.end > limit) throw new ParseError('not a certificate revocation list');
  return header;
}
