import { Buffer } from 'node:buffer';
import { readItems } from '../asn1/list.ts';
import { type Oid, oidFromDotted, readOid } from '../asn1/oid.ts';
import { constructedTag, DerReader, Tag } from '../asn1/reader.ts';
import { readBitString, readCount } from '../asn1/values.ts';
import { readAlgorithm } from '../certificate/algorithm.ts';
import type { Extension } from '../certificate/extensions.ts';
import { Name } from '../certificate/name.ts';
import type { Signed } from '../certificate/signature.ts';
import { inField, ParseError } from '../parse-error.ts';
import {
  readEnumerated,
  readGeneralizedTime,
  readOptionalExtensions,
  readSingleResponse,
  type SingleResponse,
} from './single-response.ts';

/**
 * Maximum length of one response in DER.
 * @limit size of an OCSP response, bytes -> the response counts as no response
 */
export const MAX_RESPONSE_BYTES = 65_536;
/** @limit certificates that one OCSP response is about, certificates -> it counts as no response */
const MAX_SINGLE_RESPONSES = 64;
/** @limit certificates included in an OCSP response, certificates -> it counts as no response */
const MAX_CERTIFICATES = 8;
/** OID id-pkix-ocsp-basic. */
const BASIC = oidFromDotted('1.3.6.1.5.5.7.48.1.1');

/** Statuses by number (RFC 6960 §4.2.1); 4 is not used. */
const STATUSES = [
  'successful',
  'malformedRequest',
  'internalError',
  'tryLater',
  undefined,
  'sigRequired',
  'unauthorized',
] as const;

/** Reason of a responder for returning no result. It is not signed. */
export type OcspFailure = Exclude<(typeof STATUSES)[number], 'successful' | undefined>;

export type OcspResponse =
  | { readonly status: 'successful'; readonly basic: BasicResponse }
  | { readonly status: OcspFailure };

/** Signer of a response: a name, or the SHA-1 hash of a key. */
export type ResponderId =
  | { readonly type: 'name'; readonly name: Name }
  | { readonly type: 'key'; readonly hash: Buffer };

/** A BasicOCSPResponse (RFC 6960 §4.2.1). It must be verified with `verifyOcspResponse`. */
export interface BasicResponse {
  readonly signed: Signed;
  readonly responderId: ResponderId;
  readonly responses: readonly SingleResponse[];
  readonly extensions: ReadonlyMap<Oid, Extension>;
  /** DER of the certificates included for verification, not parsed yet. At most 8. */
  readonly certificates: readonly Buffer[];
}

/**
 * Parses one OCSPResponse of at most 64 KiB, and keeps a copy of its bytes. Throws a `ParseError` with the name of the
 * field.
 */
export function parseOcspResponse(bytes: Uint8Array): OcspResponse {
  if (bytes.length > MAX_RESPONSE_BYTES) throw new ParseError(`response of more than ${MAX_RESPONSE_BYTES} bytes`);
  const reader = DerReader.inside(Buffer.from(bytes), Tag.sequence);
  const number = readEnumerated(reader);
  const status = STATUSES[number];
  if (status === undefined) throw new ParseError(`unknown response status ${number}`);
  if (status !== 'successful') {
    reader.finish();
    return { status };
  }
  const wrapper = reader.enter(constructedTag(0));
  reader.finish();
  const responseBytes = wrapper.enter(Tag.sequence);
  wrapper.finish();
  if (readOid(responseBytes) !== BASIC) throw new ParseError('a response of another type than basic');
  responseBytes.expect(Tag.octetString);
  responseBytes.finish();
  return { status, basic: readBasicResponse(DerReader.inside(responseBytes.content, Tag.sequence)) };
}

function readBasicResponse(reader: DerReader): BasicResponse {
  reader.expect(Tag.sequence);
  const content = reader.element;
  const data = readResponseData(reader.inner());
  const algorithm = readAlgorithm(reader);
  const signature = readBitString(reader);
  const certificates = reader.skipOptional(constructedTag(0)) ? readCertificates(reader.inner()) : [];
  reader.finish();
  return { ...data, signed: { content, algorithm, signature }, certificates };
}

function readResponseData(reader: DerReader): Pick<BasicResponse, 'responderId' | 'responses' | 'extensions'> {
  inField('version', () => skipVersion(reader));
  const responderId = inField('responder id', () => readResponderId(reader));
  inField('producedAt', () => readGeneralizedTime(reader)); // not used: thisUpdate and nextUpdate are
  const list = reader.enter(Tag.sequence);
  const rules = { items: 'single responses', most: MAX_SINGLE_RESPONSES, mayBeEmpty: true };
  const responses = readItems(list, rules, () => inField('single response', () => readSingleResponse(list)));
  const extensions = inField('response extensions', () => readOptionalExtensions(reader));
  reader.finish();
  return { responderId, responses, extensions };
}

/** Version 1 is the only one, and the default. Some responders write it explicitly. */
function skipVersion(reader: DerReader): void {
  if (!reader.skipOptional(constructedTag(0))) return;
  const inner = reader.inner();
  if (readCount(inner) !== 0) throw new ParseError('unknown response version');
  inner.finish();
}

function readResponderId(reader: DerReader): ResponderId {
  const tag = reader.next();
  const inner = reader.inner();
  if (tag === constructedTag(1)) {
    const name = Name.read(inner);
    inner.finish();
    return { type: 'name', name };
  }
  if (tag !== constructedTag(2)) throw new ParseError(`a responder id with tag 0x${tag.toString(16)}`);
  inner.expect(Tag.octetString);
  inner.finish();
  return { type: 'key', hash: inner.content };
}

function readCertificates(reader: DerReader): Buffer[] {
  const list = reader.enter(Tag.sequence);
  reader.finish();
  return readItems(list, { items: 'certificates', most: MAX_CERTIFICATES, mayBeEmpty: true }, () => {
    list.expect(Tag.sequence);
    return list.element;
  });
}
