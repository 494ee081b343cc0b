/** The same bytes in memory that holds nothing else, so that it can be handed over. What is small often shares its memory. */
export function withOwnMemory(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength === bytes.byteLength ? bytes : new Uint8Array(bytes);
}
