import { dottedFromOid, type Oid, oidFromDotted, oidOf } from '../asn1/oid.ts';

/** One type and value of a distinguished name. */
export interface Attribute {
  readonly type: Oid;
  /** The value as text; undefined if it is not a string. */
  readonly text: string | undefined;
  /** DER of the value in hex; set only if it is not a string. */
  readonly hex: string;
}

/** Attribute types that the code uses. */
export const AttributeType = {
  commonName: oidFromDotted('2.5.4.3'),
  organization: oidFromDotted('2.5.4.10'),
  organizationalUnit: oidFromDotted('2.5.4.11'),
  emailAddress: oidFromDotted('1.2.840.113549.1.9.1'),
} as const;

/** Short names of RFC 4514 §3, and some other registered ones that are common in subjects. */
export const SHORT_NAMES: ReadonlyMap<Oid, string> = new Map([
  [AttributeType.commonName, 'CN'],
  [oidFromDotted('2.5.4.4'), 'SN'],
  [oidFromDotted('2.5.4.5'), 'serialNumber'],
  [oidFromDotted('2.5.4.6'), 'C'],
  [oidFromDotted('2.5.4.7'), 'L'],
  [oidFromDotted('2.5.4.8'), 'ST'],
  [oidFromDotted('2.5.4.9'), 'STREET'],
  [AttributeType.organization, 'O'],
  [AttributeType.organizationalUnit, 'OU'],
  [oidFromDotted('2.5.4.12'), 'title'],
  [oidFromDotted('2.5.4.42'), 'givenName'],
  [oidFromDotted('0.9.2342.19200300.100.1.1'), 'UID'],
  [oidFromDotted('0.9.2342.19200300.100.1.25'), 'DC'],
  [AttributeType.emailAddress, 'emailAddress'],
]);

/** Other names of attribute types, as OpenSSL, Go and RFC 4519 write them. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  commonName: '2.5.4.3',
  surname: '2.5.4.4',
  countryName: '2.5.4.6',
  country: '2.5.4.6',
  localityName: '2.5.4.7',
  locality: '2.5.4.7',
  stateOrProvinceName: '2.5.4.8',
  province: '2.5.4.8',
  S: '2.5.4.8',
  streetAddress: '2.5.4.9',
  organizationName: '2.5.4.10',
  organization: '2.5.4.10',
  organizationalUnitName: '2.5.4.11',
  organizationalUnit: '2.5.4.11',
  businessCategory: '2.5.4.15',
  postalCode: '2.5.4.17',
  GN: '2.5.4.42',
  initials: '2.5.4.43',
  generationQualifier: '2.5.4.44',
  dnQualifier: '2.5.4.46',
  pseudonym: '2.5.4.65',
  organizationIdentifier: '2.5.4.97',
  userId: '0.9.2342.19200300.100.1.1',
  domainComponent: '0.9.2342.19200300.100.1.25',
  E: '1.2.840.113549.1.9.1',
};

const BY_NAME: ReadonlyMap<string, Oid> = new Map([
  ...[...SHORT_NAMES].map(([type, name]) => [name.toLowerCase(), type] as const),
  ...Object.entries(OTHER_NAMES).map(([name, dotted]) => [name.toLowerCase(), oidFromDotted(dotted)] as const),
]);

/** Returns the attribute type of a name (`UID`, `organizationName`, in any case) or a dotted OID. */
export function attributeTypeOf(text: string): Oid | undefined {
  return BY_NAME.get(text.toLowerCase()) ?? oidOf(text);
}

/** Returns the short name of an attribute type, or its dotted OID. */
export const attributeName = (type: Oid): string => SHORT_NAMES.get(type) ?? dottedFromOid(type);
