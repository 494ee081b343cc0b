import { realpath, rename, rm } from 'node:fs/promises';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { sealingVersion } from '../sealing.ts';
import { syncFolder } from '../sync-folder.ts';
import { keyringTextFor, type Note, readKeyring } from './keyring-store.ts';
import { type DatedKeys, freshKey, overwriteDraft, refusal, writeDraft } from './keyring-text.ts';
import { giveTo } from './same-owner.ts';
import type { KeyringPlace } from './wrap/settings.ts';

/** Metadata of a key. Times are milliseconds. */
export interface KeyFacts {
  readonly version: number;
  /** Creation time. Undefined for a key from before this field existed. */
  readonly created: number | undefined;
  /** Time from which the key encrypts. 0 if it encrypts since its creation. */
  readonly sealsFrom: number;
  /** `primary` encrypts. `next` decrypts and will encrypt. `old` was replaced and only decrypts. */
  readonly role: 'primary' | 'next' | 'old';
}

/**
 * Returns the keys, newest first.
 * @throws StorageError like openKeyring
 */
export async function listKeys(place: KeyringPlace, clock: Clock = systemClock): Promise<KeyFacts[]> {
  const keys = await readKeyring(place);
  const primary = sealingVersion(keys, clock());
  return [...keys.encryption.keys()]
    .toSorted((a, b) => b - a)
    .map((version) => ({
      version,
      created: keys.created.get(version),
      sealsFrom: keys.sealsFrom?.get(version) ?? 0,
      role: version === primary ? 'primary' : version > primary ? 'next' : 'old',
    }));
}

/**
 * Adds a key that decrypts at once and encrypts from the given time on; the other keys stay.
 * @returns its version
 * @throws StorageError if the last key does not encrypt yet, or the file cannot be written
 */
export async function addKey(place: KeyringPlace, sealsFrom: number, clock: Clock = systemClock): Promise<number> {
  const { file } = place;
  return change(place, (keys) => {
    const newest = Math.max(...keys.encryption.keys());
    if (sealingVersion(keys, clock()) !== newest)
      throw refusal(file, `has key ${newest} already, which does not encrypt yet: wait for it`);
    const version = newest + 1;
    const changed = {
      ...keys,
      encryption: new Map([...keys.encryption, [version, freshKey()]]),
      created: new Map([...keys.created, [version, clock()]]),
      sealsFrom: new Map([...(keys.sealsFrom ?? []), [version, sealsFrom]]),
    };
    return [changed, version];
  });
}

/**
 * Removes a key permanently. The caller must have checked that nothing is encrypted with it.
 * @throws StorageError for the key that encrypts
 */
export async function removeKey(place: KeyringPlace, version: number, clock: Clock = systemClock): Promise<void> {
  const { file } = place;
  await change(place, (keys) => {
    const encryption = new Map(keys.encryption);
    if (!encryption.delete(version)) throw refusal(file, `has no key ${version}`);
    if (sealingVersion(keys, clock()) <= version)
      throw refusal(file, `encrypts with key ${version}: it cannot be removed`);
    return [{ ...keys, encryption }, undefined];
  });
}

function change<T>(place: KeyringPlace, changed: (keys: DatedKeys) => [DatedKeys, T]): Promise<T> {
  return rewrite(place, async () => changed(await readKeyring(place)));
}

/**
 * Replaces the file atomically with the result of `work`, wrapped as the place requires. The draft serves as a lock:
 * only the process that created it changes the file. Readers see the old or the new file.
 * @throws StorageError if the file cannot be written or wrapped, or does not open afterwards; it is then unchanged
 */
export async function rewrite<T>(place: KeyringPlace, work: () => Promise<[DatedKeys, T]>, note?: Note): Promise<T> {
  const { wrap } = place;
  const file = await realpath(place.file).catch(() => place.file);
  const draft = `${file}.next`;
  await writeDraft(draft, '').catch((cause: NodeJS.ErrnoException) => {
    const taken = `is being changed by another command, or one was interrupted: remove ${draft} if none is running`;
    throw refusal(file, cause.code === 'EEXIST' ? taken : `cannot be changed: ${cause.code}`, cause);
  });
  try {
    const [keys, result] = await work();
    await overwriteDraft(draft, await keyringTextFor(place, keys, note));
    // A user who may wrap may not be allowed to unwrap: this check finds out before the file is replaced.
    if (wrap) await readKeyring({ file: draft, wrap }, note);
    await giveTo(draft, file);
    await rename(draft, file);
    await syncFolder(file);
    return result;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
