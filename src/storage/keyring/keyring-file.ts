import { randomBytes } from 'node:crypto';
import { link, rm } from 'node:fs/promises';
import { systemClock } from '../../lib/clock.ts';
import { StorageError } from '../errors.ts';
import { syncFolder } from '../sync-folder.ts';
import { FileKeyring, lookOf } from './file-keyring.ts';
import { keyringTextFor, type Note, readKeyring } from './keyring-store.ts';
import { type DatedKeys, freshKey, refusal, writeDraft } from './keyring-text.ts';
import { giveTo } from './same-owner.ts';
import type { KeyringPlace } from './wrap/settings.ts';

/**
 * Creates the file with new keys, readable only by its owner. The file appears atomically.
 * @throws StorageError if it exists, or cannot be written or wrapped
 */
export async function createKeyring(place: KeyringPlace, note?: Note): Promise<FileKeyring> {
  const keys = { encryption: new Map([[1, freshKey()]]), hash: freshKey(), created: new Map([[1, systemClock()]]) };
  await writeNew(place, keys, { note });
  return openKeyring(place, note);
}

/**
 * Writes keys to a new file.
 * @param as a file whose owner the new file gets; by default the current user
 * @throws StorageError if it exists, cannot be written or wrapped, or does not open afterwards
 */
export async function writeNew(
  { file, wrap }: KeyringPlace,
  keys: DatedKeys,
  { as, note }: { readonly as?: string; readonly note?: Note | undefined } = {},
): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeDraft(draft, await keyringTextFor({ file, ...(wrap && { wrap }) }, keys, note));
    // A user who may wrap may not be allowed to unwrap: this check finds out now.
    if (wrap) await readKeyring({ file: draft, wrap }, note);
    if (as !== undefined) await giveTo(draft, as);
    // Unlike a rename, a link never replaces a file.
    await link(draft, file);
    await syncFolder(file);
  } catch (cause) {
    if (cause instanceof StorageError) throw cause;
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    throw refusal(file, exists ? 'already exists: it is never replaced' : 'cannot be created', cause);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Reads the file. If it is wrapped, unwraps it with retries for a while.
 * @throws StorageError if the file is missing, malformed, readable by others than its owner, or cannot be unwrapped
 */
export async function openKeyring(place: KeyringPlace, note?: Note): Promise<FileKeyring> {
  const seen = await lookOf(place.file).catch(() => undefined);
  return new FileKeyring(place, await readKeyring(place, note), seen);
}
