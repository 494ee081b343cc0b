import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { create } from 'tar';

/** Providers are left out: the apply installs them again from the lock file. */
const PROVIDERS = /(^|\/)\.terraform\/providers(\/|$)/;

/**
 * Writes a tar.gz of folders.
 * @param from parent of the folders
 */
export async function pack(from: string, folders: readonly string[], to: string, signal: AbortSignal): Promise<void> {
  const archive = create({ cwd: from, gzip: { level: 1 }, portable: true, filter: (path) => !PROVIDERS.test(path) }, [
    ...folders,
  ]);
  await pipeline(archive, createWriteStream(to, { mode: 0o600 }), { signal });
}
