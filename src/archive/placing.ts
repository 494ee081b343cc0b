import { link, mkdir, open, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ReadEntry } from 'tar';
import type { ArchiveBounds } from './bounds.ts';
import { EntryRules } from './entry-rules.ts';

/**
 * Extracts entries of an archive into an empty folder that nothing else uses. After an error the caller removes the
 * folder.
 */
export class Placing {
  readonly #into: string;
  readonly #rules: EntryRules;

  constructor(into: string, bounds: ArchiveBounds) {
    this.#into = into;
    this.#rules = new EntryRules(bounds);
  }

  /**
   * Extracts one entry.
   * @throws ArchiveProblem for an entry that the rules do not allow
   */
  async place(entry: ReadEntry): Promise<void> {
    const ruled = this.#rules.next(entry);
    const path = join(this.#into, ruled.name);
    if (ruled.kind === 'file') return await this.#file(path, entry);
    if (ruled.kind === 'folder') await mkdir(path, { recursive: true });
    else await this.#makeRoom(path);
    if (ruled.kind === 'symbolic-link') await symlink(ruled.target, path);
    if (ruled.kind === 'hard-link') await link(join(this.#into, ruled.target), path);
    entry.resume();
  }

  async #file(path: string, entry: ReadEntry): Promise<void> {
    await this.#makeRoom(path);
    const isExecutable = ((entry.mode ?? 0) & 0o100) !== 0;
    const file = await open(path, 'wx', isExecutable ? 0o755 : 0o644);
    try {
      for await (const chunk of entry) await file.writeFile(chunk);
    } finally {
      await file.close();
    }
  }

  /** If two entries have the same name, the later one replaces the earlier one. */
  async #makeRoom(path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { force: true });
  }
}
