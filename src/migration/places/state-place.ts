import type { SourceState } from '../states/state-source.ts';

/** A state file at its place. */
export interface FoundState {
  /** Path or name that the pattern matches. */
  readonly path: string;
  readonly state: SourceState;
}

/** A folder, a bucket, a database or a server with state files. */
export interface StatePlace {
  /** For people. */
  readonly name: string;
  /** Lists files that may match the pattern. */
  list(): Promise<readonly FoundState[]>;
  close(): Promise<void>;
}

/** @limit files of a folder or a bucket that an import lists, files -> the import stops */
export const MAX_FILES = 200_000;
