import { expect, test } from 'vitest';
import { keyedHash } from './keyed-hash.ts';

test('implements HalfSipHash-2-4: test vectors of its authors', () => {
  const message = Buffer.from([...Array(8).keys()]);
  const hashes = [...Array(7).keys()].map((length) => {
    const output = Buffer.alloc(4);
    output.writeUInt32LE(keyedHash([0x03020100, 0x07060504], message, 0, length));
    return output.toString('hex');
  });
  expect(hashes).toEqual(['a9359f5b', '27475ab8', 'fa62a603', '8afee704', '2a6e4689', 'c5fab669', '5863fc23']);
});

test('the hash depends only on the given part of the bytes', () => {
  const [one, other] = [Buffer.from('..serial..'), Buffer.from('-serial----')];
  expect(keyedHash([1, 2], one, 2, 8)).toBe(keyedHash([1, 2], other, 1, 7));
  expect(keyedHash([1, 2], one, 2, 8)).not.toBe(keyedHash([1, 3], one, 2, 8));
});
