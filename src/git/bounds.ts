/** Bounds of everything that a Git server controls. Tests lower them. */
export interface GitBounds {
  readonly packBytes: number;
  readonly objects: number;
  readonly objectBytes: number;
  readonly deltaChain: number;
  readonly inflatedBytes: number;
  readonly treeDepth: number;
  readonly paths: number;
  readonly refs: number;
  readonly refsBytes: number;
  readonly submodules: number;
  readonly submoduleDepth: number;
}

export const GIT_BOUNDS: GitBounds = {
  /** @limit packs of a Git server for one request, submodules included, bytes -> the commit cannot be used; the reason is shown */
  packBytes: 268_435_456,
  /** @limit objects in a pack of a Git server, objects -> the commit cannot be used; the reason is shown */
  objects: 1_000_000,
  /** @limit one object of a Git repository, such as a file, bytes -> the commit cannot be used; the reason is shown */
  objectBytes: 67_108_864,
  /** @limit deltas of a pack that are based on each other, deltas -> the commit cannot be used; the reason is shown */
  deltaChain: 50,
  /**
   * Bounds the processor time that a pack of well compressed or cleverly arranged objects takes.
   * @limit bytes that are decompressed to read a pack, repetitions included, bytes -> the commit cannot be used; the reason is shown
   */
  inflatedBytes: 8_589_934_592,
  /** @limit nested folders of a Git repository, levels -> the commit cannot be used; the reason is shown */
  treeDepth: 100,
  /** @limit changed files, or folders, of a Git repository that are listed, paths -> the list is refused; the reason is shown */
  paths: 1_000_000,
  /** @limit refs of a Git repository that are read, refs -> the repository cannot be read; the reason is shown */
  refs: 100_000,
  /** @limit list of the refs of a Git repository, bytes -> the repository cannot be read; the reason is shown */
  refsBytes: 67_108_864,
  /** @limit submodules of a commit, submodules -> the commit cannot be used; the reason is shown */
  submodules: 100,
  /** @limit submodules inside submodules, levels -> the commit cannot be used; the reason is shown */
  submoduleDepth: 10,
};
