import { Buffer } from 'node:buffer';

const PIECE_BYTES = 8_192;
/** Smaller chunks are combined, so that a server that sends single bytes costs no more than any other. */
const LEAST_BYTES = 2_048;

/** Splits and combines chunks into pieces of 2 to 8 KiB, which are cheap to process; only the last may be smaller. */
export async function* inPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      const part = Buffer.from(chunk.buffer, chunk.byteOffset + start, Math.min(PIECE_BYTES, chunk.length - start));
      held.push(part);
      size += part.length;
      if (size < LEAST_BYTES) continue;
      yield joined(held);
      held = [];
      size = 0;
    }
  }
  if (size > 0) yield joined(held);
}

/** Joins chunks; a single chunk is not copied. */
function joined([first, ...others]: readonly Buffer[]): Buffer {
  return first && others.length === 0 ? first : Buffer.concat(first ? [first, ...others] : []);
}
