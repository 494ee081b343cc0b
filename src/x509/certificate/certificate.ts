import type { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { type Oid, oidFromBytes, oidFromDotted } from '../asn1/oid.ts';
import { AttributeType } from './attribute.ts';
import { type Extension, textOfExtension } from './extensions.ts';
import type { GeneralName } from './general-name.ts';
import { ipToString } from './ip-address.ts';
import type { KnownExtensions } from './known-extensions.ts';
import type { Name } from './name.ts';
import { type CertificateParts, readCertificate } from './parse.ts';
import type { PublicKey } from './public-key.ts';
import type { Signed } from './signature.ts';

/**
 * An X.509 certificate (RFC 5280 §4), read strictly and never changed. That it could be read says nothing about whether it
 * is to be trusted: see `validPaths`.
 */
export class Certificate {
  readonly #parts: CertificateParts;
  #fingerprint: string | undefined;

  private constructor(parts: CertificateParts) {
    this.#parts = parts;
  }

  /** Reads one certificate of at most 64 KiB, of which it keeps a copy. Throws a `ParseError` that names the field. */
  static parse(der: Uint8Array): Certificate {
    return new Certificate(readCertificate(der));
  }

  get der(): Buffer {
    return this.#parts.der;
  }

  get version(): 1 | 2 | 3 {
    return this.#parts.version;
  }

  /** The content of the serial number: two's complement, of any size. Two serial numbers are the same when their bytes are. */
  get serialBytes(): Buffer {
    return this.#parts.serialBytes;
  }

  /** Any size, either sign. `String(…)` prints it in decimal. */
  get serialNumber(): bigint {
    const bytes = this.serialBytes;
    return BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex')}`));
  }

  /** The bytes of the serial number, lower case, two digits a byte. */
  get serialHex(): string {
    return this.serialBytes.toString('hex');
  }

  get issuer(): Name {
    return this.#parts.issuer;
  }

  get subject(): Name {
    return this.#parts.subject;
  }

  /** First and last instant of validity, both included, in milliseconds since 1970 (whole seconds). */
  get notBefore(): number {
    return this.#parts.notBefore;
  }

  get notAfter(): number {
    return this.#parts.notAfter;
  }

  get publicKey(): PublicKey {
    return this.#parts.publicKey;
  }

  /** What the issuer signed, and how. */
  get signed(): Signed {
    return this.#parts.signed;
  }

  /** By `Oid`; see `extension` for a look-up in other forms. */
  get extensions(): ReadonlyMap<Oid, Extension> {
    return this.#parts.extensions;
  }

  /** The decoded values of the extensions that validation reads. */
  get known(): KnownExtensions {
    return this.#parts.known;
  }

  /** An extension by its identifier, dotted (`2.5.29.17`) or as the content bytes of the OBJECT IDENTIFIER. */
  extension(oid: string | Uint8Array): Extension | undefined {
    return this.extensions.get(typeof oid === 'string' ? oidFromDotted(oid) : oidFromBytes(oid));
  }

  /** An extension's value as one ASN.1 string: `''` when it is no string, undefined when there is no such extension. */
  extensionText(oid: string | Uint8Array): string | undefined {
    const extension = this.extension(oid);
    return extension === undefined ? undefined : textOfExtension(extension);
  }

  /** SHA-256 of the whole certificate, in hex. */
  get fingerprint(): string {
    this.#fingerprint ??= hash('sha256', this.der, 'hex');
    return this.#fingerprint;
  }

  /** True when both are the same bytes. */
  equals(other: Certificate): boolean {
    return this === other || this.der.equals(other.der);
  }

  /** True for a certificate that says that it is an authority. */
  get isCa(): boolean {
    return this.known.basicConstraints?.isCa === true;
  }

  /** Subject and issuer are the same name (RFC 5280 §3.2); says nothing about keys. */
  get isSelfIssued(): boolean {
    return this.subject.der.equals(this.issuer.der) || this.subject.key === this.issuer.key;
  }

  /** The last common name of the subject. */
  get commonName(): string | undefined {
    return this.subject.commonName;
  }

  /** In the order of the subject. */
  get organizations(): string[] {
    return this.subject.values(AttributeType.organization);
  }

  /** In the order of the subject. */
  get organizationalUnits(): string[] {
    return this.subject.values(AttributeType.organizationalUnit);
  }

  /** Every alternative name of whatever type, in order. */
  get alternativeNames(): readonly GeneralName[] {
    return this.known.subjectAltName ?? [];
  }

  /** Alternative names only: a common name is not among them. */
  get dnsNames(): string[] {
    return this.alternativeNames.flatMap((name) => (name.type === 'dns' ? [name.value] : []));
  }

  /** Alternative names only: addresses in the subject are not among them. */
  get emailAddresses(): string[] {
    return this.alternativeNames.flatMap((name) => (name.type === 'email' ? [name.value] : []));
  }

  get uris(): string[] {
    return this.alternativeNames.flatMap((name) => (name.type === 'uri' ? [name.value] : []));
  }

  /** `10.0.0.1`, `2001:db8::1` */
  get ipAddresses(): string[] {
    return this.alternativeNames.flatMap((name) => (name.type === 'ip' ? [ipToString(name.value)] : []));
  }

  /** In hex. */
  get subjectKeyId(): string | undefined {
    return this.known.subjectKeyIdentifier;
  }

  /** The key identifier of the issuer, in hex. */
  get authorityKeyId(): string | undefined {
    return this.known.authorityKeyIdentifier;
  }
}
