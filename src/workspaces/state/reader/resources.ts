import { type Addressed, addressOf } from './resource-address.ts';
import type { Instance } from './state-reader.ts';

/** An instance, and since when it is there and as it is. */
export interface ResourceRecord extends Instance {
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** The state version that made it what it is. */
  readonly modifiedBy: string;
}

/** The instances of a state, one after the other, with the history that those of the state before it have. */
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

/** Finds records by address. Most stand behind the one that was found before: only for the others an index is made. */
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

/** What differs between two lists of things with a name. */
export interface Difference<T> {
  readonly added: readonly T[];
  readonly changed: readonly T[];
  readonly removed: readonly T[];
}

/** What `after` has that `before` has not, or has otherwise, and the other way round; in their order. */
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
