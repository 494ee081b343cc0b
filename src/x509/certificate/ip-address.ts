/**
 * Formats an address as `10.0.0.1` or `2001:db8::1` (RFC 5952), and an address with mask (8 or 32 bytes) as
 * `10.0.0.0/255.0.0.0`.
 */
export function ipToString(bytes: Uint8Array): string {
  if (bytes.length === 8 || bytes.length === 32) {
    const half = bytes.length / 2;
    return `${ipToString(bytes.subarray(0, half))}/${ipToString(bytes.subarray(half))}`;
  }
  return bytes.length === 4 ? bytes.join('.') : ipv6ToString(bytes);
}

function ipv6ToString(bytes: Uint8Array): string {
  const words = Array.from({ length: 8 }, (_, i) =>
    (((bytes[i * 2] ?? 0) << 8) | (bytes[i * 2 + 1] ?? 0)).toString(16),
  );
  const { start, length } = longestZeros(words);
  if (length < 2) return words.join(':');
  return `${words.slice(0, start).join(':')}::${words.slice(start + length).join(':')}`;
}

function longestZeros(words: readonly string[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let start = 0;
  words.forEach((word, i) => {
    if (word !== '0') start = i + 1;
    else if (i + 1 - start > longest.length) longest = { start, length: i + 1 - start };
  });
  return longest;
}
