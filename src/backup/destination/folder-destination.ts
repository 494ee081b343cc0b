import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError, syncFolder } from '../../storage/index.ts';
import { type BackupDestination, Counted, type StoredBackup } from './destination.ts';
import { isName } from './names.ts';

const DRAFT = '.draft';

/**
 * Backups as files that only their owner can read. The folder must exist: creating it could hide that a disk is not
 * mounted.
 */
export class FolderDestination implements BackupDestination {
  readonly address: string;

  /** @param address an absolute path */
  constructor(address: string) {
    this.address = address;
  }

  async write(name: string, content: AsyncIterable<Uint8Array>): Promise<number> {
    const path = join(this.address, name);
    if (await exists(path)) throw new StorageError(`${path} already exists: choose another name`);
    const draft = path + DRAFT;
    const counted = new Counted(content);
    // Must come before the clean-up below: an existing draft belongs to another process.
    const file = await open(draft, 'wx', 0o600).catch((error) => refuseDraft(draft, error));
    try {
      await writeDurably(file, draft, counted);
      await rename(draft, path).catch((error) => refuse(path, error));
      await syncFolder(path);
      return counted.bytes;
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      throw error;
    }
  }

  async read(name: string, most?: number): Promise<AsyncIterable<Uint8Array>> {
    const path = join(this.address, name);
    const file = await open(path).catch((error) => refuse(path, error));
    return createReadStream('', { fd: file, ...(most !== undefined && { end: most - 1 }) });
  }

  async list(): Promise<StoredBackup[]> {
    const names = await readdir(this.address).catch((error) => refuse(this.address, error));
    const found = await Promise.all(
      names.filter(isName).map(async (name) => {
        const file = await stat(join(this.address, name)).catch(gone);
        return file?.isFile() ? [{ name, bytes: file.size }] : [];
      }),
    );
    return found.flat();
  }

  async remove(name: string): Promise<void> {
    const path = join(this.address, name);
    await rm(path, { force: true }).catch((error) => refuse(path, error));
  }

  async sweep(before: number): Promise<void> {
    const names = await readdir(this.address).catch((error) => refuse(this.address, error));
    for (const name of names) {
      if (!name.endsWith(DRAFT) || !isName(name.slice(0, -DRAFT.length))) continue;
      const path = join(this.address, name);
      const mtimeMs = (await stat(path).catch(gone))?.mtimeMs ?? before;
      if (mtimeMs < before) await rm(path, { force: true });
    }
  }

  close(): void {}
}

function refuseDraft(draft: string, error: NodeJS.ErrnoException): never {
  if (error.code !== 'EEXIST') refuse(draft, error);
  throw new StorageError(
    `${draft} exists: another process is writing it, or was interrupted; remove it if none is running, or choose another name`,
  );
}

async function writeDurably(file: FileHandle, path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const part of content)
      for (let at = 0; at < part.length; )
        at += (await file.write(part, at).catch((error) => refuse(path, error))).bytesWritten;
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Another node may remove the file at the same time. */
function gone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder; create the folder for backups first',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'permission denied',
  ENOSPC: 'the disk is full',
};

function refuse(path: string, cause: NodeJS.ErrnoException): never {
  throw new StorageError(`${path} cannot be used: ${REASONS[cause.code ?? ''] ?? cause.message}`, { cause });
}
