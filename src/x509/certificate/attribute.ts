import { type Oid, oidFromDotted } from '../asn1/oid.ts';

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
