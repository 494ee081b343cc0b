import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { create } from 'tar';

/** Providers are fetched again, by what the lock file says of them. */
const PROVIDERS = /(^|\/)\.terraform\/providers(\/|$)/;

/**
 * Writes a tar.gz of folders.
 * @param from the folder that they lie in
 */
export async function pack(from: string, folders: readonly string[], to: string, signal: AbortSignal): Promise<void> {
  const archive = create({ cwd: from, gzip: { level: 1 }, portable: true, filter: (path) => !PROVIDERS.test(path) }, [
    ...folders,
  ]);
  await pipeline(archive, createWriteStream(to, { mode: 0o600 }), { signal });
}
