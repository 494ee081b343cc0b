import { describe, expect, test } from 'vitest';
import * as der from '../../pki/der.ts';
import { createRoot } from '../../pki/index.ts';
import { ParseError } from '../../x509/index.ts';
import { inPieces } from './pieces.ts';
import { readList } from './read-list.ts';
import { serialOf } from './serial-number.ts';

const root = createRoot();

async function* inChunks(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

describe('reading a CRL', () => {
  const { der: bytes, pem } = root.crl({ revoked: Array.from({ length: 5000 }, (_, i) => BigInt(i) * 10n) });

  test.each([
    ['DER', bytes],
    ['PEM', Buffer.from(pem)],
  ])('accepts %s in chunks of any size, and passes on its DER', async (_, file) => {
    for (const length of [100, 8192, 1_000_000]) {
      const passed: Buffer[] = [];
      const { info, serials } = await readList(inChunks(file, length), async (piece) => {
        passed.push(Buffer.from(piece));
      });
      expect(info.entries).toBe(5000);
      expect(serials.find(serialOf('49990') ?? Buffer.alloc(0))).toBeDefined();
      expect(serials.find(serialOf('49991') ?? Buffer.alloc(0))).toBeUndefined();
      expect(Buffer.concat(passed).equals(bytes)).toBe(true);
    }
  });

  test('refuses other content and an empty file', async () => {
    await expect(readList(inChunks(Buffer.from('hello'), 5))).rejects.toThrow(ParseError);
    await expect(readList(inChunks(Buffer.alloc(0), 1))).rejects.toThrow(ParseError);
    await expect(readList(inChunks(bytes.subarray(0, -1), 1000))).rejects.toThrow(ParseError);
  });

  test('fails with the error of its source or of the consumer of the DER', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 20_000);
      throw new Error('the connection broke');
    }
    await expect(readList(broken())).rejects.toThrow('the connection broke');
    const full = () => Promise.reject(new Error('the disk is full'));
    await expect(readList(inChunks(bytes, 1000), full)).rejects.toThrow('the disk is full');
  });

  test('does not block the event loop', async () => {
    const entry = der.sequence(der.integer(2n ** 100n), der.time(new Date()));
    const entries = Array.from({ length: 100_000 }, () => entry);
    const algorithm = der.sequence(der.oid('1.2.840.10045.4.3.2'));
    const tbs = der.sequence(
      der.integer(1),
      algorithm,
      root.subject,
      der.time(new Date()),
      der.tlv(0x30, Buffer.concat(entries)),
    );
    const large = der.sequence(tbs, algorithm, der.bitString(Buffer.alloc(64)));
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await readList(inChunks(large, large.length));
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(5);
  });
});

test('pieces are neither large nor tiny, and together have the same bytes', async () => {
  const sent = Array.from({ length: 100 }, (_, i) => Buffer.alloc(i % 10 === 0 ? 100_000 : 10, i));
  async function* source(): AsyncGenerator<Uint8Array> {
    yield* sent;
  }
  const pieces: Buffer[] = [];
  for await (const piece of inPieces(source())) pieces.push(piece);
  expect(Buffer.concat(pieces).equals(Buffer.concat(sent))).toBe(true);
  for (const piece of pieces.slice(0, -1)) {
    expect(piece.length).toBeGreaterThanOrEqual(2048);
    expect(piece.length).toBeLessThan(8192 + 2048);
  }
});
