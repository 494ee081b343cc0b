import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { withStateFile } from './state-file.ts';
import { StateHeadReader } from './state-head.ts';

const PIECE = Buffer.alloc(1_000_000, 'x');
const PIECES = 100;

/** A state of 100 MB, one new buffer at a time. */
async function* large(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"version":4,"serial":5,"lineage":"a-1","outputs":{"a":{"value":"');
  for (let count = 0; count < PIECES; count++) yield Buffer.from(PIECE);
  yield Buffer.from('"}}}');
}

describe('a state on its way', () => {
  it('of 100 MB is never in memory as a whole', async () => {
    let most = 0;
    const before = process.memoryUsage().arrayBuffers;
    async function* watched() {
      for await (const piece of large()) {
        yield piece;
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      }
    }
    const digest = createHash('md5');
    for await (const piece of large()) digest.update(piece);
    await withStateFile(watched(), async ({ serial, lineage, md5, upload }) => {
      expect([serial, lineage, md5]).toEqual([5, 'a-1', digest.digest('hex')]);
      let bytes = 0;
      for await (const piece of upload.open()) bytes += piece.length;
      expect(bytes).toBe(upload.size);
    });
    // The collector may be late by some pieces, but not by all.
    expect(most).toBeLessThan(PIECES * PIECE.length * 0.8);
  });

  it('takes a bounded amount of a value that never ends', () => {
    const reader = new StateHeadReader();
    reader.write(Buffer.from('{"lineage": "'));
    const before = process.memoryUsage().heapUsed;
    for (let count = 0; count < 2000; count++) reader.write(Buffer.alloc(10_000, 'x'));
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
    expect(reader.end().lineage).toBeUndefined();
  });
});
