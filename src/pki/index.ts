/**
 * Creates certificates for the demo and for tests: CAs, certificates that they sign, and CRLs. Everything is
 * synchronous and valid by default (P-256, valid from an hour ago for a day, the usual extensions); each option changes
 * one property.
 *
 *     const root = createRoot();
 *     const intermediate = root.issueAuthority({ subject: 'Intermediate', pathLength: 0 });
 *     const client = intermediate.issue({ subject: 'device-1', dns: ['device-1.example.com'] });
 *     const server = root.issue({ subject: 'localhost', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });
 *     tls.connect({ cert: client.pem + intermediate.pem, key: client.keyPem, ca: root.pem });
 *     const crl = root.crl({ revoked: [client.serial] });
 */
import { createHash, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import * as der from './der.ts';
import { generateKey, type Hash, type KeyType, sign, signatureAlgorithm } from './keys.ts';
import { generalNames, type NameInput, nameDer } from './names.ts';

export { generateKey, type Hash, type KeyType } from './keys.ts';
export {
  directoryName,
  dnsName,
  emailName,
  ipName,
  type NameInput,
  nameDer,
  otherName,
  registeredId,
  uriName,
} from './names.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Dotted forms of the OIDs that tests use most. */
export const OID = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  crlNumber: '2.5.29.20',
  nameConstraints: '2.5.29.30',
  certificatePolicies: '2.5.29.32',
  policyMappings: '2.5.29.33',
  authorityKeyIdentifier: '2.5.29.35',
  policyConstraints: '2.5.29.36',
  extendedKeyUsage: '2.5.29.37',
  inhibitAnyPolicy: '2.5.29.54',
  anyPolicy: '2.5.29.32.0',
} as const;

const KEY_PURPOSES: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
};

/** Key usages in the order of their bits (RFC 5280 §4.2.1.3). */
const KEY_USAGES = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
] as const;
export type KeyUsageName = (typeof KEY_USAGES)[number];

export interface ExtensionInput {
  /** OID in dotted form. */
  readonly oid: string;
  readonly critical?: boolean;
  /** DER of the value, without the OCTET STRING around it. */
  readonly value: Uint8Array;
}

export interface CertificateOptions {
  /** A string is the common name; default `test`. */
  readonly subject?: NameInput;
  /** Type of the key to generate, or an existing private key. Default P-256. */
  readonly key?: KeyType | KeyObject;
  /** Default: 16 random bytes. */
  readonly serial?: bigint;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  readonly dns?: readonly string[];
  readonly emails?: readonly string[];
  readonly uris?: readonly string[];
  /** IPv4 addresses in dotted form, or IPv6 addresses. */
  readonly ips?: readonly string[];
  /** Further subject alternative names, each the DER of one GeneralName (`otherName(…)`, `directoryName(…)`). */
  readonly otherNames?: readonly Uint8Array[];
  /** `[]` omits the extension. Default: digitalSignature; for a CA keyCertSign and cRLSign. */
  readonly keyUsage?: readonly KeyUsageName[];
  /**
   * `clientAuth`, `serverAuth`, `ocspSigning`, `any` or dotted; `[]` omits the extension. Default: clientAuth; none for
   * a CA.
   */
  readonly extendedKeyUsage?: readonly string[];
  /** Extensions that are added last; one with the OID of a default extension replaces it. */
  readonly extensions?: readonly ExtensionInput[];
  /** OIDs of default extensions to omit. */
  readonly without?: readonly string[];
  /** Hash of the issuer's signature. Default: one that suits the issuer's key. */
  readonly hash?: Hash;
  /** RSA issuers only: RSASSA-PSS instead of PKCS#1 v1.5. */
  readonly pss?: boolean;
  /** Default 3. Versions 1 and 2 have no extensions. */
  readonly version?: 1 | 2 | 3;
  /** DER that replaces the correct encoding. */
  readonly replace?: {
    readonly version?: Uint8Array;
    readonly serial?: Uint8Array;
    readonly validity?: Uint8Array;
    /** Unique identifiers and extensions, each with its tag. */
    readonly afterKey?: readonly Uint8Array[];
    readonly subjectPublicKeyInfo?: Uint8Array;
    /** Signature algorithm in the signed part. */
    readonly innerAlgorithm?: Uint8Array;
    /** Signature algorithm beside the signature. */
    readonly outerAlgorithm?: Uint8Array;
    readonly signature?: Uint8Array;
  };
}

export interface AuthorityOptions extends CertificateOptions {
  readonly pathLength?: number;
  /** Name constraints, each the DER of one GeneralName (`dnsName('example.com')`). */
  readonly permitted?: readonly Uint8Array[];
  readonly excluded?: readonly Uint8Array[];
}

/** A certificate and its private key. */
export interface Minted {
  readonly der: Buffer;
  readonly pem: string;
  readonly privateKey: KeyObject;
  /** Private key in PKCS#8. */
  readonly keyPem: string;
  readonly keyDer: Buffer;
  readonly serial: bigint;
  /** DER of the subject. */
  readonly subject: Buffer;
}

export interface CrlOptions {
  readonly revoked?: readonly (
    | bigint
    /** `extensions: []` writes an empty list. */
    | { readonly serial: bigint; readonly date?: Date; readonly extensions?: readonly ExtensionInput[] }
  )[];
  readonly thisUpdate?: Date;
  /** `null` omits the field. Default: a day from now. */
  readonly nextUpdate?: Date | null;
  /** Default 1; `null` omits the field. */
  readonly number?: bigint | null;
  readonly extensions?: readonly ExtensionInput[];
  readonly hash?: Hash;
}

interface Issuer {
  readonly subject: Buffer;
  readonly privateKey: KeyObject;
}

function publicKeyInfo(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' });
}

/** Returns the SHA-1 of the whole public key structure, which is used only as an identifier. */
function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1').update(publicKeyInfo(key)).digest();
}

function extensionDer(extension: ExtensionInput): Buffer {
  const critical = extension.critical ? [der.boolean(true)] : [];
  return der.sequence(der.oid(extension.oid), ...critical, der.octetString(extension.value));
}

function authorityKeyIdentifier(issuer: Issuer): ExtensionInput {
  const value = der.sequence(der.primitive(0, keyIdentifier(issuer.privateKey)));
  return { oid: OID.authorityKeyIdentifier, value };
}

function usageExtensions(keyUsage: readonly KeyUsageName[], purposes: readonly string[]): ExtensionInput[] {
  const extensions: ExtensionInput[] = [];
  if (keyUsage.length > 0) {
    const value = der.namedBits(keyUsage.map((usage) => KEY_USAGES.indexOf(usage)));
    extensions.push({ oid: OID.keyUsage, critical: true, value });
  }
  if (purposes.length > 0) {
    const value = der.sequence(...purposes.map((purpose) => der.oid(KEY_PURPOSES[purpose] ?? purpose)));
    extensions.push({ oid: OID.extendedKeyUsage, value });
  }
  return extensions;
}

function subjectAltName(options: CertificateOptions): ExtensionInput[] {
  const names = generalNames(options);
  return names.length === 0 ? [] : [{ oid: OID.subjectAltName, value: der.sequence(...names) }];
}

function authorityExtensions(options: AuthorityOptions): ExtensionInput[] {
  const pathLength = options.pathLength === undefined ? [] : [der.integer(options.pathLength)];
  const value = der.sequence(der.boolean(true), ...pathLength);
  return [{ oid: OID.basicConstraints, critical: true, value }, ...nameConstraints(options)];
}

function nameConstraints({ permitted = [], excluded = [] }: AuthorityOptions): ExtensionInput[] {
  const subtrees = (number: number, names: readonly Uint8Array[]) =>
    names.length === 0 ? [] : [der.constructed(number, ...names.map((name) => der.sequence(name)))];
  const content = [...subtrees(0, permitted), ...subtrees(1, excluded)];
  return content.length === 0 ? [] : [{ oid: OID.nameConstraints, critical: true, value: der.sequence(...content) }];
}

/** Returns the defaults without the omitted and replaced ones, followed by those of the caller. */
function mergeExtensions(defaults: readonly ExtensionInput[], options: CertificateOptions): ExtensionInput[] {
  const own = options.extensions ?? [];
  const dropped = new Set([...(options.without ?? []), ...own.map((extension) => extension.oid)]);
  return [...defaults.filter((extension) => !dropped.has(extension.oid)), ...own];
}

function privateKeyOf(key: KeyType | KeyObject | undefined): KeyObject {
  return typeof key === 'object' ? key : generateKey(key);
}

/** Creates a certificate; self-signed if `issuer` is undefined. */
function mint(options: CertificateOptions, special: readonly ExtensionInput[], issuer?: Issuer): Minted {
  const privateKey = privateKeyOf(options.key);
  const subject = nameDer(options.subject ?? 'test');
  const signer = issuer ?? { subject, privateKey };
  const serial = options.serial ?? BigInt(`0x4${randomBytes(16).toString('hex')}`);
  const algorithm = signatureAlgorithm(signer.privateKey, options);
  const defaults = [
    ...special,
    ...usageExtensions(options.keyUsage ?? [], options.extendedKeyUsage ?? []),
    ...subjectAltName(options),
    { oid: OID.subjectKeyIdentifier, value: der.octetString(keyIdentifier(privateKey)) },
    ...(issuer === undefined ? [] : [authorityKeyIdentifier(issuer)]),
  ];
  const version = options.version ?? 3;
  const extensions = version < 3 ? [] : mergeExtensions(defaults, options).map(extensionDer);
  const { replace = {} } = options;
  const defaultVersion = version === 1 ? [] : [der.constructed(0, der.integer(version - 1))];
  const tbs = der.sequence(
    ...(replace.version ? [replace.version] : defaultVersion),
    replace.serial ?? der.integer(serial),
    replace.innerAlgorithm ?? algorithm,
    signer.subject,
    replace.validity ??
      der.sequence(
        der.time(options.notBefore ?? new Date(Date.now() - HOUR)),
        der.time(options.notAfter ?? new Date(Date.now() + DAY)),
      ),
    subject,
    replace.subjectPublicKeyInfo ?? publicKeyInfo(privateKey),
    ...(replace.afterKey ?? (extensions.length === 0 ? [] : [der.constructed(3, der.sequence(...extensions))])),
  );
  const signature = replace.signature ?? sign(tbs, signer.privateKey, options);
  const certificate = der.sequence(tbs, replace.outerAlgorithm ?? algorithm, der.bitString(signature));
  return minted(certificate, privateKey, serial, subject);
}

function minted(certificate: Buffer, privateKey: KeyObject, serial: bigint, subject: Buffer): Minted {
  return {
    der: certificate,
    pem: der.pem('CERTIFICATE', certificate),
    privateKey,
    keyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    keyDer: privateKey.export({ format: 'der', type: 'pkcs8' }),
    serial,
    subject,
  };
}

const leafDefaults: CertificateOptions = { keyUsage: ['digitalSignature'], extendedKeyUsage: ['clientAuth'] };
const authorityDefaults: CertificateOptions = { keyUsage: ['keyCertSign', 'cRLSign'] };

/** Creates a self-signed CA. Default subject `Test Root`. */
export function createRoot(options: AuthorityOptions = {}): Authority {
  const complete = { ...authorityDefaults, subject: 'Test Root', ...options };
  return new Authority(mint(complete, authorityExtensions(complete)));
}

/** Creates a self-signed certificate that is not a CA: a pinned leaf. */
export function selfSigned(options: CertificateOptions = {}): Minted {
  return mint({ ...leafDefaults, ...options }, []);
}

/** A certificate authority. Its own certificate has the same properties as any other. */
export class Authority implements Minted {
  readonly der: Buffer;
  readonly pem: string;
  readonly privateKey: KeyObject;
  readonly keyPem: string;
  readonly keyDer: Buffer;
  readonly serial: bigint;
  readonly subject: Buffer;

  constructor(own: Minted) {
    this.der = own.der;
    this.pem = own.pem;
    this.privateKey = own.privateKey;
    this.keyPem = own.keyPem;
    this.keyDer = own.keyDer;
    this.serial = own.serial;
    this.subject = own.subject;
  }

  /** Issues a certificate for a client or server. */
  issue(options: CertificateOptions = {}): Minted {
    return mint({ ...leafDefaults, ...options }, [], this);
  }

  /** Issues the certificate of a CA below this one. Default subject `Test Intermediate`. */
  issueAuthority(options: AuthorityOptions = {}): Authority {
    const complete = { ...authorityDefaults, subject: 'Test Intermediate', ...options };
    return new Authority(mint(complete, authorityExtensions(complete), this));
  }

  /** Cross-signs another CA's subject and key, which gives that CA a second chain. */
  crossSign(other: Authority, options: AuthorityOptions = {}): Authority {
    return this.issueAuthority({ subject: other.subject, key: other.privateKey, ...options });
  }

  /** Issues a CRL of this CA. */
  crl(options: CrlOptions = {}): { readonly der: Buffer; readonly pem: string } {
    const now = Date.now();
    const algorithm = signatureAlgorithm(this.privateKey, options);
    const number = options.number === null ? [] : [{ oid: OID.crlNumber, value: der.integer(options.number ?? 1n) }];
    const extensions = [authorityKeyIdentifier(this), ...number, ...(options.extensions ?? [])];
    const tbs = der.sequence(
      der.integer(1),
      algorithm,
      this.subject,
      der.time(options.thisUpdate ?? new Date(now - HOUR)),
      ...(options.nextUpdate === null ? [] : [der.time(options.nextUpdate ?? new Date(now + DAY))]),
      ...revokedList(options.revoked ?? []),
      der.constructed(0, der.sequence(...extensions.map(extensionDer))),
    );
    const list = der.sequence(tbs, algorithm, der.bitString(sign(tbs, this.privateKey, options)));
    return { der: list, pem: der.pem('X509 CRL', list) };
  }
}

function revokedList(revoked: NonNullable<CrlOptions['revoked']>): Buffer[] {
  if (revoked.length === 0) return [];
  const entries = revoked.map((item) => {
    const entry = typeof item === 'bigint' ? { serial: item } : item;
    return der.sequence(
      der.integer(entry.serial),
      der.time(entry.date ?? new Date(Date.now() - HOUR)),
      ...(entry.extensions ? [der.sequence(...entry.extensions.map(extensionDer))] : []),
    );
  });
  // One argument instead of a spread, because there may be a million entries.
  return [der.tlv(0x30, Buffer.concat(entries))];
}
