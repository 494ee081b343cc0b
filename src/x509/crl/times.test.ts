import { expect, test } from 'vitest';
import { createRoot } from '../../pki/index.ts';
import { ParseError } from '../parse-error.ts';
import { crlTimes } from './times.ts';

const [thisUpdate, nextUpdate] = [new Date('2026-11-21T12:00:00Z'), new Date('2026-11-22T12:00:00Z')];
const { der } = createRoot().crl({
  revoked: Array.from({ length: 3_000 }, (_, n) => BigInt(n + 1)),
  thisUpdate,
  nextUpdate,
});

test('the beginning of a CRL has its time of issue and its next update', () => {
  expect(der.length).toBeGreaterThan(32_768);
  expect(crlTimes(der.subarray(0, 32_768))).toEqual({
    thisUpdate: thisUpdate.getTime(),
    nextUpdate: nextUpdate.getTime(),
  });
});

test('refuses other content, and too few bytes', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('hello'), der.subarray(0, 20)])
    expect(() => crlTimes(bytes)).toThrow(ParseError);
});
