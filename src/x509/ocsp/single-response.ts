import type { Oid } from '../asn1/oid.ts';
import { constructedTag, type DerReader, primitiveTag, Tag } from '../asn1/reader.ts';
import { readTime } from '../asn1/values.ts';
import { type Extension, readExtensions } from '../certificate/extensions.ts';
import { inField, ParseError } from '../parse-error.ts';
import { type CertId, readCertId } from './cert-id.ts';

/** Status of a certificate (RFC 6960 §4.2.1). Times are milliseconds since 1970. */
export type CertStatus =
  | { readonly type: 'good' }
  /** `reason` is the number of a CRLReason (RFC 5280 §5.3.1). */
  | { readonly type: 'revoked'; readonly at: number; readonly reason: number | undefined }
  | { readonly type: 'unknown' };

/** The response about one certificate. It is valid only if the response that contains it is verified. */
export interface SingleResponse {
  readonly certId: CertId;
  readonly status: CertStatus;
  /** Time at which the status was known to be correct. */
  readonly thisUpdate: number;
  /** Time of the next status; undefined if it may be available at any time. */
  readonly nextUpdate: number | undefined;
  readonly extensions: ReadonlyMap<Oid, Extension>;
}

const ENUMERATED = 0x0a;

/** Reads one SingleResponse. */
export function readSingleResponse(reader: DerReader): SingleResponse {
  const inner = reader.enter(Tag.sequence);
  const certId = inField('certificate id', () => readCertId(inner));
  const status = inField('certificate status', () => readStatus(inner));
  const thisUpdate = inField('thisUpdate', () => readGeneralizedTime(inner));
  const nextUpdate = inner.skipOptional(constructedTag(0))
    ? inField('nextUpdate', () => readOnlyTime(inner.inner()))
    : undefined;
  const extensions = inField('extensions', () => readOptionalExtensions(inner));
  inner.finish();
  return { certId, status, thisUpdate, nextUpdate, extensions };
}

/** Reads `[1] Extensions` if it comes next; both single and whole responses end with it. */
export function readOptionalExtensions(reader: DerReader): ReadonlyMap<Oid, Extension> {
  if (!reader.skipOptional(constructedTag(1))) return new Map();
  const inner = reader.inner();
  const extensions = readExtensions(inner);
  inner.finish();
  return extensions;
}

/** Reads a GeneralizedTime, the only type of time in OCSP. */
export function readGeneralizedTime(reader: DerReader): number {
  if (!reader.at(Tag.generalizedTime)) throw new ParseError('a time that is not a GeneralizedTime');
  return readTime(reader);
}

/** Reads one ENUMERATED of one byte. */
export function readEnumerated(reader: DerReader): number {
  reader.expect(ENUMERATED);
  if (reader.length !== 1) throw new ParseError('ENUMERATED of more or less than one byte');
  return reader.octet(0);
}

function readStatus(reader: DerReader): CertStatus {
  const tag = reader.next();
  if (tag === constructedTag(1)) return readRevokedInfo(reader.inner());
  if (reader.length !== 0) throw new ParseError('a certificate status with unexpected content');
  if (tag === primitiveTag(0)) return { type: 'good' };
  if (tag === primitiveTag(2)) return { type: 'unknown' };
  throw new ParseError(`a certificate status with tag 0x${tag.toString(16)}`);
}

function readRevokedInfo(reader: DerReader): CertStatus {
  const at = readGeneralizedTime(reader);
  const reason = reader.skipOptional(constructedTag(0)) ? readOnlyReason(reader.inner()) : undefined;
  reader.finish();
  return { type: 'revoked', at, reason };
}

function readOnlyReason(reader: DerReader): number {
  const reason = readEnumerated(reader);
  reader.finish();
  return reason;
}

function readOnlyTime(reader: DerReader): number {
  const time = readGeneralizedTime(reader);
  reader.finish();
  return time;
}
