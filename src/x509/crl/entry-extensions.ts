import type { Buffer } from 'node:buffer';
import { type Oid, oidFromDotted } from '../asn1/oid.ts';
import { DerReader } from '../asn1/reader.ts';
import { type Extension, readExtensions } from '../certificate/extensions.ts';
import { ParseError } from '../parse-error.ts';
import { REVOCATION_REASONS } from './crl.ts';
import { unknownCritical } from './crl-extensions.ts';

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
export class EntryExtensionReader {
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
