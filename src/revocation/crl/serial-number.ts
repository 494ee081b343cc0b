import { Buffer } from 'node:buffer';

/**
 * No serial number that a certificate can have is longer.
 * @limit a serial number in a request, digits -> 400
 */
const MAX_DIGITS = 10_000;

/** The decimal form of a serial number of any size and sign, from the content of its INTEGER. */
export function decimalOf(serial: Uint8Array): string {
  const hex = Buffer.from(serial.buffer, serial.byteOffset, serial.byteLength).toString('hex');
  return BigInt.asIntN(serial.length * 8, BigInt(`0x${hex}`)).toString();
}

/** The content of the INTEGER, in its shortest form; undefined when the text is no whole number. */
export function serialOf(decimal: string): Buffer | undefined {
  if (decimal.length > MAX_DIGITS || !/^-?\d+$/.test(decimal)) return undefined;
  const value = BigInt(decimal);
  const bits = (value < 0n ? -value - 1n : value).toString(2).length;
  const bytes = value === 0n || value === -1n ? 1 : Math.floor(bits / 8) + 1;
  return Buffer.from(
    BigInt.asUintN(bytes * 8, value)
      .toString(16)
      .padStart(bytes * 2, '0'),
    'hex',
  );
}
