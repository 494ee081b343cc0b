import { createReadStream } from 'node:fs';
import { glob, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { MigrationError } from '../model/errors.ts';
import type { StatePattern } from './pattern.ts';
import { type FoundState, MAX_FILES, type StatePlace } from './state-place.ts';

/** State files below a folder. */
export class FolderPlace implements StatePlace {
  readonly name: string;
  readonly #pattern: StatePattern;

  constructor(folder: string, pattern: StatePattern) {
    this.name = resolve(folder);
    this.#pattern = pattern;
  }

  async list(): Promise<readonly FoundState[]> {
    const folder = await stat(this.name).catch(() => undefined);
    if (!folder?.isDirectory()) throw new MigrationError('invalid', `there is no folder ${this.name}`);
    const found: FoundState[] = [];
    for await (const entry of glob('**/*', { cwd: this.name, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      const path = file.slice(join(this.name, '/').length);
      if (this.#pattern.match(path) === undefined) continue;
      const { size } = await stat(file);
      found.push({ path, state: { serial: undefined, size, open: async () => createReadStream(file) } });
      if (found.length > MAX_FILES)
        throw new MigrationError('failed', `${this.name} has more than ${MAX_FILES} states`);
    }
    return found;
  }

  async close(): Promise<void> {}
}
