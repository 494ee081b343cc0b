import { invalidPack } from './invalid-pack.ts';

/** Size of a copy whose size is 0. */
const COPY_OF_ZERO = 65_536;
/** Bytes of a size with seven bits each; sizes of six bytes are exact numbers. */
const SIZE_BYTES = 6;

/** Reads a size with seven bits per byte, lowest first. Returns it and the position behind it. */
function readSize(bytes: Buffer, at: number): [size: number, next: number] {
  let size = 0;
  for (let read = 0; read < SIZE_BYTES; read++) {
    const byte = bytes[at + read];
    if (byte === undefined) break;
    size += (byte & 0x7f) * 2 ** (7 * read);
    if ((byte & 0x80) === 0) return [size, at + read + 1];
  }
  throw invalidPack();
}

/** Returns the size of the object that a delta makes. Check it before `applyDelta`, which allocates the object. */
export function resultSize(delta: Buffer): number {
  return readSize(delta, readSize(delta, 0)[1])[0];
}

/**
 * Returns the object that a delta makes of its base.
 * @throws GitError `invalid`
 * @see https://git-scm.com/docs/gitformat-pack#_deltified_representation
 */
export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const [baseSize, afterBase] = readSize(delta, 0);
  const [size, start] = readSize(delta, afterBase);
  if (baseSize !== base.length) throw invalidPack();
  const result = Buffer.allocUnsafe(size);
  let written = 0;
  for (let at = start; at < delta.length; ) {
    const command = delta[at++] ?? 0;
    if (command === 0) throw invalidPack();
    if ((command & 0x80) === 0) {
      if (at + command > delta.length || written + command > size) throw invalidPack();
      result.set(delta.subarray(at, at + command), written);
      at += command;
      written += command;
      continue;
    }
    let from = 0;
    let count = 0;
    for (let bit = 0; bit < 4; bit++) if (command & (1 << bit)) from += (delta[at++] ?? 0) * 2 ** (8 * bit);
    for (let bit = 0; bit < 3; bit++) if (command & (0x10 << bit)) count += (delta[at++] ?? 0) * 2 ** (8 * bit);
    if (count === 0) count = COPY_OF_ZERO;
    if (at > delta.length || from + count > base.length || written + count > size) throw invalidPack();
    base.copy(result, written, from, from + count);
    written += count;
  }
  if (written !== size) throw invalidPack();
  return result;
}
