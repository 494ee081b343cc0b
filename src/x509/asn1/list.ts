import { ParseError } from '../parse-error.ts';
import type { DerReader } from './reader.ts';

interface ListRules {
  /** Plural noun for messages. */
  readonly items: string;
  readonly most: number;
  /** False if an empty list has no meaning. DER allows one everywhere. */
  readonly mayBeEmpty: boolean;
}

/** Reads all remaining items of `list`, the content of a SEQUENCE OF or SET OF. */
export function readItems<T>(list: DerReader, { items, most, mayBeEmpty }: ListRules, read: () => T): T[] {
  if (!mayBeEmpty && !list.more) throw new ParseError(`an empty list of ${items}`);
  const found: T[] = [];
  while (list.more) {
    if (found.length === most) throw new ParseError(`more than ${most} ${items}`);
    found.push(read());
  }
  return found;
}
