import * as texts from './texts.ts';

/** Kind of difference between two states. */
export type ChangeKind = 'added' | 'changed' | 'removed';

/** Instances of one resource with the same kind of change. */
export interface ChangeLine {
  readonly kind: ChangeKind;
  /** Address of the first instance. */
  readonly address: string;
  /** Keys of the other instances: `[1]`, `["b"]`. */
  readonly others: readonly string[];
  /** Addresses of all instances. */
  readonly addresses: readonly string[];
}

interface Lists {
  readonly added: readonly { readonly address: string }[];
  readonly changed: readonly { readonly address: string }[];
  readonly removed: readonly { readonly address: string }[];
}

const KINDS: readonly ChangeKind[] = ['added', 'changed', 'removed'];

/** Matches the instance key at the end of an address: `[0]` or `["a"]`. */
const KEY = /\[(?:\d+|"(?:[^"\\]|\\.)*")\]$/;

/** Groups the instances of each resource into one line; added lines come first, then changed, then removed. */
export function changeLines(lists: Lists): readonly ChangeLine[] {
  return KINDS.flatMap((kind) => {
    const groups = Map.groupBy(lists[kind], ({ address }) => address.replace(KEY, ''));
    return [...groups.values()].map((group) => {
      const addresses = group.map(({ address }) => address);
      const others = addresses.slice(1).map((address) => KEY.exec(address)?.[0] ?? address);
      return { kind, address: addresses[0] ?? '', others, addresses };
    });
  });
}

/** `and [1], [2]`, `and 12 more` */
export function othersInWords(others: readonly string[]): string {
  if (others.length === 0) return '';
  return others.length <= 3 ? texts.and(others.join(', ')) : texts.andMore(others.length);
}
