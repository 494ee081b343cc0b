/**
 * The keys of a server (design: encryption at rest). Encryption keys have versions, so that they can be rotated. The
 * hash key never changes, because a hash cannot be computed again without the secret.
 */
export interface Keyring {
  /**
   * Encrypts `plaintext` (AES-256-GCM, random nonce, newest key). `context` contains the kind and owner of the value
   * (`ssh-key/sshkey-1`). Decryption needs the same context, so a value cannot be moved to another row.
   */
  encrypt(plaintext: Uint8Array, context: string): Uint8Array;
  /** @throws KeyringError if the key is unknown, the context differs or a byte was changed */
  decrypt(sealed: Uint8Array, context: string): Uint8Array;
  /** HMAC-SHA-256 of a secret with a key derived for `purpose`, 32 bytes. It is stored instead of a token. */
  hash(secret: string, purpose: string): Uint8Array;
  /** Compares two hashes in constant time. */
  matches(secret: string, purpose: string, hash: Uint8Array): boolean;
  /**
   * Identifies the keyring without revealing it. It is stored in the database, so that a wrong keyring is refused at
   * the start.
   */
  readonly fingerprint: string;
  /** Version of the key that encrypts: the newest one that is active. */
  readonly version: number;
  /** Versions of all keys that decrypt, lowest first. */
  readonly versions: readonly number[];
}

/** An encrypted value that these keys cannot decrypt. The message has the reason and nothing of the value. */
export class KeyringError extends Error {
  override readonly name = 'KeyringError';
}
