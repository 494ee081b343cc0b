import { deflateRawSync } from 'node:zlib';
import { runAtOnce, type Steps } from '../../../lib/slices.ts';
import { readingList } from './json-texts.ts';
import type { ResourceRecord } from './resources.ts';

/**
 * First byte of the current format: the number of digests (4 bytes), the digests, and the deflated text. Deflated data
 * never starts with this byte, so it distinguishes the older format, which is a deflated text only.
 */
const MARK = 0x07;
const HEAD_BYTES = 5;
/** Length of a digest. Digests are stored uncompressed because they are random. */
const DIGEST_BYTES = 16;
/** Compression level. The next one takes twice as long and saves only a few bytes of names and numbers. */
const LEVEL = 1;

/** Common properties of the instances of one resource, and lists of the individual ones. */
interface PackedResource extends Pick<ResourceRecord, 'module' | 'type' | 'name' | 'provider'> {
  readonly indexes: readonly ResourceRecord['index'][];
  /** Keys of deposed instances, by position; most instances have none. */
  readonly deposed: readonly (readonly [position: number, key: string])[];
  /** Run-length encoded over successive instances. */
  readonly changes: readonly Change[];
}

type Change = [count: number, createdAt: number, modifiedAt: number, modifiedBy: string];

/** The older format. */
interface OldResource extends Pick<ResourceRecord, 'module' | 'type' | 'name' | 'provider'> {
  readonly instances: readonly (readonly [
    index: ResourceRecord['index'],
    deposed: string | null,
    digest: string,
    createdAt: number,
    modifiedAt: number,
    modifiedBy: string,
  ])[];
}

/** Compresses a JSON text. */
export function packText(text: string): Uint8Array {
  return deflateRawSync(text, { level: LEVEL });
}

/** Packs records so that they are small and quick to read. Iterates over the records without collecting them. */
export function packResources(records: Iterable<ResourceRecord>): Uint8Array {
  const { resources, digests } = resourcesOf(records);
  const text = packText(JSON.stringify(resources));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(MARK);
  head.writeUInt32BE(digests.length, 1);
  return Buffer.concat([head, Buffer.from(digests.join(''), 'latin1'), text]);
}

function resourcesOf(records: Iterable<ResourceRecord>): { resources: PackedResource[]; digests: string[] } {
  const resources: PackedResource[] = [];
  const digests: string[] = [];
  let last: ResourceRecord | undefined;
  let [indexes, deposed, changes]: [ResourceRecord['index'][], [number, string][], Change[]] = [[], [], []];
  for (const record of records) {
    const { module, type, name, provider } = record;
    if (last?.name !== name || last.type !== type || last.module !== module || last.provider !== provider) {
      [indexes, deposed, changes] = [[], [], []];
      resources.push({ module, type, name, provider, indexes, deposed, changes });
    }
    digests.push(record.digest);
    if (record.deposed !== null) deposed.push([indexes.length, record.deposed]);
    indexes.push(record.index);
    const change = changes.at(-1);
    if (
      change &&
      change[1] === record.createdAt &&
      change[2] === record.modifiedAt &&
      change[3] === record.modifiedBy
    ) {
      change[0]++;
    } else {
      changes.push([1, record.createdAt, record.modifiedAt, record.modifiedBy]);
    }
    last = record;
  }
  return { resources, digests };
}

/** Packed records whose text is still deflated. */
export interface PackedRecords {
  readonly digests: Buffer | undefined;
  readonly text: Uint8Array;
}

/** Splits packed records into digests and deflated text. */
export function partsOf(packed: Uint8Array): PackedRecords {
  if (packed[0] !== MARK) return { digests: undefined, text: packed };
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const end = HEAD_BYTES + bytes.readUInt32BE(1) * DIGEST_BYTES;
  return { digests: bytes.subarray(HEAD_BYTES, end), text: bytes.subarray(end) };
}

/** Restores records from digests and inflated text. */
export function* unpacking(digests: Buffer | undefined, text: Uint8Array): Steps<ResourceRecord[]> {
  const records: ResourceRecord[] = [];
  if (digests === undefined) {
    for (const resource of yield* readingList<OldResource>(text)) {
      addOld(resource, records);
      yield;
    }
    return records;
  }
  const all = digests.toString('latin1');
  for (const resource of yield* readingList<PackedResource>(text)) {
    add(resource, all, records);
    yield;
  }
  return records;
}

/** Unpacks all records at once. @param text inflated */
export function unpackResources(digests: Buffer | undefined, text: Uint8Array): ResourceRecord[] {
  return runAtOnce(unpacking(digests, text));
}

function add({ indexes, deposed, changes, ...resource }: PackedResource, digests: string, records: ResourceRecord[]) {
  const keys = new Map(deposed);
  let position = 0;
  for (const [count, createdAt, modifiedAt, modifiedBy] of changes) {
    for (const end = position + count; position < end; position++) {
      const at = records.length * DIGEST_BYTES;
      const digest = digests.slice(at, at + DIGEST_BYTES);
      const key = keys.size === 0 ? null : (keys.get(position) ?? null);
      records.push({
        ...resource,
        index: indexes[position] ?? null,
        deposed: key,
        digest,
        createdAt,
        modifiedAt,
        modifiedBy,
      });
    }
  }
}

function addOld({ instances, ...resource }: OldResource, records: ResourceRecord[]): void {
  for (const [index, deposed, text, createdAt, modifiedAt, modifiedBy] of instances) {
    const digest = Buffer.from(text, 'base64url').toString('latin1', 0, DIGEST_BYTES);
    records.push({ ...resource, index, deposed, digest, createdAt, modifiedAt, modifiedBy });
  }
}
