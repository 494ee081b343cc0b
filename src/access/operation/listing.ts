import { AppError } from '../../lib/errors.ts';
import { described, flag, integer, parseFields, text } from './fields.ts';
import type { Call, Reply } from './operation.ts';

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

/** @limit things in one list with what is known of each, things -> 400, which says how to ask for some */
const MAX_DETAILED = 100;

/** `?detail=true`: not the names alone. */
export const DETAIL_FIELDS = {
  ...PAGE_FIELDS,
  ...described(
    { detail: flag() },
    { detail: 'Whether to show of each what a read of it shows, where the caller may read it.' },
  ),
};

/** A list that knows the names, and those of one page with what is known of each. */
export interface Detailed<Item> {
  readonly names: (after: string, most: number) => Promise<readonly string[]>;
  /** Those of `names`, with what there is of each. */
  readonly page: (after: string, most: number) => Promise<readonly (readonly [name: string, item: Item])[]>;
  readonly infoOf: (item: Item) => Readonly<Record<string, unknown>>;
}

/**
 * The list that a call asks for. What the caller may not read stands there by its name alone.
 * @throws AppError bad-request for more with details than one answer has; not-found for an empty list without
 */
export async function detailedReply<Item>(call: Call, { names, page, infoOf }: Detailed<Item>): Promise<Reply> {
  const { after, most } = pageOf(call.data);
  const { detail = false } = parseFields(DETAIL_FIELDS, call.data).values;
  if (!detail) return listReply(await names(after, most));
  const found = await page(after, Math.min(most, MAX_DETAILED + 1));
  if (found.length > MAX_DETAILED) {
    const hint = `ask for some of them with 'limit' and 'after'`;
    throw new AppError('bad-request', `with 'detail' a list has at most ${MAX_DETAILED} of them; ${hint}`);
  }
  const mayRead = (name: string) =>
    call.caller.acl.decide({ path: `${call.path}/${name}`, capability: 'read' }).allowed;
  const infos = found.flatMap(([name, item]) => (mayRead(name) ? [[name, infoOf(item)] as const] : []));
  // No client of before asks for this, so none expects 404 for nothing.
  return { data: { keys: found.map(([name]) => name), key_info: Object.fromEntries(infos) } };
}
