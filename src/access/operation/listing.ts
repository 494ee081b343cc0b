import { AppError } from '../../lib/errors.ts';
import { described, flag, integer, parseFields, text } from './fields.ts';
import type { Call, Reply } from './operation.ts';

/** A page of a list: `most` names after `after`. */
export interface Page {
  readonly after: string;
  readonly most: number;
}

/** Limit for a list without one: higher than any number of names. */
const NO_LIMIT = 2 ** 31 - 1;

/** Query `?after=NAME&limit=N`. A limit of 0 or less means none. */
export const PAGE_FIELDS = described(
  { after: text(), limit: integer() },
  { after: 'Return names after this one.', limit: 'Maximum number of names; 0: all.' },
);

/** @throws AppError bad-request */
export function pageOf(data: Readonly<Record<string, unknown>>): Page {
  const { after = '', limit = 0 } = parseFields(PAGE_FIELDS, data).values;
  return { after, most: limit > 0 ? limit : NO_LIMIT };
}

/**
 * Returns a list of names with optional details.
 * @throws AppError not-found for an empty list, as clients expect
 */
export function listReply(keys: readonly string[], infos?: Readonly<Record<string, unknown>>): Reply {
  if (keys.length === 0) throw new AppError('not-found', '');
  return { data: { keys, ...(infos && { key_info: infos }) } };
}

/** @limit entries with details in one list, entries -> 400 with advice to use pages */
const MAX_DETAILED = 100;

/** Query `?detail=true`: returns details with the names. */
export const DETAIL_FIELDS = {
  ...PAGE_FIELDS,
  ...described({ detail: flag() }, { detail: 'Whether to return the fields of each entry that the caller may read.' }),
};

/** A list with names and, for a page, details. */
export interface Detailed<Item> {
  readonly names: (after: string, most: number) => Promise<readonly string[]>;
  /** Returns a page of entries. */
  readonly page: (after: string, most: number) => Promise<readonly (readonly [name: string, item: Item])[]>;
  readonly infoOf: (item: Item) => Readonly<Record<string, unknown>>;
}

/**
 * Returns the list that a call requests. Entries that the caller may not read have a name but no details.
 * @throws AppError bad-request for too many entries with details; not-found for an empty list without details
 */
export async function detailedReply<Item>(call: Call, { names, page, infoOf }: Detailed<Item>): Promise<Reply> {
  const { after, most } = pageOf(call.data);
  const { detail = false } = parseFields(DETAIL_FIELDS, call.data).values;
  if (!detail) return listReply(await names(after, most));
  const found = await page(after, Math.min(most, MAX_DETAILED + 1));
  if (found.length > MAX_DETAILED) {
    const hint = "use pages with 'limit' and 'after'";
    throw new AppError('bad-request', `with 'detail' a list may have at most ${MAX_DETAILED} entries; ${hint}`);
  }
  const mayRead = (name: string) =>
    call.caller.acl.decide({ path: `${call.path}/${name}`, capability: 'read' }).allowed;
  const infos = found.flatMap(([name, item]) => (mayRead(name) ? [[name, infoOf(item)] as const] : []));
  // Older clients do not use `detail`, so none expects 404 for an empty list.
  return { data: { keys: found.map(([name]) => name), key_info: Object.fromEntries(infos) } };
}
