import type { Steps } from '../../../lib/slices.ts';
import { listText, readingList } from './json-texts.ts';

/**
 * What one instance depends on, as the state has it.
 * @limit what one instance depends on, bytes -> its dependencies are null
 */
const MAX_ONE = 65_536;
/** @limit what all instances of a state depend on, bytes, lists that are alike once -> the dependencies of the others are null */
const MAX_ALL = 4_194_304;

/** Addresses of resources, without the keys of instances; null where they are too many to be kept. */
export type Dependencies = readonly string[] | null;

const NONE: Dependencies = [];

/** Reads the lists of instances. Those of one resource are mostly alike, and then are one list. */
export class DependencyReader {
  readonly #known = new Map<string, Dependencies>();
  #bytes = 0;

  /** @param json undefined where it is too long to be looked at, or is none */
  read(json: string | undefined): Dependencies {
    if (json === undefined || json.length > MAX_ONE) return null;
    const known = this.#known.get(json);
    if (known !== undefined) return known;
    if (this.#bytes + json.length > MAX_ALL) return null;
    this.#bytes += json.length;
    const list = listOf(json);
    this.#known.set(json, list);
    return list;
  }

  /** Of an instance that names none. */
  get none(): Dependencies {
    return NONE;
  }
}

function listOf(json: string): Dependencies {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : NONE;
  } catch {
    return null;
  }
}

/**
 * In a text: an address; a list, of the numbers of addresses; or how many instances in a row have a list, of this number, or one that is
 * not known. What is named has come before.
 */
type Packed = string | readonly number[] | { readonly count: number; readonly list: number | null };

/** The text of the lists of all instances, in their order: each address and each list once. */
export function dependenciesText(lists: readonly Dependencies[]): string {
  return [...listText([...packing(lists)])].join('');
}

function* packing(lists: readonly Dependencies[]): Generator<Packed> {
  const addresses = new Map<string, number>();
  const known = new Map<Dependencies, number>();
  for (let at = 0; at < lists.length; ) {
    const list = lists[at] ?? null;
    let end = at + 1;
    while (end < lists.length && lists[end] === list) end++;
    if (list && !known.has(list)) {
      for (const address of list) {
        if (addresses.has(address)) continue;
        addresses.set(address, addresses.size);
        yield address;
      }
      known.set(list, known.size);
      yield list.map((address) => addresses.get(address) as number);
    }
    yield { count: end - at, list: known.get(list) ?? null };
    at = end;
  }
}

/** The lists again, by the position of the instance. @param text inflated */
export function* unpackingDependencies(text: Uint8Array): Steps<Dependencies[]> {
  const addresses: string[] = [];
  const known: Dependencies[] = [];
  const lists: Dependencies[] = [];
  for (const one of yield* readingList<Packed>(text)) {
    if (typeof one === 'string') {
      addresses.push(one);
    } else if ('list' in one) {
      const list = one.list === null ? null : (known[one.list] ?? null);
      for (let left = one.count; left > 0; left--) lists.push(list);
    } else {
      known.push(one.map((number) => addresses[number] ?? ''));
      yield;
    }
  }
  return lists;
}
