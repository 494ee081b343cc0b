import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyringError } from '../keyring.ts';
import { openChunks, sealChunks } from './chunk-cipher.ts';

const key = new Uint8Array(32).fill(7);
const CHUNK = 131_072;

async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  return Buffer.concat(parts);
}
const cut = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
const sealed = (bytes: Uint8Array, size = 50_000) => collect(sealChunks(key, cut(bytes, size)));
const opened = (bytes: Uint8Array, size = 70_000) => collect(openChunks(key, cut(bytes, size)));
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('a cipher in chunks', () => {
  it.each([0, 1, 100, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 17])('opens %i bytes', async (length) => {
    const plaintext = randomBytes(length);
    expect(digest(await opened(await sealed(plaintext)))).toBe(digest(plaintext));
  });

  it('does not depend on how the bytes are cut', async () => {
    const plaintext = randomBytes(2 * CHUNK + 5);
    const whole = await sealed(plaintext);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1000, max: 400_000 }),
        fc.integer({ min: 1000, max: 400_000 }),
        async (a, b) => {
          expect(digest(await sealed(plaintext, a))).toBe(digest(whole));
          expect(digest(await opened(whole, b))).toBe(digest(plaintext));
        },
      ),
      { numRuns: 20 },
    );
    expect(digest(await opened(whole.subarray(0, 2000), 1).catch(() => Buffer.from('x')))).toBe(
      digest(Buffer.from('x')),
    );
  });

  it('shows nothing of the plaintext', async () => {
    expect((await sealed(Buffer.from('a secret'.repeat(100)))).includes('a secret')).toBe(false);
  });

  it.each([
    ['a changed byte', (bytes: Buffer) => bytes.map((byte, i) => (i === CHUNK + 100 ? byte ^ 1 : byte))],
    ['one byte less', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['the last chunk cut off', (bytes: Buffer) => bytes.subarray(0, 4 + 2 * (CHUNK + 16))],
    ['a missing chunk', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 4), bytes.subarray(4 + CHUNK + 16)])],
    [
      'swapped chunks',
      (bytes: Buffer) => {
        const [one, two] = [bytes.subarray(4, 4 + CHUNK + 16), bytes.subarray(4 + CHUNK + 16, 4 + 2 * (CHUNK + 16))];
        return Buffer.concat([bytes.subarray(0, 4), two, one, bytes.subarray(4 + 2 * (CHUNK + 16))]);
      },
    ],
    ['trailing bytes', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])],
    ['another format', (bytes: Buffer) => Buffer.concat([Buffer.from('LKB2'), bytes.subarray(4)])],
    ['nothing', () => Buffer.alloc(0)],
  ])('refuses %s', async (_, change) => {
    const changed = change(await sealed(randomBytes(2 * CHUNK + 500)));
    await expect(opened(changed)).rejects.toThrow(KeyringError);
  });

  it('refuses another key', async () => {
    const bytes = await sealed(Buffer.from('secret'));
    await expect(collect(openChunks(new Uint8Array(32), [bytes]))).rejects.toThrow(KeyringError);
  });
});
