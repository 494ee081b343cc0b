import type { Buffer } from 'node:buffer';
import { readItems } from '../asn1/list.ts';
import { dottedFromOid, type Oid, readOid } from '../asn1/oid.ts';
import { DerReader, Tag } from '../asn1/reader.ts';
import { isStringTag, stringInContent } from '../asn1/strings.ts';
import { readBoolean } from '../asn1/values.ts';
import { ParseError } from '../parse-error.ts';

/** @limit extensions of a certificate or CRL, extensions -> the certificate or CRL cannot be read */
const MAX_EXTENSIONS = 64;

/** One raw extension of a certificate or CRL. */
export interface Extension {
  readonly oid: Oid;
  readonly critical: boolean;
  /** Content of extnValue: usually DER, of a type that `oid` determines. */
  readonly value: Buffer;
}

/** Reads one Extensions sequence (RFC 5280 §4.2): no duplicates, 64 extensions at most. It may be empty. */
export function readExtensions(reader: DerReader): Map<Oid, Extension> {
  const list = reader.enter(Tag.sequence);
  const extensions = new Map<Oid, Extension>();
  readItems(list, { items: 'extensions', most: MAX_EXTENSIONS, mayBeEmpty: true }, () => {
    const extension = readExtension(list.enter(Tag.sequence));
    if (extensions.has(extension.oid)) {
      throw new ParseError(`the same extension twice, ${dottedFromOid(extension.oid)}`);
    }
    extensions.set(extension.oid, extension);
  });
  return extensions;
}

function readExtension(reader: DerReader): Extension {
  const oid = readOid(reader);
  const critical = reader.at(Tag.boolean) && readBoolean(reader);
  reader.expect(Tag.octetString);
  const value = reader.content;
  reader.finish();
  return { oid, critical, value };
}

/** Decodes the value as one ASN.1 string; returns `''` for anything else. */
export const textOfExtension = ({ value }: Extension): string => textOfDer(value);

/** Decodes DER as one ASN.1 string; returns `''` for anything else. */
export function textOfDer(der: Buffer): string {
  try {
    const reader = new DerReader(der);
    const tag = reader.next();
    reader.finish();
    return isStringTag(tag) ? stringInContent(reader, tag) : '';
  } catch (error) {
    if (error instanceof ParseError) return '';
    throw error;
  }
}

/** Decodes DER as one ASN.1 string, or a SEQUENCE or SET of strings; returns `[]` for anything else. */
export function textsOfDer(der: Buffer | undefined): readonly string[] {
  if (der === undefined) return [];
  try {
    const reader = new DerReader(der);
    const tag = reader.next();
    reader.finish();
    if (tag !== Tag.sequence && tag !== Tag.set) return isStringTag(tag) ? [stringInContent(reader, tag)] : [];
    const list = reader.inner();
    const texts: string[] = [];
    while (list.more) {
      const item = list.next();
      if (!isStringTag(item)) return [];
      texts.push(stringInContent(list, item));
    }
    return texts;
  } catch (error) {
    if (error instanceof ParseError) return [];
    throw error;
  }
}
