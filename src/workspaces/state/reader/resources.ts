import { eachInSlices } from '../../../lib/slices.ts';
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
export async function withHistory(
  instances: readonly Instance[],
  before: readonly ResourceRecord[],
  version: { readonly id: string; readonly createdAt: number },
): Promise<ResourceRecord[]> {
  const known = new Map<string, ResourceRecord>();
  await eachInSlices(before.length, (number) => {
    const record = before[number] as ResourceRecord;
    known.set(addressOf(record), record);
  });
  const records: ResourceRecord[] = [];
  await eachInSlices(instances.length, (number) => {
    const instance = instances[number] as Instance;
    const old = known.get(addressOf(instance));
    if (old?.digest === instance.digest) {
      records.push(old);
    } else {
      const createdAt = old?.createdAt ?? version.createdAt;
      records.push({ ...instance, createdAt, modifiedAt: version.createdAt, modifiedBy: version.id });
    }
  });
  return records;
}

/** What instances of one resource have in common, and for each of them the rest: small when there are many. */
interface PackedResource extends Pick<ResourceRecord, 'module' | 'type' | 'name' | 'provider'> {
  readonly instances: readonly PackedInstance[];
}

type PackedInstance = readonly [
  index: ResourceRecord['index'],
  deposed: string | null,
  digest: string,
  createdAt: number,
  modifiedAt: number,
  modifiedBy: string,
];

/** JSON (a list of `PackedResource`), an instance at a time. */
export function* packed(records: readonly ResourceRecord[]): Generator<string> {
  let last: ResourceRecord | undefined;
  for (const record of records) {
    const { module, type, name, provider, index, deposed, digest, createdAt, modifiedAt, modifiedBy } = record;
    const isSame = last?.module === module && last.type === type && last.name === name && last.provider === provider;
    const instance: PackedInstance = [index, deposed, digest, createdAt, modifiedAt, modifiedBy];
    if (isSame) yield ',';
    else yield `${last ? ']},' : '['}${JSON.stringify({ module, type, name, provider }).slice(0, -1)},"instances":[`;
    yield JSON.stringify(instance);
    last = record;
  }
  yield last ? ']}]' : '[]';
}

/** What `packed` was given, from its JSON. */
export async function unpacked(resources: readonly PackedResource[]): Promise<ResourceRecord[]> {
  const records: ResourceRecord[] = [];
  await eachInSlices(resources.length, (number) => {
    const { instances, ...resource } = resources[number] as PackedResource;
    for (const [index, deposed, digest, createdAt, modifiedAt, modifiedBy] of instances) {
      records.push({ ...resource, index, deposed, digest, createdAt, modifiedAt, modifiedBy });
    }
  });
  return records;
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
