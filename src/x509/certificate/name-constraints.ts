import type { Buffer } from 'node:buffer';
import { readItems } from '../asn1/list.ts';
import { constructedTag, DerReader, primitiveTag, Tag } from '../asn1/reader.ts';
import { readCount } from '../asn1/values.ts';
import { ParseError } from '../parse-error.ts';
import { type GeneralName, readGeneralName } from './general-name.ts';

/** @limit permitted or excluded subtrees, subtrees -> the certificate cannot be read */
const MAX_SUBTREES = 2048;

/** Names that certificates below this CA may and may not contain (RFC 5280 §4.2.1.10). */
export interface NameConstraints {
  readonly permitted: readonly GeneralName[];
  readonly excluded: readonly GeneralName[];
}

/**
 * Refuses empty constraints, a maximum, and a minimum other than 0, because RFC 5280 gives them no meaning. A minimum
 * of 0 is the default, and Microsoft's CA writes it.
 */
export function readNameConstraints(value: Buffer): NameConstraints {
  const reader = DerReader.inside(value, Tag.sequence);
  if (!reader.more) throw new ParseError('neither permitted nor excluded subtrees');
  const permitted = readSubtrees(reader, constructedTag(0));
  const excluded = readSubtrees(reader, constructedTag(1));
  reader.finish();
  return { permitted, excluded };
}

function readSubtrees(reader: DerReader, tag: number): GeneralName[] {
  if (!reader.skipOptional(tag)) return [];
  const list = reader.inner();
  const rules = { items: 'subtrees', most: MAX_SUBTREES, mayBeEmpty: false };
  return readItems(list, rules, () => readSubtree(list.enter(Tag.sequence)));
}

function readSubtree(reader: DerReader): GeneralName {
  const base = readGeneralName(reader);
  const minimum = reader.at(primitiveTag(0)) ? readCount(reader, primitiveTag(0)) : 0;
  if (minimum !== 0) throw new ParseError(`a subtree with a minimum of ${minimum}`);
  if (reader.at(primitiveTag(1))) throw new ParseError('a subtree with a maximum');
  reader.finish();
  if (base.type === 'ip' && base.value.length !== 8 && base.value.length !== 32) {
    throw new ParseError(`IP address constraint of ${base.value.length} bytes`);
  }
  return base;
}
