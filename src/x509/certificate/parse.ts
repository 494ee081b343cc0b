import { Buffer } from 'node:buffer';
import type { Oid } from '../asn1/oid.ts';
import { constructedTag, DerReader, primitiveTag, Tag } from '../asn1/reader.ts';
import { readCount, readInteger, readTime, readUnusedBits } from '../asn1/values.ts';
import { inField, ParseError } from '../parse-error.ts';
import { checkSameAlgorithm, readAlgorithm } from './algorithm.ts';
import { type Extension, readExtensions } from './extensions.ts';
import { decodeKnownExtensions, type KnownExtensions } from './known-extensions.ts';
import { Name } from './name.ts';
import { PublicKey } from './public-key.ts';
import { readSignature, type Signed } from './signature.ts';

/**
 * Maximum length of one certificate. TLS itself allows at most 100 kB of certificates.
 * @limit size of a certificate, bytes -> the certificate cannot be read
 */
const MAX_CERTIFICATE_BYTES = 65_536;

/** Fields of a certificate; `Certificate` documents them. */
export interface CertificateParts extends Body {
  readonly der: Buffer;
  readonly signed: Signed;
}

/** Fields of a TBSCertificate (RFC 5280 §4.1). */
interface Body {
  readonly version: 1 | 2 | 3;
  readonly serialBytes: Buffer;
  readonly issuer: Name;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly subject: Name;
  readonly publicKey: PublicKey;
  readonly extensions: ReadonlyMap<Oid, Extension>;
  readonly known: KnownExtensions;
}

/** Parses all of `bytes` as one certificate, in one pass over a copy. */
export function readCertificate(bytes: Uint8Array): CertificateParts {
  if (bytes.length > MAX_CERTIFICATE_BYTES)
    throw new ParseError(`certificate of more than ${MAX_CERTIFICATE_BYTES} bytes`);
  const der = Buffer.from(bytes);
  const reader = DerReader.inside(der, Tag.sequence);
  reader.expect(Tag.sequence);
  const content = reader.element;
  const inner = reader.inner();
  const signed = inField('signature', () => readSignature(reader, content));
  return { der, signed, ...readBody(inner, signed) };
}

function readBody(reader: DerReader, signed: Signed): Body {
  const version = inField('version', () => readVersion(reader));
  const serialBytes = inField('serial number', () => readInteger(reader));
  checkSameAlgorithm(
    inField('signature algorithm', () => readAlgorithm(reader)),
    signed.algorithm,
  );
  const issuer = inField('issuer', () => Name.read(reader));
  const validity = inField('validity', () => readValidity(reader.enter(Tag.sequence)));
  const subject = inField('subject', () => Name.read(reader));
  const publicKey = inField('public key', () => PublicKey.read(reader));
  inField('unique identifiers', () => skipUniqueIdentifiers(reader));
  const extensions = inField('extensions', () => readOptionalExtensions(reader));
  reader.finish();
  // Some implementations evaluate extensions in these versions, and others ignore them.
  if (version < 3 && extensions.size > 0) throw new ParseError(`extensions in a certificate of version ${version}`);
  const known = decodeKnownExtensions(extensions);
  return { version, serialBytes, issuer, ...validity, subject, publicKey, extensions, known };
}

function readValidity(reader: DerReader): Pick<Body, 'notBefore' | 'notAfter'> {
  const notBefore = readTime(reader);
  const notAfter = readTime(reader);
  reader.finish();
  return { notBefore, notAfter };
}

const NO_EXTENSIONS: ReadonlyMap<Oid, Extension> = new Map();

/** Version 1 is the default: DER omits it, and some CAs write it. */
function readVersion(reader: DerReader): 1 | 2 | 3 {
  if (!reader.skipOptional(constructedTag(0))) return 1;
  const inner = reader.inner();
  const version = readCount(inner) + 1;
  inner.finish();
  if (version !== 1 && version !== 2 && version !== 3) throw new ParseError('not one of 1 to 3');
  return version;
}

/** Skips issuerUniqueID and subjectUniqueID: unused BIT STRINGs, whatever the version. */
function skipUniqueIdentifiers(reader: DerReader): void {
  for (const tag of [primitiveTag(1), primitiveTag(2)]) if (reader.skipOptional(tag)) readUnusedBits(reader);
}

function readOptionalExtensions(reader: DerReader): ReadonlyMap<Oid, Extension> {
  if (!reader.skipOptional(constructedTag(3))) return NO_EXTENSIONS;
  const inner = reader.inner();
  const extensions = readExtensions(inner);
  inner.finish();
  return extensions;
}
