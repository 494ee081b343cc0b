import type { Steps } from '../../../lib/slices.ts';
import { listText, readingList } from './json-texts.ts';

/**
 * Maximum size of the dependency list of one instance in a state.
 * @limit dependencies of one instance of a state, bytes -> they are null
 */
const MAX_ONE = 65_536;
/**
 * @limit dependencies of all instances of a state, equal lists counted once, bytes -> the dependencies of the other
 * instances are null
 */
const MAX_ALL = 4_194_304;

/** Addresses of resources, without the keys of instances; null if they are too many to be stored. */
export type Dependencies = readonly string[] | null;

const NONE: Dependencies = [];

/** Parses the dependency lists of instances and interns them: those of one resource are mostly equal. */
export class DependencyReader {
  readonly #known = new Map<string, Dependencies>();
  #bytes = 0;

  /**
   * Parses the dependency list of an instance.
   * @param json undefined if it is too long or missing
   */
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

  /** Shared list of all instances without dependencies. */
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
 * Entry of the packed text: an address; a list of indexes of addresses; or the number of successive instances that
 * share a list, with the index of the list or null if it is unknown. An entry only refers to earlier ones.
 */
type Packed = string | readonly number[] | { readonly count: number; readonly list: number | null };

/** Packs the lists of all instances in order. Each address and each list is written once. */
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

/** Restores the lists by the position of the instance. @param text inflated */
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
