import { expect, test } from 'vitest';
import { pieces } from './pieces.ts';

async function* bodyOf(...chunks: (string | Promise<unknown>)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    if (typeof chunk === 'string') yield Buffer.from(chunk);
    else await chunk;
  }
}

async function cut(body: AsyncIterable<Uint8Array>, size: number): Promise<string[]> {
  const all: string[] = [];
  for await (const piece of pieces(body, { size, patience: 60_000 })) all.push(piece.toString());
  return all;
}

test('a body is cut into pieces of one size, however its chunks arrive', async () => {
  expect(await cut(bodyOf('a', 'bcdefgh', '', 'ij'), 3)).toEqual(['abc', 'def', 'ghi', 'j']);
  expect(await cut(bodyOf('abc', 'def'), 3)).toEqual(['abc', 'def']);
  expect(await cut(bodyOf(), 3)).toEqual([]);
});

test('bytes of a slow body are sent before the rest arrives', async () => {
  const more = Promise.withResolvers<void>();
  const slow = pieces(bodyOf('abc', 'd', more.promise, 'efg'), { size: 3, patience: 20 });
  expect((await slow.next()).value?.toString()).toBe('abc');
  expect((await slow.next()).value?.toString()).toBe('d');
  more.resolve();
  expect((await slow.next()).value?.toString()).toBe('efg');
  expect((await slow.next()).done).toBe(true);
});

test('a failure of the body is that of its pieces, after the bytes before it or instead of them', async () => {
  await expect(cut(bodyOf('ab', Promise.reject(new Error('broken'))), 3)).rejects.toThrow('broken');
});

test('a body whose reader has ended is ended too, and its later failure is no error of the process', async () => {
  const failing = Promise.withResolvers<void>();
  const read = pieces(bodyOf('a', failing.promise), { size: 3, patience: 0 });
  await read.next();
  const ended = read.return(undefined);
  failing.reject(new Error('reset'));
  expect((await ended).done).toBe(true);
});
