/**
 * One request of Git's protocol over HTTPS. The caller limits time and addresses.
 * @param path `info/refs?service=git-upload-pack` without a body, or `git-upload-pack` with one
 * @throws GitError if there is no response of status 200
 */
export type GitTransport = (path: string, body?: Uint8Array) => Promise<AsyncIterable<Uint8Array>>;

/** A branch, tag or other ref of a repository. */
export interface Ref {
  /** Full name, such as `refs/heads/main`; `HEAD` for the default branch. */
  readonly name: string;
  /** Commit, with annotated tags peeled. */
  readonly commitId: string;
  /** Name of the branch to which `HEAD` points; null for other refs. */
  readonly target: string | null;
}

/** A commit. */
export interface Commit {
  readonly id: string;
  readonly treeId: string;
  readonly parentIds: readonly string[];
  /** Truncated to 64 KiB. */
  readonly message: string;
  readonly author: string;
  /** Milliseconds since 1970. */
  readonly committedAt: number;
}

/** Kind of a failure. unreachable: no response, or a fault of the server: try again. refused: the credential has no access. gone: no such repository or commit. unsupported: dumb HTTP, SHA-256 or a server without protocol v2. limit: a bound. invalid: a response that breaks the protocol. */
export type GitErrorKind = 'unreachable' | 'refused' | 'gone' | 'unsupported' | 'limit' | 'invalid';

/** Failure of a request to a Git server. The message is for the owner of the connection and has no secret. */
export class GitError extends Error {
  readonly kind: GitErrorKind;

  constructor(kind: GitErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'GitError';
    this.kind = kind;
  }
}

/** Options of an archive. */
export interface ArchiveOptions {
  /** Whether submodules on the same host are included. */
  readonly submodules: boolean;
}

/** An archive of a commit, read once. */
export interface CommitArchive {
  /** tar.gz of the whole tree without a top folder. Its bytes depend on the commit only. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Remarks for the run, such as paths of LFS pointers; complete after the last byte. */
  readonly notes: readonly string[];
}

/** Repository at a Git server. */
export interface GitRemote {
  /** Returns the refs whose names begin with one of the prefixes. */
  refs(prefixes: readonly string[]): Promise<Ref[]>;
  commit(id: string): Promise<Commit>;
  /** Returns the commit and its first parents, newest first, `count` at most. */
  history(id: string, count: number): Promise<Commit[]>;
  /** Returns the commit from which both come; undefined if it is not found within 20,000 commits. */
  mergeBase(a: string, b: string): Promise<string | undefined>;
  /** Returns the paths of all files that differ between the trees of two commits, sorted. Both names of a renamed file. */
  changedFiles(beforeId: string, afterId: string): Promise<string[]>;
  /** Returns the folders of a commit, sorted. */
  folders(id: string): Promise<string[]>;
  archive(id: string, options: ArchiveOptions): Promise<CommitArchive>;
}
