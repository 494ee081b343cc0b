/**
 * The keys of one installation (design: encryption at rest). Encryption keys have versions, so that they can be rotated;
 * the hash key stays, since a hash cannot be made anew without the secret.
 */
export interface Keyring {
  /**
   * Seals `plaintext` (AES-256-GCM, fresh nonce, newest key). `context` says what it is and whose (`ssh-key/sshkey-1`): the
   * same context opens it, so a row cannot be passed off as another's.
   */
  encrypt(plaintext: Uint8Array, context: string): Uint8Array;
  /** @throws KeyringError when the key is unknown, the context differs or a byte was changed. */
  decrypt(sealed: Uint8Array, context: string): Uint8Array;
  /** HMAC-SHA-256 of a secret under a key derived for `purpose`: what is stored in place of a token. 32 bytes. */
  hash(secret: string, purpose: string): Uint8Array;
  /** Compares in constant time. */
  matches(secret: string, purpose: string, hash: Uint8Array): boolean;
  /** Tells keyrings apart without revealing one: stored in the database, so that a wrong keyring is refused at start. */
  readonly fingerprint: string;
  /** Of the key that seals: the newest one whose time has come. */
  readonly version: number;
  /** Of all keys that open, lowest first. */
  readonly versions: readonly number[];
}

/** A sealed value that these keys do not open. Says why, never what. */
export class KeyringError extends Error {
  override readonly name = 'KeyringError';
}
