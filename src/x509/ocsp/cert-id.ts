import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { oidFromDotted } from '../asn1/oid.ts';
import { type DerReader, Tag } from '../asn1/reader.ts';
import { readInteger } from '../asn1/values.ts';
import { type Algorithm, isNull, readAlgorithm } from '../certificate/algorithm.ts';
import type { Certificate } from '../certificate/certificate.ts';
import { element } from './encode.ts';

/** Identifies a certificate (RFC 6960 §4.1.1) by the hashes of its issuer's name and key, and its serial number. */
export interface CertId {
  readonly algorithm: Algorithm;
  readonly issuerNameHash: Buffer;
  readonly issuerKeyHash: Buffer;
  readonly serialBytes: Buffer;
}

const SHA1 = oidFromDotted('1.3.14.3.2.26');
/** DER of `{ sha1, NULL }`. */
const SHA1_ALGORITHM = element(Tag.sequence, element(Tag.oid, Buffer.from(SHA1, 'hex')), element(Tag.null));

/** Reads one CertID. */
export function readCertId(reader: DerReader): CertId {
  const inner = reader.enter(Tag.sequence);
  const algorithm = readAlgorithm(inner);
  inner.expect(Tag.octetString);
  const issuerNameHash = inner.content;
  inner.expect(Tag.octetString);
  const issuerKeyHash = inner.content;
  const serialBytes = readInteger(inner);
  inner.finish();
  return { algorithm, issuerNameHash, issuerKeyHash, serialBytes };
}

/**
 * Returns the DER of a CertID with SHA-1, the only hash that every responder supports (RFC 5019 §2.1.1). The hash only
 * identifies, so SHA-1 is safe here.
 */
export function encodeCertId(certificate: Certificate, issuer: Certificate): Buffer {
  return element(
    Tag.sequence,
    SHA1_ALGORITHM,
    element(Tag.octetString, issuerNameHash(certificate)),
    element(Tag.octetString, keyHash(issuer)),
    element(Tag.integer, certificate.serialBytes),
  );
}

/** Returns whether all four parts are those that `encodeCertId` writes. */
export function identifies(id: CertId, certificate: Certificate, issuer: Certificate): boolean {
  const { oid, parameters } = id.algorithm;
  return (
    oid === SHA1 &&
    (parameters === undefined || isNull(parameters)) &&
    id.serialBytes.equals(certificate.serialBytes) &&
    id.issuerNameHash.equals(issuerNameHash(certificate)) &&
    id.issuerKeyHash.equals(keyHash(issuer))
  );
}

/** Returns the SHA-1 of the public key itself, without its algorithm (RFC 6960 §4.2.1, KeyHash). */
export function keyHash({ publicKey }: Certificate): Buffer {
  return hash('sha1', publicKey.bytes, 'buffer');
}

/** Hashes the name as the certificate encodes it; its issuer may encode the same name differently. */
function issuerNameHash({ issuer }: Certificate): Buffer {
  return hash('sha1', issuer.der, 'buffer');
}
