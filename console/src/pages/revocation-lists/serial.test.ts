import { expect, test } from 'vitest';
import { decimalOf } from './serial.ts';

test.each([
  ['42', '42'],
  [' 007 ', '7'],
  ['0x2a', '42'],
  ['00:2A', '42'],
  ['62:9b:00', '6462208'],
  ['2a', undefined],
  ['', undefined],
  ['4 2', undefined],
  ['-1', undefined],
  ['9'.repeat(61), undefined],
])('%j is the serial number %j', (text, serial) => {
  expect(decimalOf(text)).toBe(serial);
});
