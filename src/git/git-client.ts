import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { ArchiveEntries, type SubmoduleAccess } from './archive/entries.ts';
import { ArchiveNotes } from './archive/notes.ts';
import { tarOf } from './archive/tar.ts';
import { GIT_BOUNDS, type GitBounds } from './bounds.ts';
import type { ArchiveOptions, Commit, CommitArchive, GitRemote, Ref } from './git-remote.ts';
import { findMergeBase, type History } from './history/merge-base.ts';
import { binaryId, type Snapshot } from './objects/snapshot.ts';
import { fetchCapabilities } from './protocol/capabilities.ts';
import type { Wanted } from './protocol/fetch.ts';
import { listRefs } from './protocol/ls-refs.ts';
import { fetchSnapshot, type RepositoryAccess } from './repository-fetch.ts';
import { changedPaths, foldersOf } from './tree/walk.ts';

/**
 * Numbers of commits, one after the other, in which a merge base is looked for.
 * @see https://git-scm.com/docs/git-fetch#Documentation/git-fetch.txt---depthltdepthgt
 */
const DEPTHS = [50, 500, 5_000, 20_000];
/**
 * Commits of a history.
 * @limit commits of a Git history that are listed, commits -> older ones are left out
 */
const MAX_HISTORY = 1_000;

/** Size of the chunks of an archive. */
const CHUNK_BYTES = 65_536;

/** Client of one repository. Each operation is a new request; nothing is kept but the capabilities of the server. */
export class GitClient implements GitRemote {
  readonly #access: RepositoryAccess;
  readonly #submodules: SubmoduleAccess;
  readonly #bounds: GitBounds;

  /** @param submodules how submodules on the same host are fetched */
  constructor(access: RepositoryAccess, submodules: SubmoduleAccess, bounds: GitBounds = GIT_BOUNDS) {
    this.#access = access;
    this.#submodules = submodules;
    this.#bounds = bounds;
  }

  async refs(prefixes: readonly string[]): Promise<Ref[]> {
    // Dumb HTTP and SHA-256 are refused before the first command.
    if (!this.#access.capabilities) await fetchCapabilities(this.#access.transport);
    return listRefs(this.#access.transport, prefixes, this.#bounds);
  }

  async commit(id: string): Promise<Commit> {
    return (await this.#fetch({ ids: [id], depth: 1, without: 'trees' })).commit(id);
  }

  async history(id: string, count: number): Promise<Commit[]> {
    const depth = Math.min(count, MAX_HISTORY);
    const snapshot = await this.#fetch({ ids: [id], depth, without: 'trees' });
    const commits = [snapshot.commit(id)];
    while (commits.length < depth) {
      const parentId = commits.at(-1)?.parentIds[0];
      const parent = parentId === undefined ? undefined : snapshot.findCommit(parentId);
      if (!parent) break;
      commits.push(parent);
    }
    return commits;
  }

  async mergeBase(a: string, b: string): Promise<string | undefined> {
    let found: string | undefined;
    for (const depth of DEPTHS) {
      const snapshot = await this.#fetch({ ids: [...new Set([a, b])], depth, without: 'trees' });
      const { id, isCertain } = findMergeBase(historyOf(snapshot, [a, b]), a, b);
      found = id;
      if (isCertain) break;
    }
    return found;
  }

  async changedFiles(beforeId: string, afterId: string): Promise<string[]> {
    const snapshot = await this.#fetch({ ids: [...new Set([beforeId, afterId])], depth: 1, without: 'blobs' });
    const [before, after] = [snapshot.commit(beforeId), snapshot.commit(afterId)];
    return changedPaths(snapshot, binaryId(before.treeId), binaryId(after.treeId), this.#bounds);
  }

  async folders(id: string): Promise<string[]> {
    const snapshot = await this.#fetch({ ids: [id], depth: 1, without: 'blobs' });
    return foldersOf(snapshot, binaryId(snapshot.commit(id).treeId), this.#bounds);
  }

  async archive(id: string, { submodules }: ArchiveOptions): Promise<CommitArchive> {
    const budget = { bytes: this.#bounds.packBytes };
    const wanted = { ids: [id], depth: 1, without: 'nothing' } as const;
    const snapshot = await fetchSnapshot(this.#access, wanted, this.#bounds, budget);
    const { treeId } = snapshot.commit(id);
    const texts: string[] = [];
    const notes = new ArchiveNotes();
    const archive = new ArchiveEntries(submodules ? this.#submodules : undefined, this.#bounds, budget, notes);
    const entries = archive.of(snapshot, treeId, this.#access.url);
    const tar = tarOf(entries, () => texts.push(...notes.texts()));
    // The reader of the stream gets the error.
    return { bytes: pipeline(Readable.from(tar), createGzip({ chunkSize: CHUNK_BYTES }), () => {}), notes: texts };
  }

  #fetch(wanted: Wanted): Promise<Snapshot> {
    return fetchSnapshot(this.#access, wanted, this.#bounds, { bytes: this.#bounds.packBytes });
  }
}

/** Returns the commits that can be reached from some. */
function historyOf(snapshot: Snapshot, ids: readonly string[]): History {
  const history = new Map<string, Pick<Commit, 'parentIds' | 'committedAt'>>();
  const waiting = [...ids];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const commit = history.has(id) ? undefined : snapshot.findCommit(id);
    if (!commit) continue;
    const { parentIds, committedAt } = commit;
    history.set(id, { parentIds, committedAt });
    waiting.push(...parentIds);
  }
  return history;
}
