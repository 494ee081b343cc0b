/**
 * Creates OCSP responses: good, current and signed by the issuer by default. Each option changes one thing.
 *
 *     const response = mintOcspResponse({ issuer, certificate });
 *     const delegated = mintOcspResponse({ issuer, certificate, signer: delegate, embedded: [delegate] });
 */
import { createHash } from 'node:crypto';
import * as der from '../../src/pki/der.ts';
import type { ExtensionInput, Minted } from '../../src/pki/index.ts';
import { type Hash, sign, signatureAlgorithm } from '../../src/pki/keys.ts';
import { Certificate } from '../../src/x509/index.ts';

export const OCSP_OID = {
  nonce: '1.3.6.1.5.5.7.48.1.2',
  noCheck: '1.3.6.1.5.5.7.48.1.5',
  authorityInformationAccess: '1.3.6.1.5.5.7.1.1',
  ocsp: '1.3.6.1.5.5.7.48.1',
  caIssuers: '1.3.6.1.5.5.7.48.2',
} as const;

const BASIC = '1.3.6.1.5.5.7.48.1.1';
const SHA1 = '1.3.14.3.2.26';
const SHA256 = '2.16.840.1.101.3.4.2.1';
const ENUMERATED = 0x0a;
const GENERALIZED_TIME = 0x18;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A certificate and its key, or a CA. */
type Signer = Pick<Minted, 'der' | 'privateKey' | 'subject'>;

/** Status of one certificate. */
export interface AnswerOptions {
  readonly issuer: Signer;
  readonly certificate: { readonly serial: bigint };
  readonly status?: 'good' | 'revoked' | 'unknown' | { readonly revokedAt: Date; readonly reason: number };
  /** Default: a minute ago. */
  readonly thisUpdate?: Date;
  /** `null` leaves it out. Default: a day from now. */
  readonly nextUpdate?: Date | null;
  /** Hash of the names in the CertID. Default: sha1. */
  readonly idHash?: 'sha1' | 'sha256';
  readonly extensions?: readonly ExtensionInput[];
}

export interface OcspResponseOptions extends AnswerOptions {
  /** Default: the issuer. */
  readonly signer?: Signer;
  /** Responder ID of the response. Default: the signer. */
  readonly responder?: Signer;
  /** Default: name. */
  readonly responderId?: 'name' | 'key';
  /** Certificates in the response. */
  readonly embedded?: readonly Pick<Minted, 'der'>[];
  /** More single responses, before and after the one about `certificate`. */
  readonly before?: readonly AnswerOptions[];
  readonly after?: readonly AnswerOptions[];
  readonly nonce?: Uint8Array;
  readonly responseExtensions?: readonly ExtensionInput[];
  readonly hash?: Hash;
  /** Replaces the signature. */
  readonly signature?: Uint8Array;
}

/** DER of a successful OCSPResponse. */
export function mintOcspResponse(options: OcspResponseOptions): Buffer {
  const { issuer, signer = issuer, responder = signer, embedded = [], before = [], after = [] } = options;
  const nonce = options.nonce === undefined ? [] : [nonceExtension(options.nonce)];
  const data = der.sequence(
    responderId(responder, options.responderId),
    generalizedTime(new Date()),
    der.sequence(...[...before, options, ...after].map(singleResponse)),
    ...extensionList(
      options.responseExtensions || nonce.length > 0 ? [...nonce, ...(options.responseExtensions ?? [])] : undefined,
    ),
  );
  const algorithm = signatureAlgorithm(signer.privateKey, options);
  const signature = options.signature ?? sign(data, signer.privateKey, options);
  const certificates = embedded.map((certificate) => certificate.der);
  return wrap(
    der.sequence(
      data,
      algorithm,
      der.bitString(signature),
      ...(certificates.length === 0 ? [] : [der.constructed(0, der.sequence(...certificates))]),
    ),
  );
}

/** DER of an OCSPResponse with an error status: 1 malformedRequest, 2 internalError, 3 tryLater, 6 unauthorized. */
export function mintOcspFailure(status: number): Buffer {
  return der.sequence(der.tlv(ENUMERATED, Buffer.from([status])));
}

/** DER of an OCSPResponse around a BasicOCSPResponse, or around any other bytes. */
export function wrap(basic: Uint8Array): Buffer {
  const responseBytes = der.sequence(der.oid(BASIC), der.octetString(basic));
  return der.sequence(der.tlv(ENUMERATED, Buffer.from([0])), der.constructed(0, responseBytes));
}

/** Extension for a certificate with the URLs of its responders. */
export function ocspAccess(...urls: readonly string[]): ExtensionInput {
  return accessDescriptions(...urls.map((url) => [OCSP_OID.ocsp, url] as const));
}

export function accessDescriptions(
  ...descriptions: readonly (readonly [method: string, url: string])[]
): ExtensionInput {
  const items = descriptions.map(([method, url]) =>
    der.sequence(der.oid(method), der.primitive(6, Buffer.from(url, 'latin1'))),
  );
  return { oid: OCSP_OID.authorityInformationAccess, value: der.sequence(...items) };
}

function nonceExtension(nonce: Uint8Array): ExtensionInput {
  return { oid: OCSP_OID.nonce, value: der.octetString(nonce) };
}

function singleResponse(options: AnswerOptions): Buffer {
  const { thisUpdate = new Date(Date.now() - MINUTE), nextUpdate = new Date(Date.now() + DAY) } = options;
  return der.sequence(
    certId(options),
    certStatus(options.status ?? 'good'),
    generalizedTime(thisUpdate),
    ...(nextUpdate === null ? [] : [der.constructed(0, generalizedTime(nextUpdate))]),
    ...extensionList(options.extensions),
  );
}

function certId({ issuer, certificate, idHash = 'sha1' }: AnswerOptions): Buffer {
  const digest = (bytes: Uint8Array) => der.octetString(createHash(idHash).update(bytes).digest());
  const { publicKey } = Certificate.parse(issuer.der);
  return der.sequence(
    der.sequence(der.oid(idHash === 'sha1' ? SHA1 : SHA256), der.nullValue()),
    digest(issuer.subject),
    digest(publicKey.bytes),
    der.integer(certificate.serial),
  );
}

function certStatus(status: NonNullable<AnswerOptions['status']>): Buffer {
  if (status === 'good') return der.primitive(0, Buffer.alloc(0));
  if (status === 'unknown') return der.primitive(2, Buffer.alloc(0));
  if (status === 'revoked') return der.constructed(1, generalizedTime(new Date(Date.now() - DAY)));
  const reason = der.constructed(0, der.tlv(ENUMERATED, Buffer.from([status.reason])));
  return der.constructed(1, generalizedTime(status.revokedAt), reason);
}

function responderId(responder: Signer, type: 'name' | 'key' = 'name'): Buffer {
  if (type === 'name') return der.constructed(1, responder.subject);
  const { publicKey } = Certificate.parse(responder.der);
  return der.constructed(2, der.octetString(createHash('sha1').update(publicKey.bytes).digest()));
}

/** `[]` encodes an empty list. Undefined omits the list. */
function extensionList(extensions: readonly ExtensionInput[] | undefined): Buffer[] {
  if (extensions === undefined) return [];
  const items = extensions.map(({ oid, critical, value }) =>
    der.sequence(der.oid(oid), ...(critical ? [der.boolean(true)] : []), der.octetString(value)),
  );
  return [der.constructed(1, der.sequence(...items))];
}

function generalizedTime(date: Date): Buffer {
  const digits = date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:T]/g, '');
  return der.tlv(GENERALIZED_TIME, Buffer.from(digits));
}
