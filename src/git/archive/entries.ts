import { isUtf8 } from 'node:buffer';
import type { GitBounds } from '../bounds.ts';
import { GitError, type GitTransport } from '../git-remote.ts';
import { binaryId, type Snapshot } from '../objects/snapshot.ts';
import { hexId } from '../objects/tree.ts';
import { printable } from '../protocol/server-error.ts';
import { fetchSnapshot, type PackBudget, type RepositoryAccess } from '../repository-fetch.ts';
import { type Placed, walkTree } from '../tree/walk.ts';
import { parseGitmodules, type Submodule } from './gitmodules.ts';
import { checkedPath, refusedPath } from './names.ts';
import type { ArchiveNotes } from './notes.ts';
import { submoduleUrl } from './submodule-url.ts';
import type { ArchiveEntry } from './tar.ts';

/** File with the addresses of the submodules. */
const GITMODULES = '.gitmodules';
/** Maximum size of this file; a larger one is passed over. */
const GITMODULES_BYTES = 1_048_576;

/** How submodules are fetched. */
export interface SubmoduleAccess {
  openTransport(url: string): GitTransport;
}

/** A repository whose tree is archived. */
interface Place {
  readonly snapshot: Snapshot;
  readonly treeId: string;
  readonly url: string;
  /** Path of the repository in the archive, with a slash at its end; empty for the outermost. */
  readonly above: string;
  /** 0 for the outermost repository. */
  readonly depth: number;
}

/** Yields the entries of a commit's archive, submodules included. */
export class ArchiveEntries {
  readonly #submodules: SubmoduleAccess | undefined;
  readonly #bounds: GitBounds;
  readonly #budget: PackBudget;
  readonly #notes: ArchiveNotes;
  #submoduleCount = 0;

  /** @param submodules undefined: submodules become empty folders */
  constructor(submodules: SubmoduleAccess | undefined, bounds: GitBounds, budget: PackBudget, notes: ArchiveNotes) {
    this.#submodules = submodules;
    this.#bounds = bounds;
    this.#budget = budget;
    this.#notes = notes;
  }

  /** @throws GitError */
  of(snapshot: Snapshot, treeId: string, url: string): AsyncGenerator<ArchiveEntry> {
    return this.#entries({ snapshot, treeId, url, above: '', depth: 0 });
  }

  async *#entries(place: Place): AsyncGenerator<ArchiveEntry> {
    const root = binaryId(place.treeId);
    let modules: ReadonlyMap<string, Submodule> | undefined;
    for (const entry of walkTree(place.snapshot, root, this.#bounds)) {
      const path = checkedPath(entry.path);
      if (entry.kind !== 'submodule') {
        if (entry.kind !== 'folder') yield this.#file(place, entry, `${place.above}${path}`);
        continue;
      }
      yield { kind: 'folder', path: `${place.above}${path}` };
      if (!this.#submodules) continue;
      modules ??= modulesOf(place.snapshot, root);
      yield* this.#submodule(place, path, entry.id, modules.get(path), this.#submodules);
    }
  }

  #file({ snapshot }: Place, { kind, id }: Placed, path: string): ArchiveEntry {
    const content = snapshot.file(id);
    if (kind === 'link') {
      if (!isUtf8(content)) throw refusedPath(path, 'it is a link to a name that is not UTF-8');
      return { kind, path, target: content.toString() };
    }
    this.#notes.file(path, content);
    return { kind: kind === 'executable' ? 'executable' : 'file', path, content };
  }

  async *#submodule(
    place: Place,
    name: string,
    id: string,
    submodule: Submodule | undefined,
    { openTransport }: SubmoduleAccess,
  ): AsyncGenerator<ArchiveEntry> {
    const path = `${place.above}${name}`;
    const found = submodule ? submoduleUrl(place.url, submodule.url) : { reason: `${GITMODULES} does not name it` };
    if ('reason' in found) return this.#notes.submoduleLeftOut(path, found.reason);
    this.#count(path, place.depth + 1);
    const commitId = hexId(id);
    const access = { url: found.url, transport: openTransport(found.url) };
    const snapshot = await this.#fetched(access, commitId, path);
    const { treeId } = snapshot.commit(commitId);
    yield* this.#entries({ snapshot, treeId, url: found.url, above: `${path}/`, depth: place.depth + 1 });
  }

  async #fetched(access: RepositoryAccess, id: string, path: string): Promise<Snapshot> {
    const wanted = { ids: [id], depth: 1, without: 'nothing' } as const;
    try {
      return await fetchSnapshot(access, wanted, this.#bounds, this.#budget);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const message = `The submodule ${printable(path)} cannot be fetched. ${error.message}`;
      throw new GitError(error.kind, message, { cause: error });
    }
  }

  #count(path: string, depth: number): void {
    const { submodules, submoduleDepth } = this.#bounds;
    if (depth > submoduleDepth)
      throw new GitError('limit', `The submodule ${printable(path)} is more than ${submoduleDepth} levels deep.`);
    if (++this.#submoduleCount > submodules)
      throw new GitError('limit', `The commit has more than ${submodules} submodules.`);
  }
}

function modulesOf(snapshot: Snapshot, treeId: string): ReadonlyMap<string, Submodule> {
  const entry = snapshot.tree(treeId).get(GITMODULES);
  // A link would lead to a file that nobody has checked.
  if (entry?.kind === 'link') throw refusedPath(GITMODULES, 'it is a symbolic link');
  if (entry?.kind !== 'file') return new Map();
  const content = snapshot.file(entry.id);
  return content.length > GITMODULES_BYTES ? new Map() : parseGitmodules(content.toString());
}
