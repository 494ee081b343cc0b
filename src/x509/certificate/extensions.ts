import type { Buffer } from 'node:buffer';
import { readItems } from '../asn1/list.ts';
import { dottedFromOid, type Oid, readOid } from '../asn1/oid.ts';
import { DerReader, Tag } from '../asn1/reader.ts';
import { isStringTag, stringInContent } from '../asn1/strings.ts';
import { readBoolean } from '../asn1/values.ts';
import { ParseError } from '../parse-error.ts';

/** @limit extensions, extensions -> it cannot be read */
const MAX_EXTENSIONS = 64;

/** One extension of a certificate or revocation list, as it stands there. */
export interface Extension {
  readonly oid: Oid;
  readonly critical: boolean;
  /** The content of extnValue: usually DER, of a type that `oid` names. */
  readonly value: Buffer;
}

/** Passes one Extensions sequence (RFC 5280 §4.2): no extension twice, 64 at most. It may be empty. */
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

/** The value decoded as one ASN.1 string; `''` when it is anything else. */
export function textOfExtension(extension: Extension): string {
  try {
    const reader = new DerReader(extension.value);
    const tag = reader.next();
    reader.finish();
    return isStringTag(tag) ? stringInContent(reader, tag) : '';
  } catch (error) {
    if (error instanceof ParseError) return '';
    throw error;
  }
}
