/** What a client may present besides its own certificate. More is not looked at: only the leaf is. */
export const PRESENTED_LIMITS = {
  /** @limit intermediates that a client presents, certificates -> none of them is used: 400 */
  certificates: 10,
  /**
   * Of all of them together.
   * @limit the same together, bytes -> none of them is used: 400
   */
  bytes: 32_768,
  /**
   * What may have come by the end of the handshake: all certificates, and 16 KiB for the rest.
   * @limit what a client sends in its handshake, bytes -> the intermediates in it are not read: 400
   */
  handshakeBytes: 49_152,
} as const;
