import type { ReadEntry } from 'tar';
import type { ArchiveBounds } from './bounds.ts';
import { MAX_NAME, nameInside, shown, staysInside } from './names.ts';
import { ArchiveProblem } from './problem.ts';

/**
 * @limit total length of the names of files, folders and links in an archive, characters -> the upload gets 422; the
 * run fails with an error
 */
const MAX_NAMES = 33_554_432;

/** An entry that may be unpacked, with its name inside the folder. */
export type Entry =
  | { readonly kind: 'file' | 'folder'; readonly name: string }
  | { readonly kind: 'symbolic-link' | 'hard-link'; readonly name: string; readonly target: string };

type FolderBounds = Pick<ArchiveBounds, 'entries' | 'bytes' | 'depth' | 'mayLeadOut'>;

/** Kind of the entry at a name after the entries so far are unpacked. */
type Placed = 'file' | 'folder' | 'link';

/**
 * Decides for each entry of an archive whether it may be unpacked. The rules write nothing: they remember which entries
 * the folder would contain, so that an upload with an entry that cannot be unpacked is refused before a run meets it.
 */
export class EntryRules {
  readonly #bounds: FolderBounds;
  /** Entries by their name inside the folder; the folder itself is not one of them. */
  readonly #placed = new Map<string, Placed>();
  #names = 0;
  #entries = 0;
  #bytes = 0;

  constructor(bounds: FolderBounds) {
    this.#bounds = bounds;
  }

  /** @throws ArchiveProblem if the entry is not allowed in an archive */
  next({ path, type, size, linkpath = '' }: Pick<ReadEntry, 'path' | 'type' | 'size' | 'linkpath'>): Entry {
    this.#count();
    this.#bytes += size;
    if (this.#bytes > this.#bounds.bytes)
      throw new ArchiveProblem(`it unpacks to more than ${this.#bounds.bytes} bytes`);
    const name = nameInside(path);
    this.#checkDepth(name);
    this.#foldersAbove(name, path);
    switch (type) {
      case 'File':
      case 'OldFile':
      case 'ContiguousFile':
        return { kind: 'file', name: this.#place(name, 'file') };
      case 'Directory':
        return { kind: 'folder', name: name === '' ? name : this.#place(name, 'folder') };
      case 'SymbolicLink':
        return this.#symbolicLink(name, linkpath);
      case 'Link':
        return this.#hardLink(name, linkpath);
      default:
        throw new ArchiveProblem(`${shown(path)} is neither a file, a folder nor a link`);
    }
  }

  #count(): void {
    if (++this.#entries > this.#bounds.entries) {
      throw new ArchiveProblem(`it has more than ${this.#bounds.entries} files and folders`);
    }
  }

  #checkDepth(name: string): void {
    const { depth } = this.#bounds;
    if (name.split('/').length > depth) throw new ArchiveProblem(`${shown(name)} is more than ${depth} levels deep`);
  }

  /** Adds the parent folders that the archive does not name. They are created as well and count. */
  #foldersAbove(name: string, said: string): void {
    for (let end = name.indexOf('/'); end >= 0; end = name.indexOf('/', end + 1)) {
      const above = name.slice(0, end);
      const there = this.#placed.get(above);
      if (there === 'link') throw new ArchiveProblem(`${shown(said)} is behind a link`);
      if (there === 'file') throw new ArchiveProblem(`${shown(said)} is in ${shown(above)}, which is a file`);
      if (there === undefined) {
        this.#count();
        this.#place(above, 'folder');
      }
    }
  }

  /** Records an entry. If two files or links have the same name, the later one wins; a folder stays a folder. */
  #place(name: string, kind: Placed): string {
    if (name === '') throw new ArchiveProblem('its root is not a folder');
    const there = this.#placed.get(name);
    if (there !== undefined && there !== kind && (there === 'folder' || kind === 'folder')) {
      throw new ArchiveProblem(`${shown(name)} is both a ${there === 'folder' ? kind : there} and a folder`);
    }
    if (there === undefined) this.#names += name.length;
    if (this.#names > MAX_NAMES) throw new ArchiveProblem('its names are too long in total');
    this.#placed.set(name, kind);
    return name;
  }

  #symbolicLink(name: string, target: string): Entry {
    if (target.length > MAX_NAME) throw new ArchiveProblem(`the target of the link ${shown(name)} is too long`);
    if (!this.#bounds.mayLeadOut && !staysInside(name, target)) {
      throw new ArchiveProblem(`the link ${shown(name)} points outside of it, to ${shown(target)}`);
    }
    return { kind: 'symbolic-link', name: this.#place(name, 'link'), target };
  }

  #hardLink(name: string, target: string): Entry {
    const source = nameInside(target);
    const there = this.#placed.get(source);
    if (there === 'link') throw new ArchiveProblem(`${shown(name)} is a link to a link`);
    if (there !== 'file' || source === name) {
      throw new ArchiveProblem(
        `${shown(name)} is a link to ${shown(target)}, which is not an earlier file of the archive`,
      );
    }
    return { kind: 'hard-link', name: this.#place(name, 'file'), target: source };
  }
}
