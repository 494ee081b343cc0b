import type { Buffer } from 'node:buffer';
import { readItems } from '../asn1/list.ts';
import { dottedFromOid, type Oid, oidInContent, readOid } from '../asn1/oid.ts';
import { constructedTag, DerReader, primitiveTag, Tag } from '../asn1/reader.ts';
import { ParseError } from '../parse-error.ts';
import { ipToString } from './ip-address.ts';
import { Name } from './name.ts';

/**
 * Maximum number of names in one extension.
 * @limit names in one extension, names -> the certificate cannot be read
 */
const MAX_NAMES = 2048;

/** A GeneralName (RFC 5280 §4.2.1.6). */
export type GeneralName =
  | { readonly type: 'otherName'; readonly value: OtherName }
  | { readonly type: 'email'; readonly value: string }
  | { readonly type: 'dns'; readonly value: string }
  /** DER. */
  | { readonly type: 'x400Address'; readonly value: Buffer }
  | { readonly type: 'directoryName'; readonly value: Name }
  /** DER. */
  | { readonly type: 'ediPartyName'; readonly value: Buffer }
  | { readonly type: 'uri'; readonly value: string }
  /** IP address, 4 or 16 bytes; in a name constraint twice as many: address and mask. */
  | { readonly type: 'ip'; readonly value: Buffer }
  | { readonly type: 'registeredId'; readonly value: Oid };

export type GeneralNameType = GeneralName['type'];

/** A value whose type has the OID `typeId`. */
export interface OtherName {
  readonly typeId: Oid;
  readonly der: Buffer;
}

/**
 * Reads a GeneralNames value. It may be empty: OpenSSL's `subjectAltName = email:copy` writes an empty one if there is
 * nothing to copy.
 */
export function readGeneralNames(value: Buffer): GeneralName[] {
  const list = DerReader.inside(value, Tag.sequence);
  return readItems(list, { items: 'names', most: MAX_NAMES, mayBeEmpty: true }, () => {
    const name = readGeneralName(list);
    if (name.type === 'ip' && name.value.length !== 4 && name.value.length !== 16) {
      throw new ParseError(`IP address of ${name.value.length} bytes`);
    }
    return name;
  });
}

/** Reads one GeneralName. The caller checks the length of an IP address. */
export function readGeneralName(reader: DerReader): GeneralName {
  const tag = reader.next();
  switch (tag) {
    case constructedTag(0):
      return { type: 'otherName', value: readOtherName(reader.inner()) };
    case primitiveTag(1):
      return { type: 'email', value: ia5Text(reader) };
    case primitiveTag(2):
      return { type: 'dns', value: ia5Text(reader) };
    case constructedTag(3):
      return { type: 'x400Address', value: reader.element };
    case constructedTag(4):
      return { type: 'directoryName', value: readOnlyName(reader.inner()) };
    case constructedTag(5):
      return { type: 'ediPartyName', value: reader.element };
    case primitiveTag(6):
      return { type: 'uri', value: ia5Text(reader) };
    case primitiveTag(7):
      return { type: 'ip', value: reader.content };
    case primitiveTag(8):
      return { type: 'registeredId', value: oidInContent(reader) };
    default:
      throw new ParseError(`a general name with tag 0x${tag.toString(16)}`);
  }
}

/** Formats a name for logs and explanations: `dns:example.com`, `ip:10.0.0.1`. */
export function generalNameToString(name: GeneralName): string {
  switch (name.type) {
    case 'dns':
    case 'email':
    case 'uri':
      return `${name.type}:${name.value}`;
    case 'ip':
      return `ip:${ipToString(name.value)}`;
    case 'directoryName':
      return `directoryName:${name.value}`;
    case 'registeredId':
      return `registeredId:${dottedFromOid(name.value)}`;
    case 'otherName':
      return `otherName:${dottedFromOid(name.value.typeId)}`;
    default:
      return name.type;
  }
}

function readOtherName(reader: DerReader): OtherName {
  const typeId = readOid(reader);
  const value = reader.enter(constructedTag(0));
  value.next();
  const der = value.element;
  value.finish();
  reader.finish();
  return { typeId, der };
}

function readOnlyName(reader: DerReader): Name {
  const name = Name.read(reader);
  reader.finish();
  return name;
}

/** Reads an IA5String without control characters, because a NUL or line end in a name is an attempt to deceive. */
function ia5Text(reader: DerReader): string {
  for (let i = 0; i < reader.length; i++) {
    const octet = reader.octet(i);
    if (octet < 0x20 || octet > 0x7e) throw new ParseError('a name that is not printable ASCII');
  }
  return reader.text('latin1');
}
