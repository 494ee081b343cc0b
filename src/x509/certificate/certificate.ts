import type { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { type Oid, oidFromBytes, oidFromDotted } from '../asn1/oid.ts';
import { AttributeType } from './attribute.ts';
import { type Extension, textOfExtension } from './extensions.ts';
import type { GeneralName, OtherName } from './general-name.ts';
import { ipToString } from './ip-address.ts';
import type { KnownExtensions } from './known-extensions.ts';
import type { Name } from './name.ts';
import { type CertificateParts, readCertificate } from './parse.ts';
import type { PublicKey } from './public-key.ts';
import type { Signed } from './signature.ts';

/**
 * An immutable X.509 certificate (RFC 5280 §4), parsed strictly. Parsing is no statement about trust: see `validPaths`.
 */
export class Certificate {
  readonly #parts: CertificateParts;
  #fingerprint: string | undefined;

  private constructor(parts: CertificateParts) {
    this.#parts = parts;
  }

  /**
   * Parses one certificate of at most 64 KiB, and keeps a copy of its bytes.
   * @throws ParseError with the name of the field
   */
  static parse(der: Uint8Array): Certificate {
    return new Certificate(readCertificate(der));
  }

  get der(): Buffer {
    return this.#parts.der;
  }

  get version(): 1 | 2 | 3 {
    return this.#parts.version;
  }

  /** Content of the serial number: two's complement, of any size. Two serial numbers are equal if their bytes are. */
  get serialBytes(): Buffer {
    return this.#parts.serialBytes;
  }

  /** Serial number, of any size and sign. `String(…)` formats it in decimal. */
  get serialNumber(): bigint {
    const bytes = this.serialBytes;
    return BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex')}`));
  }

  /** Bytes of the serial number in lower-case hex, two digits a byte. */
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

  /** Signed content, algorithm and signature. */
  get signed(): Signed {
    return this.#parts.signed;
  }

  /** Extensions by `Oid`; `extension` finds one by other forms of its identifier. */
  get extensions(): ReadonlyMap<Oid, Extension> {
    return this.#parts.extensions;
  }

  /** Decoded values of the extensions that validation uses. */
  get known(): KnownExtensions {
    return this.#parts.known;
  }

  /** Returns an extension by its identifier, dotted (`2.5.29.17`) or as the content bytes of the OBJECT IDENTIFIER. */
  extension(oid: string | Uint8Array): Extension | undefined {
    return this.extensions.get(typeof oid === 'string' ? oidFromDotted(oid) : oidFromBytes(oid));
  }

  /**
   * Returns an extension's value as one ASN.1 string: `''` if it is not a string, undefined if there is no such
   * extension.
   */
  extensionText(oid: string | Uint8Array): string | undefined {
    const extension = this.extension(oid);
    return extension === undefined ? undefined : textOfExtension(extension);
  }

  /** SHA-256 of the whole certificate, in hex. */
  get fingerprint(): string {
    this.#fingerprint ??= hash('sha256', this.der, 'hex');
    return this.#fingerprint;
  }

  /** Returns whether both have the same bytes. */
  equals(other: Certificate): boolean {
    return this === other || this.der.equals(other.der);
  }

  /** Whether the certificate declares itself a CA. */
  get isCa(): boolean {
    return this.known.basicConstraints?.isCa === true;
  }

  /** Whether subject and issuer are the same name (RFC 5280 §3.2), regardless of keys. */
  get isSelfIssued(): boolean {
    return this.subject.der.equals(this.issuer.der) || this.subject.key === this.issuer.key;
  }

  /** Returns the last common name of the subject. */
  get commonName(): string | undefined {
    return this.subject.commonName;
  }

  /** Organizations in the order of the subject. */
  get organizations(): string[] {
    return this.subject.values(AttributeType.organization);
  }

  /** Organizational units in the order of the subject. */
  get organizationalUnits(): string[] {
    return this.subject.values(AttributeType.organizationalUnit);
  }

  /** All alternative names of any type, in order. */
  get alternativeNames(): readonly GeneralName[] {
    return this.known.subjectAltName ?? [];
  }

  /** DNS names of the alternative names; a common name is not included. */
  get dnsNames(): string[] {
    return this.alternativeNames.flatMap((name) => (name.type === 'dns' ? [name.value] : []));
  }

  /** Email addresses of the alternative names; those in the subject are not included. */
  get emailAddresses(): string[] {
    return this.alternativeNames.flatMap((name) => (name.type === 'email' ? [name.value] : []));
  }

  get uris(): string[] {
    return this.alternativeNames.flatMap((name) => (name.type === 'uri' ? [name.value] : []));
  }

  /** Names whose type is an OID, such as the user principal name. `textOfDer` decodes a value that is a string. */
  get otherNames(): OtherName[] {
    return this.alternativeNames.flatMap((name) => (name.type === 'otherName' ? [name.value] : []));
  }

  /** IP addresses of 4 or 16 bytes. */
  get ipBytes(): Buffer[] {
    return this.alternativeNames.flatMap((name) => (name.type === 'ip' ? [name.value] : []));
  }

  /** IP addresses such as `10.0.0.1` and `2001:db8::1`. */
  get ipAddresses(): string[] {
    return this.alternativeNames.flatMap((name) => (name.type === 'ip' ? [ipToString(name.value)] : []));
  }

  /** Subject key identifier, in hex. */
  get subjectKeyId(): string | undefined {
    return this.known.subjectKeyIdentifier;
  }

  /** Key identifier of the issuer, in hex. */
  get authorityKeyId(): string | undefined {
    return this.known.authorityKeyIdentifier;
  }
}
