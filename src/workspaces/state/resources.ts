import { addressOf } from './resource-address.ts';
import type { Instance } from './state-reader.ts';

/** An instance, and since when it is there and as it is. */
export interface ResourceRecord extends Instance {
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** The state version that made it what it is. */
  readonly modifiedBy: string;
}

/** The instances of a state, with the history that those of the state before it have. */
export function withHistory(
  instances: readonly Instance[],
  before: readonly ResourceRecord[],
  version: { readonly id: string; readonly createdAt: number },
): ResourceRecord[] {
  const known = new Map(before.map((record) => [addressOf(record), record]));
  return instances.map((instance) => {
    const old = known.get(addressOf(instance));
    if (old?.digest === instance.digest) return old;
    const createdAt = old?.createdAt ?? version.createdAt;
    return { ...instance, createdAt, modifiedAt: version.createdAt, modifiedBy: version.id };
  });
}

/** What instances of one resource have in common, and for each of them the rest: small when there are many. */
interface PackedResource extends Pick<ResourceRecord, 'module' | 'type' | 'name' | 'provider'> {
  readonly instances: [
    index: ResourceRecord['index'],
    deposed: string | null,
    digest: string,
    createdAt: number,
    modifiedAt: number,
    modifiedBy: string,
  ][];
}

/** For JSON. */
export function packed(records: readonly ResourceRecord[]): PackedResource[] {
  const resources: PackedResource[] = [];
  for (const { module, type, name, provider, ...record } of records) {
    const last = resources.at(-1);
    const isSame = last?.module === module && last.type === type && last.name === name && last.provider === provider;
    const resource = isSame ? last : { module, type, name, provider, instances: [] };
    if (!isSame) resources.push(resource);
    const { index, deposed, digest, createdAt, modifiedAt, modifiedBy } = record;
    resource.instances.push([index, deposed, digest, createdAt, modifiedAt, modifiedBy]);
  }
  return resources;
}

/** What `packed` was given. */
export function unpacked(resources: readonly PackedResource[]): ResourceRecord[] {
  return resources.flatMap(({ instances, ...resource }) =>
    instances.map(([index, deposed, digest, createdAt, modifiedAt, modifiedBy]) => {
      return { ...resource, index, deposed, digest, createdAt, modifiedAt, modifiedBy };
    }),
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
