import { printable } from '../protocol/server-error.ts';

/** Paths that a note names; more are counted. */
const NAMED = 20;
const LFS = Buffer.from('version https://git-lfs.github.com/spec/');
/** Maximum size of a pointer file of Git LFS, by its specification. */
const POINTER_BYTES = 1_024;

/** Collects remarks about an archive. */
export class ArchiveNotes {
  readonly #pointers: string[] = [];
  readonly #leftOut: string[] = [];
  #pointerCount = 0;

  /** Remembers a file if it is a pointer of Git LFS, whose content is elsewhere. */
  file(path: string, content: Buffer): void {
    if (content.length >= POINTER_BYTES || !content.subarray(0, LFS.length).equals(LFS)) return;
    if (this.#pointerCount++ < NAMED) this.#pointers.push(printable(path));
  }

  submoduleLeftOut(path: string, reason: string): void {
    this.#leftOut.push(`The submodule ${printable(path)} is left out: ${reason}.`);
  }

  texts(): string[] {
    if (this.#pointerCount === 0) return this.#leftOut;
    const more = this.#pointerCount > NAMED ? ` and ${this.#pointerCount - NAMED} more` : '';
    const files = `${this.#pointers.join(', ')}${more}`;
    return [...this.#leftOut, `Files of Git LFS are not fetched. The archive has their pointers only: ${files}.`];
  }
}
