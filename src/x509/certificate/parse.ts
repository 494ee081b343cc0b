import { Buffer } from 'node:buffer';
import type { Oid } from '../asn1/oid.ts';
import { constructedTag, DerReader, primitiveTag, Tag } from '../asn1/reader.ts';
import { readCount, readInteger, readTime, readUnusedBits } from '../asn1/values.ts';
import { ParseError } from '../parse-error.ts';
import { readAlgorithm } from './algorithm.ts';
import { type Extension, readExtensions } from './extensions.ts';
import { decodeKnownExtensions, type KnownExtensions } from './known-extensions.ts';
import { Name } from './name.ts';
import { PublicKey } from './public-key.ts';
import { readSignature, type Signed } from './signature.ts';

/**
 * Of one certificate. TLS itself carries no more than 100 kB of certificates.
 * @limit a certificate, bytes -> it cannot be read
 */
const MAX_CERTIFICATE_BYTES = 65_536;

/** The fields of a certificate, as `Certificate` explains them. */
export interface CertificateParts extends Body {
  readonly der: Buffer;
  readonly signed: Signed;
}

/** TBSCertificate (RFC 5280 §4.1) */
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

/** Reads the whole of `bytes` as one certificate, in one pass over a copy. */
export function readCertificate(bytes: Uint8Array): CertificateParts {
  if (bytes.length > MAX_CERTIFICATE_BYTES)
    throw new ParseError(`certificate of more than ${MAX_CERTIFICATE_BYTES} bytes`);
  const der = Buffer.from(bytes);
  const reader = DerReader.inside(der, Tag.sequence);
  reader.expect(Tag.sequence);
  const content = reader.element;
  const inner = reader.inner();
  const signed = readSignature(reader, content);
  return { der, signed, ...readBody(inner, signed) };
}

function readBody(reader: DerReader, signed: Signed): Body {
  const version = readVersion(reader);
  const serialBytes = readInteger(reader);
  if (!readAlgorithm(reader).der.equals(signed.algorithm.der)) {
    throw new ParseError('the signature algorithm inside is not the one beside the signature');
  }
  const issuer = Name.read(reader);
  const validity = reader.enter(Tag.sequence);
  const notBefore = readTime(validity);
  const notAfter = readTime(validity);
  validity.finish();
  const subject = Name.read(reader);
  const publicKey = PublicKey.read(reader);
  if (version > 1) skipUniqueIdentifiers(reader);
  const extensions = version === 3 ? readOptionalExtensions(reader) : NO_EXTENSIONS;
  reader.finish();
  const known = decodeKnownExtensions(extensions);
  return { version, serialBytes, issuer, notBefore, notAfter, subject, publicKey, extensions, known };
}

const NO_EXTENSIONS: ReadonlyMap<Oid, Extension> = new Map();

function readVersion(reader: DerReader): 1 | 2 | 3 {
  if (!reader.skipOptional(constructedTag(0))) return 1;
  const inner = reader.inner();
  const version = readCount(inner) + 1;
  inner.finish();
  // Version 1 is the default, which DER leaves out.
  if (version !== 2 && version !== 3) throw new ParseError('unknown certificate version');
  return version;
}

/** issuerUniqueID and subjectUniqueID: BIT STRINGs, allowed and without any use. */
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
