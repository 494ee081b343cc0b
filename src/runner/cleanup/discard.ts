import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { chmod, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Prefix of folders that are being removed, in the folder of an agent. */
const DISCARDED = 'discarded-';

/**
 * Renames a folder, so that its old path is free immediately.
 * @param base the folder of the agent, on the same file system
 * @returns the path to remove
 */
export function moveAside(base: string, folder: string): string {
  const discarded = join(base, `${DISCARDED}${randomUUID()}`);
  renameSync(folder, discarded);
  return discarded;
}

/** Removes a folder that `moveAside` renamed. Does not throw: the next start of the agent tries again. */
export async function removeDiscarded(discarded: string): Promise<void> {
  await rm(discarded, { recursive: true, force: true })
    .catch(() => removeLevelByLevel(discarded))
    .catch(() => {});
}

/** Removes folders that earlier jobs and agents could not remove. Does not throw. */
export async function removeAllDiscarded(base: string): Promise<void> {
  const names = await readdir(base).catch(() => []);
  for (const name of names) if (name.startsWith(DISCARDED)) await removeDiscarded(join(base, name));
}

/**
 * Removes a folder for which a recursive removal fails, because folders in it are read-only or nested thousands of
 * levels deep. Makes each folder writable and moves its subfolders up, which keeps every path short.
 */
async function removeLevelByLevel(root: string): Promise<void> {
  await chmod(root, 0o700);
  for (let folders = await foldersLeftIn(root); folders.length > 0; folders = await foldersLeftIn(root)) {
    for (const folder of folders) {
      for (const inner of await foldersLeftIn(folder)) await rename(inner, join(root, randomUUID()));
      await rmdir(folder);
    }
  }
  await rmdir(root);
}

/** Removes the files in a folder. @returns the folders in it, writable; names are bytes, which need not be UTF-8 */
async function foldersLeftIn(folder: Buffer | string): Promise<Buffer[]> {
  const folders: Buffer[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
    const path = Buffer.concat([Buffer.from(folder), Buffer.from('/'), entry.name]);
    if (entry.isDirectory()) {
      await chmod(path, 0o700);
      folders.push(path);
    } else await unlink(path);
  }
  return folders;
}
