import { stat } from 'node:fs/promises';
import { PeriodicTask, type ReportError } from '../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../lib/background/task-definition.ts';
import type { Keyring } from '../keyring.ts';
import { createKeyringOf } from '../sealing.ts';
import { mayPass, readKeyring } from './keyring-store.ts';
import { type DatedKeys, refusal } from './keyring-text.ts';
import type { KeyringPlace } from './wrap/settings.ts';

const READING: TaskDefinition = {
  name: 'keyring-file',
  description: 'Reads the keyring file when it has changed.',
  runsOn: 'every process',
  // Far shorter than the time that `keyring rotate` waits before a new key encrypts.
  period: 5_000,
};

/** The keys of a file that may change while it is in use: keys are added, and unused ones removed. */
export class FileKeyring implements Keyring {
  readonly #place: KeyringPlace;
  #keyring: Keyring;
  /** Fingerprint of the file at the last read; undefined to read it again. */
  #seen: string | undefined;
  /** Why the keys of the file are not in use; undefined while they are. */
  #fault: unknown;

  /** @param seen fingerprint of the file before it was read */
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

  /** Whether the keys in use are those of the file, as far as known. */
  get isCurrent(): boolean {
    return this.#fault === undefined;
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
   * Reads the file again. If this fails the current keys stay in use.
   * @throws StorageError in this case, and if the keyring belongs to another server
   */
  async reload(): Promise<void> {
    const { file, wrap } = this.#place;
    try {
      // Reads the file once; `following` retries.
      const keys = await readKeyring({ file, ...(wrap && { wrap: { ...wrap, waitSeconds: 0 } }) });
      const keyring = createKeyringOf(keys);
      if (keyring.fingerprint !== this.#keyring.fingerprint)
        throw refusal(file, 'now belongs to another server: the previous keys stay in use');
      this.#keyring = keyring;
      this.#fault = undefined;
    } catch (error) {
      this.#fault = error;
      if (mayPass(error)) this.#seen = undefined;
      throw error;
    }
  }

  /**
   * Returns the task that reads the file whenever it changes, and retries while the wrapping service does not respond.
   * @param report called once with the fault of a file that cannot be used
   */
  following(report: ReportError): PeriodicTask {
    let isNews = true;
    const round = async () => {
      const before = this.#fault;
      await this.#look().catch((error: unknown) => {
        isNews = String(error) !== String(before);
        throw error;
      });
    };
    return PeriodicTask.every(READING, round, (error, task) => {
      if (isNews) report(error, task);
    });
  }

  /** Makes sure that the file is read again when it is back. */
  #isGone(error: unknown): never {
    this.#seen = undefined;
    this.#fault = error;
    throw error;
  }

  /** @throws the fault of the file, for as long as it lasts */
  async #look(): Promise<void> {
    const seen = await lookOf(this.#place.file).catch((error: unknown) => this.#isGone(error));
    if (seen === this.#seen) {
      if (this.#fault !== undefined) throw this.#fault;
      return;
    }
    this.#seen = seen;
    await this.reload();
  }
}

/** Returns a fingerprint that changes with the file. */
export async function lookOf(file: string): Promise<string> {
  const { ino, mtimeMs, size, mode } = await stat(file);
  return [ino, mtimeMs, size, mode].join(' ');
}
