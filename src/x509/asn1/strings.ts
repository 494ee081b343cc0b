import { Buffer, isUtf8 } from 'node:buffer';
import { ParseError } from '../parse-error.ts';
import { type DerReader, Tag } from './reader.ts';

/** Returns whether the tag is of a string type that X.509 names and extensions use. */
export function isStringTag(tag: number): boolean {
  switch (tag) {
    case Tag.utf8String:
    case Tag.printableString:
    case Tag.ia5String:
    case Tag.numericString:
    case Tag.visibleString:
    case Tag.teletexString:
    case Tag.bmpString:
    case Tag.universalString:
      return true;
    default:
      return false;
  }
}

/** Decodes the current element; `tag` is its tag, a string type. Throws for bytes that the type does not allow. */
export function stringInContent(reader: DerReader, tag: number): string {
  if (tag === Tag.bmpString) return utf16(reader);
  if (tag === Tag.universalString) return utf32(reader);
  // In practice Teletex is ISO 8859-1, whatever the standard defines.
  if (tag === Tag.teletexString || isAscii(reader)) return reader.text('latin1');
  if (tag === Tag.utf8String && isUtf8(reader.content)) return reader.text('utf8');
  throw new ParseError('a string has bytes that its type does not allow');
}

/** Returns whether the current element has no byte above 0x7f. */
function isAscii(reader: DerReader): boolean {
  const { length } = reader;
  for (let i = 0; i < length; i++) if (reader.octet(i) >= 0x80) return false;
  return true;
}

function utf16(reader: DerReader): string {
  if (reader.length % 2 !== 0) throw new ParseError('BMPString of an odd length');
  const text = Buffer.from(reader.content).swap16().toString('utf16le');
  if (!text.isWellFormed()) throw new ParseError('a string has bytes that its type does not allow');
  return text;
}

function utf32(reader: DerReader): string {
  if (reader.length % 4 !== 0) throw new ParseError('UniversalString of an odd length');
  const { content } = reader;
  let text = '';
  for (let i = 0; i < content.length; i += 4) {
    const codePoint = content.readUInt32BE(i);
    const surrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
    if (codePoint > 0x10ffff || surrogate) throw new ParseError('a string has bytes that its type does not allow');
    text += String.fromCodePoint(codePoint);
  }
  return text;
}
