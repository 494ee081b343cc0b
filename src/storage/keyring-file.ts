import { randomBytes } from 'node:crypto';
import { link, rm } from 'node:fs/promises';
import { systemClock } from '../lib/clock.ts';
import { FileKeyring } from './file-keyring.ts';
import { freshKey, keyringText, readKeyring, refusal, writeDraft } from './keyring-text.ts';
import { syncFolder } from './sync-folder.ts';

/**
 * Creates the file with fresh keys, for its owner alone. It is there whole, or not at all.
 * @throws StorageError when it is there already, or cannot be written.
 */
export async function createKeyring(file: string): Promise<FileKeyring> {
  const keys = { encryption: new Map([[1, freshKey()]]), hash: freshKey(), created: new Map([[1, systemClock()]]) };
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeDraft(draft, keyringText(keys));
    // Unlike a rename, a link never replaces a file.
    await link(draft, file);
    await syncFolder(file);
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    throw refusal(file, exists ? 'exists already: it is never replaced' : 'cannot be created', cause);
  } finally {
    await rm(draft, { force: true });
  }
  return openKeyring(file);
}

/** @throws StorageError when the file is absent, malformed, or may be read by others than its owner. */
export async function openKeyring(file: string): Promise<FileKeyring> {
  return new FileKeyring(file, await readKeyring(file));
}
