import { AppError } from '../../lib/errors.ts';
import { described, flag, integer, parseFields, text } from './fields.ts';
import type { Reply } from './operation.ts';

/** What part of a list is asked for: `most` names behind `after`. */
export interface Page {
  readonly after: string;
  readonly most: number;
}

/** Beyond any number of names. */
const NO_LIMIT = 2 ** 31 - 1;

/** `?after=NAME&limit=N`; a limit of 0 or less is none. */
export const PAGE_FIELDS = described(
  { after: text(), limit: integer() },
  { after: 'What the list begins behind.', limit: 'How many at most; 0: all.' },
);

/** The same of a list of which somebody may want to know that nothing is in it, without being told of a fault. */
export const LIST_FIELDS = {
  ...PAGE_FIELDS,
  ...described({ empty: flag() }, { empty: 'Whether a list of nothing is answered as such; else that is 404.' }),
};

/** @throws AppError bad-request */
export function pageOf(data: Readonly<Record<string, unknown>>): Page {
  const { after = '', limit = 0 } = parseFields(PAGE_FIELDS, data).values;
  return { after, most: limit > 0 ? limit : NO_LIMIT };
}

/**
 * The names of a list, and what is to be known of each.
 * @throws AppError not-found for an empty list, as clients expect
 */
export function listReply(keys: readonly string[], infos?: Readonly<Record<string, unknown>>): Reply {
  if (keys.length === 0) throw new AppError('not-found', '');
  return { data: { keys, ...(infos && { key_info: infos }) } };
}

/** The names of a list with LIST_FIELDS. @throws AppError not-found for an empty list, unless it was asked for as such */
export function namesReply(keys: readonly string[], data: Readonly<Record<string, unknown>>): Reply {
  const { empty = false } = parseFields(LIST_FIELDS, data).values;
  return keys.length === 0 && empty ? { data: { keys } } : listReply(keys);
}
