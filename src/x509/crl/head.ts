import type { Buffer } from 'node:buffer';
import { DerReader, Tag } from '../asn1/reader.ts';
import { readCount, readTime } from '../asn1/values.ts';
import { type Algorithm, readAlgorithm } from '../certificate/algorithm.ts';
import { Name } from '../certificate/name.ts';
import { inField, ParseError } from '../parse-error.ts';
import { type ElementHeader, readHeader } from './header.ts';

/** What stands before the entries of a list, and where the parts after it lie (RFC 5280 §5.1). Offsets in the list. */
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
 * Reads the beginning of a list of which `bytes` holds the beginning.
 * @param outer the header of the whole list
 */
export function readHead(bytes: Buffer, outer: ElementHeader): CrlHead {
  const signed = sequenceAt(bytes, outer.contentStart, outer.end);
  let at = signed.contentStart;
  /** Over the element at `at`, which then is behind. */
  const pass = (): DerReader => {
    const end = readHeader(bytes, at)?.end;
    if (end === undefined || end > Math.min(bytes.length, signed.end)) throw new ParseError('a list without its head');
    const reader = new DerReader(bytes, at, end);
    at = end;
    return reader;
  };
  // The version is left out of lists of version 1; it is 1 in those of version 2.
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
