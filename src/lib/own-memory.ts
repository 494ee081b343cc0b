/**
 * Returns the bytes in an ArrayBuffer of their own, which can be transferred to a thread. Small buffers often share a
 * pool.
 */
export function withOwnMemory(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength === bytes.byteLength ? bytes : new Uint8Array(bytes);
}
