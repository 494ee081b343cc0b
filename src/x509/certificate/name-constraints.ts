import type { Buffer } from 'node:buffer';
import { constructedTag, DerReader, Tag } from '../asn1/reader.ts';
import { ParseError } from '../parse-error.ts';
import { type GeneralName, readGeneralName } from './general-name.ts';

/** @limit permitted or excluded subtrees, subtrees -> it cannot be read */
const MAX_SUBTREES = 2048;

/** RFC 5280 §4.2.1.10: the names that certificates below this authority may and may not carry. */
export interface NameConstraints {
  readonly permitted: readonly GeneralName[];
  readonly excluded: readonly GeneralName[];
}

/** Fails on constraints that constrain nothing, and on minimum and maximum, which RFC 5280 forbids. */
export function readNameConstraints(value: Buffer): NameConstraints {
  const reader = DerReader.inside(value, Tag.sequence);
  if (!reader.more) throw new ParseError('empty name constraints');
  const permitted = readSubtrees(reader, constructedTag(0));
  const excluded = readSubtrees(reader, constructedTag(1));
  reader.finish();
  return { permitted, excluded };
}

function readSubtrees(reader: DerReader, tag: number): GeneralName[] {
  if (!reader.skipOptional(tag)) return [];
  const list = reader.inner();
  const bases: GeneralName[] = [];
  do {
    if (bases.length === MAX_SUBTREES) throw new ParseError(`more than ${MAX_SUBTREES} name constraints`);
    bases.push(readBase(list.enter(Tag.sequence)));
  } while (list.more);
  return bases;
}

function readBase(reader: DerReader): GeneralName {
  const base = readGeneralName(reader);
  if (reader.more) throw new ParseError('name constraint with a minimum or maximum');
  if (base.type === 'ip' && base.value.length !== 8 && base.value.length !== 32) {
    throw new ParseError(`IP address constraint of ${base.value.length} bytes`);
  }
  return base;
}
