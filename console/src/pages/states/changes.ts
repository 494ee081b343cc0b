/** What became of something between two states. */
export type ChangeKind = 'added' | 'changed' | 'removed';

/** Instances of one resource that went the same way. */
export interface ChangeLine {
  readonly kind: ChangeKind;
  /** Of the first of them. */
  readonly address: string;
  /** Of the others: `[1]`, `["b"]`. */
  readonly others: readonly string[];
  /** Of all of them. */
  readonly addresses: readonly string[];
}

interface Lists {
  readonly added: readonly { readonly address: string }[];
  readonly changed: readonly { readonly address: string }[];
  readonly removed: readonly { readonly address: string }[];
}

const KINDS: readonly ChangeKind[] = ['added', 'changed', 'removed'];

/** `[0]` or `["a"]` at the end of an address. */
const KEY = /\[(?:\d+|"(?:[^"\\]|\\.)*")\]$/;

/** A line for each resource, its instances together; added before changed before removed. */
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
  return others.length <= 3 ? `and ${others.join(', ')}` : `and ${others.length} more`;
}
