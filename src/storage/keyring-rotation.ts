import { chown, realpath, rename, rm, stat } from 'node:fs/promises';
import { type Clock, systemClock } from '../lib/clock.ts';
import {
  type DatedKeys,
  freshKey,
  keyringText,
  overwriteDraft,
  readKeyring,
  refusal,
  writeDraft,
} from './keyring-text.ts';
import { sealingVersion } from './sealing.ts';
import { syncFolder } from './sync-folder.ts';

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
export async function listKeys(file: string, clock: Clock = systemClock): Promise<KeyFacts[]> {
  const keys = await readKeyring(file);
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
export async function addKey(file: string, sealsFrom: number, clock: Clock = systemClock): Promise<number> {
  return change(file, (keys) => {
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
export async function removeKey(file: string, version: number, clock: Clock = systemClock): Promise<void> {
  await change(file, (keys) => {
    const encryption = new Map(keys.encryption);
    if (!encryption.delete(version)) throw refusal(file, `has no key ${version}`);
    if (sealingVersion(keys, clock()) <= version) throw refusal(file, `seals with key ${version}: it stays`);
    return [{ ...keys, encryption }, undefined];
  });
}

/** Whoever has made the draft is the only one to change the file. Readers see the old file or the new one. */
async function change<T>(name: string, changed: (keys: DatedKeys) => [DatedKeys, T]): Promise<T> {
  const file = await realpath(name).catch(() => name);
  const draft = `${file}.next`;
  await writeDraft(draft, '').catch((cause: NodeJS.ErrnoException) => {
    const taken = `is being changed by another command, or one was broken off: remove ${draft} if none runs`;
    throw refusal(file, cause.code === 'EEXIST' ? taken : `cannot be changed: ${cause.code}`, cause);
  });
  try {
    const [keys, result] = changed(await readKeyring(file));
    await overwriteDraft(draft, keyringText(keys));
    await giveTo(draft, file);
    await rename(draft, file);
    await syncFolder(file);
    return result;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The server may run as another user than the one who runs the command. */
async function giveTo(draft: string, file: string): Promise<void> {
  const [{ uid, gid }, ours] = [await stat(file), await stat(draft)];
  if (uid === ours.uid && gid === ours.gid) return;
  await chown(draft, uid, gid).catch((cause) => {
    throw refusal(file, 'belongs to another user: run the command as that user', cause);
  });
}
