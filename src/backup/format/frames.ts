/*
 * What a backup is made of, inside: frames of one byte of kind, four bytes of length (big-endian) and so many bytes. A frame is a
 * record (JSON) or a part of the blob that the record before it names.
 */
export type Frame =
  | { readonly kind: 'record'; readonly record: unknown }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

const RECORD = 0x4a;
const BYTES = 0x42;
const HEAD_BYTES = 5;
/** @limit a part of a backup, bytes -> it is refused as damaged */
export const MAX_FRAME = 268_435_456;

/** What is no backup, or not whole any more. */
export class DamagedBackup extends Error {
  override readonly name = 'DamagedBackup';
}

export function recordFrame(record: unknown): Uint8Array {
  return frame(RECORD, Buffer.from(JSON.stringify(record)));
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

/** @throws DamagedBackup where there is anything else */
export async function* framesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (bytes: number): Buffer => {
    const all = Buffer.concat(parts);
    parts = [all.subarray(bytes)];
    length -= bytes;
    return all.subarray(0, bytes);
  };
  let head: { readonly kind: number; readonly size: number } | undefined;
  for await (const part of source) {
    // The next part may be in the same memory.
    parts.push(Uint8Array.from(part));
    length += part.length;
    for (;;) {
      if (head === undefined) {
        if (length < HEAD_BYTES) break;
        const bytes = take(HEAD_BYTES);
        head = { kind: bytes.readUInt8(), size: bytes.readUInt32BE(1) };
        if (head.size > MAX_FRAME) throw new DamagedBackup('a part of the backup is too large');
      }
      if (length < head.size) break;
      yield frameOf(head.kind, take(head.size));
      head = undefined;
    }
  }
  if (head !== undefined || length > 0) throw new DamagedBackup('the backup ends in the middle');
}

function frameOf(kind: number, bytes: Buffer): Frame {
  if (kind === BYTES) return { kind: 'bytes', bytes };
  if (kind !== RECORD) throw new DamagedBackup('the backup has a part that is no part of one');
  try {
    return { kind: 'record', record: JSON.parse(bytes.toString()) };
  } catch (cause) {
    throw new DamagedBackup('the backup has a record that cannot be read', { cause });
  }
}
