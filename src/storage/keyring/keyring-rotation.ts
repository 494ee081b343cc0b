import { realpath, rename, rm } from 'node:fs/promises';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { sealingVersion } from '../sealing.ts';
import { syncFolder } from '../sync-folder.ts';
import { keyringTextFor, type Note, readKeyring } from './keyring-store.ts';
import { type DatedKeys, freshKey, overwriteDraft, refusal, writeDraft } from './keyring-text.ts';
import { giveTo } from './same-owner.ts';
import type { KeyringPlace } from './wrap/settings.ts';

/** What is known of a key, without the key. Times are milliseconds. */
export interface KeyFacts {
  readonly version: number;
  /** Undefined for one that was made before that was written down. */
  readonly created: number | undefined;
  /** 0: since it was made. */
  readonly sealsFrom: number;
  /** `next`: it opens, and will seal. `old`: another has taken its place. */
  readonly role: 'primary' | 'next' | 'old';
}

/** Newest first. @throws StorageError as openKeyring does */
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
 * Adds a key that opens at once and seals from that time on; the others stay.
 * @returns its version
 * @throws StorageError when the last one does not yet seal, or the file cannot be written
 */
export async function addKey(place: KeyringPlace, sealsFrom: number, clock: Clock = systemClock): Promise<number> {
  const { file } = place;
  return change(place, (keys) => {
    const newest = Math.max(...keys.encryption.keys());
    if (sealingVersion(keys, clock()) !== newest)
      throw refusal(file, `has key ${newest} already, which does not seal yet: wait for it`);
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

/** Takes a key out for good. Whether anything is sealed by it, the caller has asked. @throws StorageError for the one that seals */
export async function removeKey(place: KeyringPlace, version: number, clock: Clock = systemClock): Promise<void> {
  const { file } = place;
  await change(place, (keys) => {
    const encryption = new Map(keys.encryption);
    if (!encryption.delete(version)) throw refusal(file, `has no key ${version}`);
    if (sealingVersion(keys, clock()) <= version) throw refusal(file, `seals with key ${version}: it stays`);
    return [{ ...keys, encryption }, undefined];
  });
}

function change<T>(place: KeyringPlace, changed: (keys: DatedKeys) => [DatedKeys, T]): Promise<T> {
  return rewrite(place, async () => changed(await readKeyring(place)));
}

/**
 * Writes the file anew, as the place says that it lies there, with what comes of the work. Whoever has made the draft is the only
 * one to change the file. Readers see the old file or the new one.
 * @throws StorageError when the file cannot be written or wrapped, or does not open as it was written; it is as it was then
 */
export async function rewrite<T>(place: KeyringPlace, work: () => Promise<[DatedKeys, T]>, note?: Note): Promise<T> {
  const { wrap } = place;
  const file = await realpath(place.file).catch(() => place.file);
  const draft = `${file}.next`;
  await writeDraft(draft, '').catch((cause: NodeJS.ErrnoException) => {
    const taken = `is being changed by another command, or one was broken off: remove ${draft} if none runs`;
    throw refusal(file, cause.code === 'EEXIST' ? taken : `cannot be changed: ${cause.code}`, cause);
  });
  try {
    const [keys, result] = await work();
    await overwriteDraft(draft, await keyringTextFor(place, keys, note));
    // Whoever may wrap may not be allowed to unwrap: that is found out before the file is replaced.
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
