import { memoizeByObject } from '../../../lib/memoize-by-object.ts';
import {
  type Certificate,
  dottedFromOid,
  type Oid,
  type OtherName,
  oidFromDotted,
  oidOf,
  textOfDer,
} from '../../../x509/index.ts';

/** User principal name of Active Directory. */
export const UPN: Oid = oidFromDotted('1.3.6.1.4.1.311.20.2.3');

/** Returns the type of an otherName: `UPN` in any case, or a dotted OID. */
export const otherTypeOf = (text: string): Oid | undefined => (text.toUpperCase() === 'UPN' ? UPN : oidOf(text));

export const otherTypeName = (type: Oid): string => (type === UPN ? 'UPN' : dottedFromOid(type));

/** Names of a certificate by type. Cached with the certificate, because a role may constrain thousands of types. */
const byType: (leaf: Certificate) => ReadonlyMap<Oid, readonly OtherName[]> = memoizeByObject((leaf: Certificate) =>
  Map.groupBy(leaf.otherNames, ({ typeId }) => typeId),
);

const ofType = (leaf: Certificate, type: Oid): readonly OtherName[] => byType(leaf).get(type) ?? [];

/** Returns the values of a type that are ASN.1 strings. Values of other types are left out. */
export const otherTexts = (leaf: Certificate, type: Oid): readonly string[] =>
  ofType(leaf, type)
    .map(({ der }) => textOfDer(der))
    .filter((text) => text !== '');

/** Returns the values of a type as their whole DER, in lower-case hex. */
export const otherHex = (leaf: Certificate, type: Oid): readonly string[] =>
  ofType(leaf, type).map(({ der }) => der.toString('hex'));

/** @limit a name of another type in an explanation of a login, bytes -> it is cut */
const SHOWN_BYTES = 128;

/** Formats a name as a role constrains it: `UPN:a@example.com`, or `hex:1.2.3:0500` if it is not a string. */
export function otherNameText({ typeId, der }: OtherName): string {
  const text = textOfDer(der);
  if (text !== '') return `${otherTypeName(typeId)}:${text}`;
  const cut = der.length > SHOWN_BYTES ? '…' : '';
  return `hex:${otherTypeName(typeId)}:${der.subarray(0, SHOWN_BYTES).toString('hex')}${cut}`;
}
