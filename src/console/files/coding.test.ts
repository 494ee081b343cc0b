import { expect, test } from 'vitest';
import type { BuiltFile, Coding } from './built-files.ts';
import { codingFor } from './coding.ts';

const file = (...codings: Coding[]): BuiltFile => ({
  type: 'text/css',
  codings: new Map(codings.map((one) => [one, { bytes: Buffer.from(one), etag: '""' }])),
});

test.each<[string | undefined, Coding]>([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br; q=0.000', 'identity'],
  ['GZIP', 'gzip'],
  ['identity', 'identity'],
  ['', 'identity'],
  [undefined, 'identity'],
  ['brotli', 'identity'],
])('%j gets %s', (accepted, coding) => {
  expect(codingFor(file('br', 'gzip', 'identity'), accepted)).toBe(coding);
});

test('sends a file without compressed forms as it is', () => {
  expect(codingFor(file('identity'), 'br, gzip')).toBe('identity');
});
