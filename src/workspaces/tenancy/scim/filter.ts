import { literalIn } from './literal.ts';
import { scimError } from './scim-error.ts';

/** Conditions of a filter. All must be true. */
export interface Condition {
  /** Name of the attribute, in lower case and without the part in brackets: `emails.value`. */
  readonly attribute: string;
  readonly value: string;
}

/** @limit filter of a SCIM request, characters -> 400 */
const LONGEST_FILTER = 1_000;
/** @limit conditions in the filter of a SCIM request, conditions -> 400 */
const MOST_CONDITIONS = 5;
const VALUE = '("(?:[^"\\\\]|\\\\.)*"|true|false)';
const CONDITION = new RegExp(
  `^\\s*(?:urn:[\\w:.-]+:)?([A-Za-z$][\\w$.-]*)(?:\\[\\s*type\\s+eq\\s+"[^"\\\\]*"\\s*\\])?(\\.[A-Za-z]+)?\\s+eq\\s+${VALUE}`,
  'i',
);
const MEMBER = new RegExp(`^\\s*(members)\\[\\s*value\\s+eq\\s+${VALUE}\\s*\\]`, 'i');

/**
 * Parses a filter with equality conditions, as directories send it: `userName eq "ada"`, several joined by `and` (RFC
 * 7644 §3.4.2.2).
 * @throws 400 for any other filter
 */
export function readFilter(text: string): readonly Condition[] {
  if (text.length > LONGEST_FILTER || text.includes('\0')) throw unknown();
  const found: Condition[] = [];
  for (let rest = text; ; ) {
    const member = MEMBER.exec(rest);
    const [whole, name = '', sub = '', value = ''] = member
      ? [member[0], member[1], '.value', member[2]]
      : (CONDITION.exec(rest) ?? []);
    const sought = literalIn(value);
    if (whole === undefined || sought === undefined || found.length === MOST_CONDITIONS) throw unknown();
    found.push({ attribute: `${name}${sub}`.toLowerCase(), value: sought });
    rest = rest.slice(whole.length);
    if (rest.trim() === '') return found;
    const and = /^\s+and\s+/i.exec(rest)?.[0];
    if (and === undefined) throw unknown();
    rest = rest.slice(and.length);
  }
}

export const unknown = () =>
  scimError('invalidFilter', 'filter: only eq is supported, several conditions joined by and');
