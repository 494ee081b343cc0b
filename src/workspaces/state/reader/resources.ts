import { type Addressed, addressOf } from './resource-address.ts';
import type { Instance } from './state-reader.ts';

/** An instance, and when it was created and last changed. */
export interface ResourceRecord extends Instance {
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** State version that last changed it. */
  readonly modifiedBy: string;
}

/** Yields the instances of a state with the history from the preceding state. */
export function* withHistory(
  instances: readonly Instance[],
  before: readonly ResourceRecord[],
  version: { readonly id: string; readonly createdAt: number },
): Generator<ResourceRecord> {
  const recordOf = finding(before);
  for (const instance of instances) {
    const old = recordOf(instance);
    const createdAt = old?.createdAt ?? version.createdAt;
    if (old?.digest === instance.digest) yield old;
    else yield { ...instance, createdAt, modifiedAt: version.createdAt, modifiedBy: version.id };
  }
}

/**
 * Returns a look-up of records by address. Most records follow the one found before; an index is built only for the
 * others.
 */
function finding(records: readonly ResourceRecord[]): (instance: Instance) => ResourceRecord | undefined {
  let positions: Map<string, number> | undefined;
  let next = 0;
  return (instance) => {
    const record = records[next];
    if (record === undefined || !isSameInstance(record, instance)) {
      positions ??= new Map(records.map((one, position) => [addressOf(one), position]));
      const position = positions.get(addressOf(instance));
      if (position === undefined) return undefined;
      next = position;
    }
    return records[next++];
  };
}

function isSameInstance(one: Addressed, other: Addressed): boolean {
  return (
    one.index === other.index &&
    one.name === other.name &&
    one.type === other.type &&
    one.module === other.module &&
    one.deposed === other.deposed
  );
}

/** Differences between two lists of named things. */
export interface Difference<T> {
  readonly added: readonly T[];
  readonly changed: readonly T[];
  readonly removed: readonly T[];
}

/** Compares two lists: returns additions, changes and removals in their order. */
export function difference<T>(
  before: readonly T[],
  after: readonly T[],
  nameOf: (item: T) => string,
  isSame: (one: T, other: T) => boolean,
): Difference<T> {
  const old = new Map(before.map((item) => [nameOf(item), item]));
  const names = new Set(after.map(nameOf));
  const added: T[] = [];
  const changed: T[] = [];
  for (const item of after) {
    const other = old.get(nameOf(item));
    if (other === undefined) added.push(item);
    else if (!isSame(other, item)) changed.push(item);
  }
  return { added, changed, removed: before.filter((item) => !names.has(nameOf(item))) };
}
