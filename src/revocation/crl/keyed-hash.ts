/** Key of the hash: 64 bits, secret and random for each table. */
export type HashKey = readonly [number, number];

/**
 * Computes HalfSipHash-2-4 with 32 bits of output (Aumasson, Bernstein: SipHash, 2012, and its reference code) of
 * `bytes[start, end)`. Without the key no client can choose colliding inputs.
 */
export function keyedHash([k0, k1]: HashKey, bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  const words = (length >>> 2) + 1;
  let v0 = k0;
  let v1 = k1;
  let v2 = 0x6c796765 ^ k0;
  let v3 = 0x74656462 ^ k1;
  // Two more steps than words: the four final rounds run over words of zero, which have no effect themselves.
  for (let step = 0; step < words + 2; step++) {
    const at = start + step * 4;
    let word = 0;
    if (step < words - 1) word = littleEndian(bytes, at, at + 4);
    else if (step === words - 1) word = (length << 24) | littleEndian(bytes, at, end);
    else if (step === words) v2 ^= 0xff;
    v3 ^= word;
    for (let round = 0; round < 2; round++) {
      v0 = (v0 + v1) | 0;
      v1 = rotate(v1, 5) ^ v0;
      v0 = rotate(v0, 16);
      v2 = (v2 + v3) | 0;
      v3 = rotate(v3, 8) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = rotate(v3, 7) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = rotate(v1, 13) ^ v2;
      v2 = rotate(v2, 16);
    }
    v0 ^= word;
  }
  return (v1 ^ v3) >>> 0;
}

function littleEndian(bytes: Uint8Array, start: number, end: number): number {
  let word = 0;
  for (let i = end - 1; i >= start; i--) word = (word << 8) | (bytes[i] as number);
  return word;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
