import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/*
 * Frames of a backup's content: one byte of kind, four bytes of length (big-endian), and this many bytes. A frame is a
 * record (JSON, compressed) or a part of the blob that the record before it names.
 */
export type Frame =
  | { readonly kind: 'record'; readonly record: unknown }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

const RECORD = 0x4a;
const BYTES = 0x42;
const HEAD_BYTES = 5;
/** @limit a frame of a backup, bytes -> no backup is created, or it is refused as damaged */
const MAX_FRAME = 268_435_456;

/**
 * The longest string in Node.js.
 * @limit an uncompressed record of a backup, bytes -> the backup is refused as damaged
 */
const MAX_RECORD = 536_870_912;

/** Thrown for a file that is not a backup, or is damaged. */
export class DamagedBackup extends Error {
  override readonly name = 'DamagedBackup';
}

/** Encodes a record. Compression blocks the thread for some milliseconds. */
export function recordFrame(record: unknown): Uint8Array {
  return frame(RECORD, zstdCompressSync(JSON.stringify(record)));
}

export function bytesFrame(bytes: Uint8Array): Uint8Array {
  return frame(BYTES, bytes);
}

function frame(kind: number, content: Uint8Array): Uint8Array {
  if (content.length > MAX_FRAME)
    throw new DamagedBackup(`a part of ${content.length} bytes is too large for a backup`);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(kind);
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}

/** @throws DamagedBackup for any other content */
export async function* framesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const read = new Pending();
  let head: { readonly kind: number; readonly size: number } | undefined;
  for await (const part of source) {
    read.add(part);
    for (;;) {
      if (head === undefined) {
        if (read.length < HEAD_BYTES) break;
        const bytes = read.take(HEAD_BYTES);
        head = { kind: bytes.readUInt8(), size: bytes.readUInt32BE(1) };
        if (head.size > MAX_FRAME) throw new DamagedBackup('a part of the backup is too large');
      }
      if (read.length < head.size) break;
      yield frameOf(head.kind, read.take(head.size));
      head = undefined;
    }
  }
  if (head !== undefined || read.length > 0) throw new DamagedBackup('the backup is truncated');
}

/** Buffer of bytes that arrived and are not consumed yet. */
class Pending {
  #parts: Uint8Array[] = [];
  length = 0;

  add(part: Uint8Array): void {
    this.#parts.push(part);
    this.length += part.length;
  }

  take(bytes: number): Buffer {
    const [first, ...others] = this.#parts;
    const all = first !== undefined && others.length === 0 ? asBuffer(first) : Buffer.concat(this.#parts);
    // The consumer of a part may free its memory.
    this.#parts = all.length > bytes ? [all.subarray(bytes)] : [];
    this.length -= bytes;
    return all.subarray(0, bytes);
  }
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

function frameOf(kind: number, bytes: Buffer): Frame {
  if (kind === BYTES) return { kind: 'bytes', bytes };
  if (kind !== RECORD) throw new DamagedBackup('the backup has a part of an unknown kind');
  try {
    return {
      kind: 'record',
      record: JSON.parse(zstdDecompressSync(bytes, { maxOutputLength: MAX_RECORD }).toString()),
    };
  } catch (cause) {
    throw new DamagedBackup('the backup has a record that cannot be read', { cause });
  }
}
