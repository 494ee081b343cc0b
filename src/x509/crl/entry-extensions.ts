import type { Buffer } from 'node:buffer';
import { type Oid, oidFromDotted } from '../asn1/oid.ts';
import { DerReader } from '../asn1/reader.ts';
import { type Extension, readExtensions } from '../certificate/extensions.ts';
import { ParseError } from '../parse-error.ts';
import { REVOCATION_REASONS } from './crl.ts';
import { unknownCritical } from './crl-extensions.ts';

const ENUMERATED = 0x0a;
const UNSPECIFIED = 0;
/** The first byte of a number below zero. */
const NEGATIVE = 0x80;

const EntryExtensionId = {
  reasonCode: oidFromDotted('2.5.29.21'),
  invalidityDate: oidFromDotted('2.5.29.24'),
  certificateIssuer: oidFromDotted('2.5.29.29'),
} as const;

const ENFORCED: ReadonlySet<Oid> = new Set(Object.values(EntryExtensionId));
/**
 * Extensions longer than this are seldom alike.
 * @limit the extensions of an entry that are remembered, bytes -> they are read each time
 */
const MAX_KEPT_BYTES = 64;
/** @limit extensions of entries that are remembered, kinds -> they are read each time */
const MAX_KEPT = 64;

/** What the extensions of an entry say (RFC 5280 §5.3). */
interface EntryExtensions {
  readonly reason: number;
  readonly unusable: string | undefined;
}

/** Reads the extensions of entries. Nearly all entries of a list have one of few sets, byte for byte: each is read once. */
export class EntryExtensionReader {
  readonly #kept = new Map<string, EntryExtensions>();

  /** Passes the extensions of an entry. */
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
  if (REVOCATION_REASONS[reason] === 'removeFromCRL') return 'an entry that takes a revocation back';
  return unknownCritical(extensions, ENFORCED);
}

/** A reason that RFC 5280 does not define counts as unspecified: the certificate is revoked, whatever the reason. */
function readReason(extension: Extension | undefined): number {
  if (extension === undefined) return UNSPECIFIED;
  const reader = new DerReader(extension.value);
  reader.expect(ENUMERATED);
  reader.finish();
  const reason = reader.length === 1 ? reader.octet(0) : NEGATIVE;
  if (reason >= NEGATIVE) throw new ParseError('malformed ENUMERATED', ['reason code']);
  return REVOCATION_REASONS[reason] === undefined ? UNSPECIFIED : reason;
}
