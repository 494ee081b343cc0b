import { Buffer } from 'node:buffer';

const PIECE_BYTES = 8_192;
/** Smaller ones are put together, so that a sender of single bytes costs no more than any other. */
const LEAST_BYTES = 2_048;

/** The same bytes in pieces that are cheap to work on: 2 to 8 KiB each, only the last may be smaller. */
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

/** What came as one piece is not copied. */
function joined([first, ...others]: readonly Buffer[]): Buffer {
  return first && others.length === 0 ? first : Buffer.concat(first ? [first, ...others] : []);
}
