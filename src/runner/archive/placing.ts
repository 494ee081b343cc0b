import { link, mkdir, open, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ReadEntry } from 'tar';
import type { ArchiveBounds } from '../../lib/archive/bounds.ts';
import { EntryRules } from '../../lib/archive/entry-rules.ts';

/** Puts what an archive has into a folder that is empty and nobody else's. What is left half done when one is refused is the caller's to remove. */
export class Placing {
  readonly #into: string;
  readonly #rules: EntryRules;

  constructor(into: string, bounds: ArchiveBounds) {
    this.#into = into;
    this.#rules = new EntryRules(bounds);
  }

  /**
   * Takes all of an entry.
   * @throws ArchiveProblem for one that is not to be had in an archive
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

  /** Of two with one name, the later counts. */
  async #makeRoom(path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { force: true });
  }
}
