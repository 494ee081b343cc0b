import { Buffer } from 'node:buffer';
import { type Oid, oidFromDotted } from '../asn1/oid.ts';
import { constructedTag, DerReader, Tag } from '../asn1/reader.ts';
import { readInteger, readTime } from '../asn1/values.ts';
import { checkSameAlgorithm } from '../certificate/algorithm.ts';
import { type Extension, readExtensions } from '../certificate/extensions.ts';
import { readSignature } from '../certificate/signature.ts';
import { inField, ParseError } from '../parse-error.ts';
import { type CrlInfo, REVOCATION_REASONS, type RevokedCertificate, type SignedRange } from './crl.ts';
import { type CrlExtensions, decodeCrlExtensions, unknownCritical } from './crl-extensions.ts';
import { type CrlHead, readHead } from './head.ts';
import { type ElementHeader, readHeader } from './header.ts';

/** Part of a CRL behind its entries (RFC 5280 §5.1). */
interface CrlTail extends CrlExtensions {
  readonly signed: SignedRange;
}

/** Reads the part of a CRL behind its entries; `bytes` holds exactly this part. */
function readTail(bytes: Buffer, head: CrlHead): CrlTail {
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

const ENUMERATED = 0x0a;
const UNSPECIFIED = 0;
/** First byte from which a number is negative. */
const NEGATIVE = 0x80;

const EntryExtensionId = {
  reasonCode: oidFromDotted('2.5.29.21'),
  invalidityDate: oidFromDotted('2.5.29.24'),
  certificateIssuer: oidFromDotted('2.5.29.29'),
} as const;

const ENFORCED: ReadonlySet<Oid> = new Set(Object.values(EntryExtensionId));
/**
 * Maximum length of cached extensions; longer ones rarely repeat.
 * @limit size of the extensions of a CRL entry that are cached, bytes -> larger extensions are parsed each time
 */
const MAX_KEPT_BYTES = 64;
/** @limit different extensions of CRL entries that are cached, kinds -> further extensions are parsed each time */
const MAX_KEPT = 64;

/** Contents of an entry's extensions (RFC 5280 §5.3). */
interface EntryExtensions {
  readonly reason: number;
  readonly unusable: string | undefined;
}

/**
 * Parses the extensions of entries. Nearly all entries of a CRL have one of a few sets, byte by byte, so each set is
 * parsed once and cached.
 */
class EntryExtensionReader {
  readonly #kept = new Map<string, EntryExtensions>();

  /** Reads the extensions of one entry. */
  read(reader: DerReader): EntryExtensions {
    reader.next();
    if (reader.length > MAX_KEPT_BYTES) return decode(reader.element);
    const key = reader.text('latin1');
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const decoded = decode(reader.element);
    if (this.#kept.size < MAX_KEPT) this.#kept.set(key, decoded);
    return decoded;
  }
}

function decode(der: Buffer): EntryExtensions {
  const extensions = readExtensions(new DerReader(der));
  const reason = readReason(extensions.get(EntryExtensionId.reasonCode));
  return { reason, unusable: fault(extensions, reason) };
}

function fault(extensions: ReadonlyMap<Oid, Extension>, reason: number): string | undefined {
  if (extensions.has(EntryExtensionId.certificateIssuer)) return 'an entry about a certificate of another issuer';
  if (REVOCATION_REASONS[reason] === 'removeFromCRL') return 'an entry that withdraws a revocation';
  return unknownCritical(extensions, ENFORCED);
}

/** A reason that RFC 5280 does not define becomes unspecified: the certificate is revoked in any case. */
function readReason(extension: Extension | undefined): number {
  if (extension === undefined) return UNSPECIFIED;
  const reader = new DerReader(extension.value);
  reader.expect(ENUMERATED);
  reader.finish();
  const reason = reader.length === 1 ? reader.octet(0) : NEGATIVE;
  if (reason >= NEGATIVE) throw new ParseError('malformed ENUMERATED', ['reason code']);
  return REVOCATION_REASONS[reason] === undefined ? UNSPECIFIED : reason;
}

/**
 * Maximum size of one CRL: five million entries of the shortest kind, two million of the common one.
 * @limit size of a CRL, bytes -> the CRL is refused
 */
export const MAX_CRL_BYTES = 100 * 2 ** 20;
/**
 * Maximum size of the part before the entries, of one entry, and of the part behind the entries.
 * @limit one entry of a CRL, or the part before or after the entries, bytes -> the CRL is refused
 */
const MAX_PART_BYTES = 32_768;
const EMPTY = Buffer.alloc(0);

/**
 * Streaming parser of a CRL in DER: accepts pieces of any size, and emits each entry as soon as it is complete. Strict,
 * like all parsers here. It holds at most 32 KiB and one piece. The work of a `write` grows with its piece, about
 * 25,000 entries for a MiB, so pieces of 64 KiB keep it below a millisecond or two.
 */
export class CrlParser {
  readonly #onRevoked: (entry: RevokedCertificate) => void;
  readonly #entryExtensions = new EntryExtensionReader();
  /** Bytes that are not parsed yet, and their position in the CRL. */
  #pending: Buffer = EMPTY;
  /** Reused buffer that joins pending and new bytes without garbage. */
  #room: Buffer = EMPTY;
  #offset = 0;
  #outer: ElementHeader | undefined;
  #head: CrlHead | undefined;
  #entries = 0;
  #unusable: string | undefined;

  constructor(onRevoked: (entry: RevokedCertificate) => void) {
    this.#onRevoked = onRevoked;
  }

  /**
   * Parses the next bytes.
   * @throws ParseError
   */
  write(bytes: Buffer): void {
    this.#pending = this.#joined(bytes);
    this.#outer ??= readOuter(this.#pending);
    if (this.#outer === undefined) return;
    if (this.#offset + this.#pending.length > this.#outer.end) throw new ParseError('bytes after the end of the CRL');
    if (this.#head === undefined && this.#pending.length >= Math.min(MAX_PART_BYTES, this.#outer.end)) {
      this.#head = readHead(Buffer.from(this.#pending.subarray(0, MAX_PART_BYTES)), this.#outer);
      this.#skipTo(this.#head.entriesStart);
    }
    if (this.#head !== undefined) this.#readEntries(this.#head);
  }

  /**
   * Must be called after the last bytes.
   * @throws ParseError
   */
  end(): CrlInfo {
    const head = this.#head;
    const bytes = this.#offset + this.#pending.length;
    if (head === undefined || this.#offset < head.entriesEnd || bytes !== this.#outer?.end) {
      throw new ParseError('the CRL is truncated');
    }
    const { unusable, ...tail } = readTail(Buffer.from(this.#pending), head);
    const { version, issuer, thisUpdate, nextUpdate } = head;
    const own = { version, issuer, thisUpdate, nextUpdate, entries: this.#entries, bytes };
    return { ...own, ...tail, unusable: unusable ?? this.#unusable };
  }

  /** Reads all complete entries. */
  #readEntries({ version, entriesEnd }: CrlHead): void {
    const end = this.#wholeEntries(entriesEnd - this.#offset);
    const reader = new DerReader(this.#pending, 0, end);
    inField('revoked certificates', () => {
      while (reader.more) this.#readEntry(reader.enter(Tag.sequence), version);
    });
    this.#skipTo(this.#offset + end);
    if (this.#pending.length > MAX_PART_BYTES) throw new ParseError(`a part of more than ${MAX_PART_BYTES} bytes`);
  }

  /** Returns the end of the last complete entry in the pending bytes. */
  #wholeEntries(limit: number): number {
    let end = 0;
    while (end < limit) {
      const next = readHeader(this.#pending, end)?.end;
      if (next === undefined) break;
      if (next > limit) throw new ParseError('an entry that is longer than the list of entries');
      if (next > this.#pending.length) break;
      end = next;
    }
    return end;
  }

  #readEntry(reader: DerReader, version: 1 | 2): void {
    const serial = readInteger(reader);
    const revokedAt = readTime(reader);
    let reason = 0;
    if (reader.more) {
      if (version === 1) throw new ParseError('extensions in a list of version 1');
      const extensions = this.#entryExtensions.read(reader);
      reason = extensions.reason;
      this.#unusable ??= extensions.unusable;
    }
    reader.finish();
    this.#entries++;
    this.#onRevoked({ serial, revokedAt, reason });
  }

  /** Joins pending and new bytes; the result is valid until the next call. */
  #joined(bytes: Buffer): Buffer {
    const pending = this.#pending.length;
    if (pending === 0) return bytes;
    const length = pending + bytes.length;
    const room = this.#room.length < length ? Buffer.allocUnsafeSlow(Math.max(length, 2 * MAX_PART_BYTES)) : this.#room;
    room.set(this.#pending);
    room.set(bytes, pending);
    this.#room = room;
    return room.subarray(0, length);
  }

  #skipTo(offset: number): void {
    this.#pending = this.#pending.subarray(offset - this.#offset);
    this.#offset = offset;
  }
}

/** Returns undefined until there are enough bytes. */
function readOuter(bytes: Buffer): ElementHeader | undefined {
  const outer = readHeader(bytes, 0);
  if (outer === undefined) return undefined;
  if (outer.tag !== Tag.sequence) throw new ParseError('not a certificate revocation list');
  if (outer.end > MAX_CRL_BYTES) throw new ParseError(`a CRL of more than ${MAX_CRL_BYTES} bytes`);
  return outer;
}
