import { isUtf8 } from 'node:buffer';
import type { GitBounds } from '../bounds.ts';
import { GitError, type GitTransport } from '../git-remote.ts';
import { binaryId, type Snapshot } from '../objects/snapshot.ts';
import { hexId } from '../objects/tree.ts';
import { printable } from '../protocol/server-error.ts';
import { fetchSnapshot, type PackBudget, type RepositoryAccess } from '../repository-fetch.ts';
import { type Placed, walkTree } from '../tree/walk.ts';
import { checkedPath, refusedPath } from './names.ts';
import type { ArchiveNotes } from './notes.ts';
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

/** A submodule as `.gitmodules` describes it. */
interface Submodule {
  readonly path: string;
  readonly url: string;
}

const SECTION = /^\[\s*submodule\s+"((?:[^"\\]|\\.)*)"\s*\]\s*(?:[#;].*)?$/i;
const SETTING = /^([a-z][a-z\d-]*)\s*=\s*(.*)$/i;

/**
 * Returns the submodules of `.gitmodules` by their paths. Lines that cannot be read are passed over; the last of equal
 * keys wins.
 * @see https://git-scm.com/docs/gitmodules
 */
function parseGitmodules(text: string): ReadonlyMap<string, Submodule> {
  const sections = new Map<string, Map<string, string>>();
  let section: Map<string, string> | undefined;
  for (const line of text.replaceAll(/\\\r?\n/g, '').split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed.startsWith('[')) {
      const name = SECTION.exec(trimmed)?.[1];
      section = name === undefined ? undefined : (sections.get(name) ?? new Map());
      if (name !== undefined && section) sections.set(name, section);
    } else {
      const [, key = '', value = ''] = SETTING.exec(trimmed) ?? [];
      section?.set(key.toLowerCase(), plainValue(value));
    }
  }
  const submodules = [...sections.values()].flatMap((settings) => {
    const [path, url] = [settings.get('path'), settings.get('url')];
    return path === undefined || url === undefined ? [] : [[path, { path, url }] as const];
  });
  return new Map(submodules);
}

/** Returns a value without quotes, escapes and a comment at its end. */
function plainValue(text: string): string {
  let value = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    else if (character === '\\') value += ESCAPES[text.charAt(++at)] ?? text.charAt(at);
    else if (!isQuoted && (character === '#' || character === ';')) break;
    else value += character;
  }
  return value.trim();
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' };

/** URL of a submodule that the server may fetch, or why it may not. */
type SubmoduleUrl = { readonly url: string } | { readonly reason: string };

/**
 * Resolves the address of a submodule. Only HTTPS on the repository's own host is fetched, because the credential of the
 * connection is for that host.
 * @param repositoryUrl URL of the repository with the submodule
 * @param address as `.gitmodules` has it; `./` and `../` are relative to the repository
 */
function submoduleUrl(repositoryUrl: string, address: string): SubmoduleUrl {
  if (/[\0-\x20\x7f]/.test(address)) return { reason: 'its address has a space or a control character' };
  const base = new URL(repositoryUrl);
  const text = /^\.\.?\//.test(address) ? relative(base, address) : address;
  if (text === undefined) return { reason: 'its address leads above the host' };
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return { reason: 'only addresses with https:// are fetched' };
  if (url.host !== base.host) return { reason: 'it is on another host' };
  if (url.protocol !== base.protocol) return { reason: `only addresses with ${base.protocol}// are fetched` };
  if (url.username !== '' || url.password !== '') return { reason: 'its address has a user name or password' };
  if (url.search !== '' || url.hash !== '') return { reason: 'its address has a query or a fragment' };
  return { url: url.href.replace(/\/+$/, '') };
}

/** Each `../` removes the last part of the repository's path, as Git does. */
function relative(base: URL, address: string): string | undefined {
  const parts = base.pathname.split('/').filter((part) => part !== '');
  let rest = address;
  for (let [step] = /^\.\.?\/+/.exec(rest) ?? []; step !== undefined; [step] = /^\.\.?\/+/.exec(rest) ?? []) {
    if (step.startsWith('../') && parts.pop() === undefined) return undefined;
    rest = rest.slice(step.length);
  }
  return `${base.origin}/${[...parts, rest].join('/')}`;
}
