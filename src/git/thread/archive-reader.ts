import { type CommitArchive, GitError } from '../git-remote.ts';
import type { JobHandle } from './git-threads.ts';

/**
 * Milliseconds until an archive is asked for its next chunk.
 * @limit time until the next chunk of a commit's archive is read, ms -> the archive fails, because it keeps a thread
 */
const READ_MS = 60_000;

/** Archive that a thread makes, chunk by chunk as it is read. Leaving the loop ends the job. */
export class ArchiveReader {
  readonly #opening = Promise.withResolvers<CommitArchive>();
  #chunk = Promise.withResolvers<Uint8Array | undefined>();
  #notes: readonly string[] = [];
  #job: JobHandle | undefined;
  #end: Promise<undefined> | undefined;
  #patience: NodeJS.Timeout | undefined;

  /** Resolves when the archive can be read. */
  get opening(): Promise<CommitArchive> {
    return this.#opening.promise;
  }

  start(job: JobHandle): void {
    this.#job = job;
  }

  items(): void {}

  opened(): void {
    const notes = () => this.#notes;
    this.#wait();
    this.#opening.resolve({
      bytes: this.#read(),
      get notes() {
        return notes();
      },
    });
  }

  chunk(chunk: Uint8Array): void {
    this.#wait();
    this.#chunk.resolve(chunk);
  }

  done(notes: unknown): void {
    this.#notes = notes as readonly string[];
    this.#finish(Promise.resolve(undefined));
  }

  failed(error: GitError): void {
    this.#opening.reject(error);
    this.#finish(Promise.reject(error));
  }

  /** The last chunk may not be read yet; then the end comes after it. */
  #finish(end: Promise<undefined>): void {
    clearTimeout(this.#patience);
    end.catch(() => {});
    this.#chunk.promise.catch(() => {});
    this.#end ??= end;
    this.#chunk.resolve(end);
  }

  /** Ends the job if nobody reads on: its thread is needed. */
  #wait(): void {
    const error = new GitError('unreachable', 'The archive was read too slowly.');
    this.#patience = setTimeout(() => {
      this.failed(error);
      this.#job?.cancel();
    }, READ_MS).unref();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    try {
      for (let chunk = await this.#next(); chunk; chunk = await this.#next()) yield chunk;
    } finally {
      clearTimeout(this.#patience);
      if (!this.#end) this.#job?.cancel();
    }
  }

  async #next(): Promise<Uint8Array | undefined> {
    if (this.#end) return this.#end;
    clearTimeout(this.#patience);
    this.#chunk = Promise.withResolvers();
    this.#job?.next();
    return this.#chunk.promise;
  }
}
