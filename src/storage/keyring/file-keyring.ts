import { stat } from 'node:fs/promises';
import type { Keyring } from '../keyring.ts';
import { createKeyringOf } from '../sealing.ts';
import { mayPass, readKeyring } from './keyring-store.ts';
import { type DatedKeys, refusal } from './keyring-text.ts';
import type { KeyringPlace } from './wrap/settings.ts';

/** How often the file is looked at, milliseconds. Far less than `keyring rotate` waits before a new key seals. */
const LOOK = 5_000;

/** The keys of a file, which may change while it is in use: a key is added, or one that nothing needs taken out. */
export class FileKeyring implements Keyring {
  readonly #place: KeyringPlace;
  #keyring: Keyring;
  /** What the file looked like when it was last read; undefined when it is to be read anew. */
  #seen: string | undefined;
  /** What was told last of a file that cannot be used; undefined when what it holds is in use. */
  #told: string | undefined;
  #isLooking = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param seen what the file looked like before it was read */
  constructor(place: KeyringPlace, keys: DatedKeys, seen: string | undefined) {
    this.#place = place;
    this.#keyring = createKeyringOf(keys);
    this.#seen = seen;
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

  /** Whether the keys in use are those of the file, as far as anybody knows. */
  get isCurrent(): boolean {
    return this.#told === undefined;
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
    const { file, wrap } = this.#place;
    try {
      // One try: who follows the file makes the next one.
      const keys = await readKeyring({ file, ...(wrap && { wrap: { ...wrap, waitSeconds: 0 } }) });
      const keyring = createKeyringOf(keys);
      if (keyring.fingerprint !== this.#keyring.fingerprint)
        throw refusal(file, 'has become that of another installation: the keys from before stay in use');
      this.#keyring = keyring;
      this.#told = undefined;
    } catch (error) {
      this.#told = String(error);
      if (mayPass(error)) this.#seen = undefined;
      throw error;
    }
  }

  /**
   * Reads the file whenever it changes, until `unfollow`; again and again while whoever unwraps it does not answer.
   * @param report told once of a file that cannot be used, and why
   */
  follow(report: (error: unknown) => void): void {
    this.#timer = setInterval(() => void this.#look().catch(report), LOOK).unref();
  }

  unfollow(): void {
    clearInterval(this.#timer);
  }

  /** It is read anew when it is back. */
  #isGone(error: unknown): never {
    this.#seen = undefined;
    this.#told = String(error);
    throw error;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const told = this.#told;
    try {
      const seen = await lookOf(this.#place.file).catch((error: unknown) => this.#isGone(error));
      if (seen === this.#seen) return;
      this.#seen = seen;
      await this.reload();
    } catch (error) {
      if (String(error) !== told) throw error;
    } finally {
      this.#isLooking = false;
    }
  }
}

/** Changes whenever the file does. */
export async function lookOf(file: string): Promise<string> {
  const { ino, mtimeMs, size, mode } = await stat(file);
  return [ino, mtimeMs, size, mode].join(' ');
}
