import fc from 'fast-check';
import { expect, test } from 'vitest';
import { integer } from '../../pki/der.ts';
import { decimalOf, serialOf } from './serial-number.ts';

test('converts serial numbers of any size and sign to decimal and back', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }), (value) => {
      const serial = serialOf(String(value)) ?? Buffer.alloc(0);
      expect(decimalOf(serial)).toBe(String(value));
      expect(integer(value).subarray(2)).toEqual(serial);
    }),
  );
  for (const value of [0n, -1n, 127n, 128n, -128n, -129n, 255n, 256n]) {
    expect(integer(value).subarray(2)).toEqual(serialOf(String(value)));
  }
});

test('refuses a text that is not a whole number', () => {
  for (const text of ['', '-', '1.5', '0x10', ' 1', '1n', '1'.repeat(10_001)]) expect(serialOf(text)).toBeUndefined();
});
