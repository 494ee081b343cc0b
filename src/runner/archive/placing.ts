import { link, mkdir, open, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ReadEntry } from 'tar';
import { JobFailure } from '../ports.ts';
import type { ArchiveBounds } from './bounds.ts';
import { nameInside, shown, staysInside } from './names.ts';

/** Puts what an archive has into a folder that is empty and nobody else's. What is left half done when one is refused is the caller's to remove. */
export class Placing {
  readonly #into: string;
  readonly #bounds: ArchiveBounds;
  /** Symbolic links, as they are called inside: nothing is put behind one. */
  readonly #links = new Set<string>();
  #entries = 0;
  #bytes = 0;

  constructor(into: string, bounds: ArchiveBounds) {
    this.#into = into;
    this.#bounds = bounds;
  }

  /**
   * Takes all of an entry.
   * @throws JobFailure for one that is not to be had in an archive
   */
  async place(entry: ReadEntry): Promise<void> {
    this.#count(entry.size);
    const name = nameInside(entry.path);
    this.#notBehindLink(name, entry.path);
    switch (entry.type) {
      case 'File':
      case 'OldFile':
      case 'ContiguousFile':
        return await this.#file(name, entry);
      case 'Directory':
        await this.#folder(name);
        break;
      case 'SymbolicLink':
        await this.#symbolicLink(name, entry.linkpath ?? '');
        break;
      case 'Link':
        await this.#hardLink(name, entry.linkpath ?? '');
        break;
      default:
        throw new JobFailure(`${shown(entry.path)} is neither a file, a folder nor a link`);
    }
    entry.resume();
  }

  #count(size: number): void {
    if (++this.#entries > this.#bounds.entries) {
      throw new JobFailure(`it has more than ${this.#bounds.entries} files and folders`);
    }
    this.#bytes += size;
    if (this.#bytes > this.#bounds.bytes) throw new JobFailure(`it holds more than ${this.#bounds.bytes} bytes`);
  }

  #notBehindLink(name: string, said: string): void {
    for (let end = name.indexOf('/'); end >= 0; end = name.indexOf('/', end + 1)) {
      if (this.#links.has(name.slice(0, end))) throw new JobFailure(`${shown(said)} lies behind a link`);
    }
  }

  async #folder(name: string): Promise<void> {
    if (this.#links.has(name)) throw new JobFailure(`${shown(name)} is a link and a folder`);
    await mkdir(join(this.#into, name), { recursive: true });
  }

  async #file(name: string, entry: ReadEntry): Promise<void> {
    const path = await this.#room(name);
    const isExecutable = ((entry.mode ?? 0) & 0o100) !== 0;
    const file = await open(path, 'wx', isExecutable ? 0o755 : 0o644);
    try {
      for await (const chunk of entry) await file.writeFile(chunk);
    } finally {
      await file.close();
    }
  }

  async #symbolicLink(name: string, target: string): Promise<void> {
    if (!this.#bounds.mayLeadOut && !staysInside(name, target)) {
      throw new JobFailure(`the link ${shown(name)} leads out of it, to ${shown(target)}`);
    }
    await symlink(target, await this.#room(name));
    this.#links.add(name);
  }

  async #hardLink(name: string, target: string): Promise<void> {
    const source = nameInside(target);
    this.#notBehindLink(source, target);
    if (this.#links.has(source)) throw new JobFailure(`${shown(name)} is a link to a link`);
    await link(join(this.#into, source), await this.#room(name));
  }

  /** Of two with one name, the later counts. */
  async #room(name: string): Promise<string> {
    if (name === '') throw new JobFailure('its folder is not a folder');
    const path = join(this.#into, name);
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { force: true });
    this.#links.delete(name);
    return path;
  }
}
