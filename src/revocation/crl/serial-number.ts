import { Buffer } from 'node:buffer';

/**
 * Maximum number of digits, more than any certificate's serial number has.
 * @limit a serial number in a request, digits -> 400
 */
const MAX_DIGITS = 10_000;

/** Converts the content of an INTEGER to decimal; any size and sign. */
export function decimalOf(serial: Uint8Array): string {
  const hex = Buffer.from(serial.buffer, serial.byteOffset, serial.byteLength).toString('hex');
  return BigInt.asIntN(serial.length * 8, BigInt(`0x${hex}`)).toString();
}

/**
 * Converts a decimal number to the shortest content of an INTEGER. Returns undefined if the text is not a whole number.
 */
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
