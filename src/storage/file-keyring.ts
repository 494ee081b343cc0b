import { stat } from 'node:fs/promises';
import type { Keyring } from './keyring.ts';
import { type DatedKeys, readKeyring, refusal } from './keyring-text.ts';
import { createKeyringOf } from './sealing.ts';

/** How often the file is looked at, milliseconds. Far less than `keyring rotate` waits before a new key seals. */
const LOOK = 5_000;

/** The keys of a file, which may change while it is in use: a key is added, or one that nothing needs taken out. */
export class FileKeyring implements Keyring {
  readonly #file: string;
  #keyring: Keyring;
  /** What the file looked like when it was last read; undefined until somebody follows it. */
  #seen: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(file: string, keys: DatedKeys) {
    this.#file = file;
    this.#keyring = createKeyringOf(keys);
  }

  get fingerprint(): string {
    return this.#keyring.fingerprint;
  }

  get version(): number {
    return this.#keyring.version;
  }

  get versions(): readonly number[] {
    return this.#keyring.versions;
  }

  encrypt(plaintext: Uint8Array, context: string): Uint8Array {
    return this.#keyring.encrypt(plaintext, context);
  }

  decrypt(sealed: Uint8Array, context: string): Uint8Array {
    return this.#keyring.decrypt(sealed, context);
  }

  hash(secret: string, purpose: string): Uint8Array {
    return this.#keyring.hash(secret, purpose);
  }

  matches(secret: string, purpose: string, hash: Uint8Array): boolean {
    return this.#keyring.matches(secret, purpose, hash);
  }

  /**
   * Reads the file anew. What was there stays in use when it cannot be read.
   * @throws StorageError then, and when it is the keyring of another installation
   */
  async reload(): Promise<void> {
    const keyring = createKeyringOf(await readKeyring(this.#file));
    if (keyring.fingerprint !== this.#keyring.fingerprint)
      throw refusal(this.#file, 'has become that of another installation: the keys from before stay in use');
    this.#keyring = keyring;
  }

  /** Reads the file whenever it changes, until `unfollow`. @param report told of a file that cannot be used */
  follow(report: (error: unknown) => void): void {
    this.#timer = setInterval(() => void this.#look().catch(report), LOOK).unref();
  }

  unfollow(): void {
    clearInterval(this.#timer);
  }

  /** A file that cannot be used is told of once. */
  async #look(): Promise<void> {
    const { ino, mtimeMs, size, mode } = await stat(this.#file);
    const seen = [ino, mtimeMs, size, mode].join(' ');
    if (seen === this.#seen) return;
    this.#seen = seen;
    await this.reload();
  }
}
