import type { ReadEntry } from 'tar';
import type { ArchiveBounds } from './bounds.ts';
import { nameInside, shown, staysInside } from './names.ts';
import { ArchiveProblem } from './problem.ts';

/** @limit names of links in an archive, together, characters -> its upload is 422; the run fails, and says so */
const MAX_LINK_NAMES = 16_777_216;

/** An entry that may be unpacked, by the name that it has inside. */
export type Entry =
  | { readonly kind: 'file' | 'folder'; readonly name: string }
  | { readonly kind: 'symbolic-link' | 'hard-link'; readonly name: string; readonly target: string };

/** Says of each entry of an archive whether it may be unpacked, whoever reads the archive. Nothing of it is written. */
export class EntryRules {
  readonly #bounds: Pick<ArchiveBounds, 'entries' | 'bytes' | 'mayLeadOut'>;
  /** Symbolic links, as they are called inside: nothing is put behind one. */
  readonly #links = new Set<string>();
  #linkNames = 0;
  #entries = 0;
  #bytes = 0;

  constructor(bounds: Pick<ArchiveBounds, 'entries' | 'bytes' | 'mayLeadOut'>) {
    this.#bounds = bounds;
  }

  /** @throws ArchiveProblem for one that is not to be had in an archive */
  next({ path, type, size, linkpath = '' }: Pick<ReadEntry, 'path' | 'type' | 'size' | 'linkpath'>): Entry {
    this.#count(size);
    const name = nameInside(path);
    this.#notBehindLink(name, path);
    switch (type) {
      case 'File':
      case 'OldFile':
      case 'ContiguousFile':
        return { kind: 'file', name: this.#replaceable(name) };
      case 'Directory':
        if (this.#links.has(name)) throw new ArchiveProblem(`${shown(name)} is a link and a folder`);
        return { kind: 'folder', name };
      case 'SymbolicLink':
        return this.#symbolicLink(name, linkpath);
      case 'Link':
        return this.#hardLink(name, linkpath);
      default:
        throw new ArchiveProblem(`${shown(path)} is neither a file, a folder nor a link`);
    }
  }

  #count(size: number): void {
    if (++this.#entries > this.#bounds.entries) {
      throw new ArchiveProblem(`it has more than ${this.#bounds.entries} files and folders`);
    }
    this.#bytes += size;
    if (this.#bytes > this.#bounds.bytes) throw new ArchiveProblem(`it holds more than ${this.#bounds.bytes} bytes`);
  }

  #notBehindLink(name: string, said: string): void {
    for (let end = name.indexOf('/'); end >= 0; end = name.indexOf('/', end + 1)) {
      if (this.#links.has(name.slice(0, end))) throw new ArchiveProblem(`${shown(said)} lies behind a link`);
    }
  }

  #symbolicLink(name: string, target: string): Entry {
    if (!this.#bounds.mayLeadOut && !staysInside(name, target)) {
      throw new ArchiveProblem(`the link ${shown(name)} leads out of it, to ${shown(target)}`);
    }
    this.#links.add(this.#replaceable(name));
    this.#linkNames += name.length;
    if (this.#linkNames > MAX_LINK_NAMES) throw new ArchiveProblem('it has too many links');
    return { kind: 'symbolic-link', name, target };
  }

  #hardLink(name: string, target: string): Entry {
    const source = nameInside(target);
    this.#notBehindLink(source, target);
    if (this.#links.has(source)) throw new ArchiveProblem(`${shown(name)} is a link to a link`);
    return { kind: 'hard-link', name: this.#replaceable(name), target: source };
  }

  /** Of two with one name, the later counts. */
  #replaceable(name: string): string {
    if (name === '') throw new ArchiveProblem('its folder is not a folder');
    this.#links.delete(name);
    return name;
  }
}
