import { LRUCache } from 'lru-cache';
import { yieldIfDue } from '../../lib/slices.ts';
import { GIT_BOUNDS, type GitBounds } from '../bounds.ts';
import type { ArchiveOptions, Commit, CommitArchive, GitError, GitRemote, GitTransport, Ref } from '../git-remote.ts';
import { type Capabilities, fetchCapabilities } from '../protocol/capabilities.ts';
import { listRefs } from '../protocol/ls-refs.ts';
import { ArchiveReader } from './archive-reader.ts';
import type { JobOwner } from './git-thread.ts';
import type { GitThreads } from './git-threads.ts';
import type { Operation } from './messages.ts';
import { type Pace, PacedReader } from './paced-reader.ts';

/** How a repository is reached. */
export interface RemoteOptions {
  /** URL of the repository without credentials. */
  readonly url: string;
  readonly transport: GitTransport;
  /** Returns the transport to another repository on the same host, for a submodule. */
  readonly openTransport: (url: string) => GitTransport;
  readonly threads: GitThreads;
  /** Who causes the requests, such as the id of an organization. One owner does not keep others waiting. */
  readonly owner: string;
  /** Default: those of the server. Tests lower them. */
  readonly bounds?: GitBounds;
}

/** Milliseconds for which the capabilities of a server are remembered. */
const CAPABILITIES_MS = 600_000;
const capabilities = new LRUCache<string, Capabilities>({ max: 1_000, ttl: CAPABILITIES_MS });

/** Repository that worker threads read. The main thread sends the requests, and reads the lists of refs. */
export class ThreadedRemote implements GitRemote {
  readonly #options: RemoteOptions;
  readonly #bounds: GitBounds;
  /** Transport for the main thread. */
  readonly #transport: GitTransport;

  constructor(options: RemoteOptions) {
    this.#options = options;
    this.#transport = inSlices(options.transport, options.threads.pace);
    this.#bounds = options.bounds ?? GIT_BOUNDS;
  }

  async refs(prefixes: readonly string[]): Promise<Ref[]> {
    return this.#withCapabilities(() => listRefs(this.#transport, prefixes, this.#bounds));
  }

  commit(id: string): Promise<Commit> {
    return this.#value({ name: 'commit', args: [id] });
  }

  history(id: string, count: number): Promise<Commit[]> {
    return this.#list({ name: 'history', args: [id, count] });
  }

  mergeBase(a: string, b: string): Promise<string | undefined> {
    return this.#value({ name: 'mergeBase', args: [a, b] });
  }

  changedFiles(beforeId: string, afterId: string): Promise<string[]> {
    return this.#list({ name: 'changedFiles', args: [beforeId, afterId] });
  }

  folders(id: string): Promise<string[]> {
    return this.#list({ name: 'folders', args: [id] });
  }

  archive(id: string, { submodules }: ArchiveOptions): Promise<CommitArchive> {
    const reader = new ArchiveReader();
    return this.#withCapabilities((known) => {
      const operation = { name: 'archive', args: [id, submodules] } as const;
      reader.start(this.#run(operation, known, reader));
      return reader.opening;
    });
  }

  async #value<T>(operation: Operation): Promise<T> {
    return this.#withCapabilities((known) => {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      this.#run(operation, known, { ...NOTHING, done: (value) => resolve(value as T), failed: reject });
      return promise;
    });
  }

  async #list<T>(operation: Operation): Promise<T[]> {
    return this.#withCapabilities((known) => {
      const { promise, resolve, reject } = Promise.withResolvers<T[]>();
      const all: T[] = [];
      const items = (more: readonly unknown[]) => all.push(...(more as T[]));
      this.#run(operation, known, { ...NOTHING, items, done: () => resolve(all), failed: reject });
      return promise;
    });
  }

  #run(operation: Operation, known: Capabilities, owner: Omit<JobOwner, 'transportTo'>) {
    const { url, transport, openTransport, threads } = this.#options;
    const job = { operation, url, capabilities: known, bounds: this.#bounds };
    return threads.run(this.#options.owner, job, {
      transportTo: (submodule) => (submodule === undefined ? transport : openTransport(submodule)),
      items: (items) => owner.items(items),
      opened: () => owner.opened(),
      chunk: (chunk) => owner.chunk(chunk),
      done: (result) => owner.done(result),
      failed: (error, fault) => owner.failed(error, fault),
    });
  }

  /** Asks for the capabilities once for many operations, and forgets them if the server seems to be another one. */
  async #withCapabilities<T>(work: (known: Capabilities) => Promise<T>): Promise<T> {
    const { url } = this.#options;
    const known = capabilities.get(url) ?? (await fetchCapabilities(this.#transport));
    capabilities.set(url, known);
    try {
      return await work(known);
    } catch (error) {
      const { kind } = error as Partial<GitError>;
      if (kind !== 'limit' && kind !== 'unreachable') capabilities.delete(url);
      throw error;
    }
  }
}

const NOTHING = { items: () => {}, opened: () => {}, chunk: () => {} };

/** Reads responses at the pace that a server must reach, and lets other requests run between their chunks. */
const inSlices =
  (transport: GitTransport, pace: Pace): GitTransport =>
  async (path, body) =>
    slices(new PacedReader(transport(path, body), pace));

async function* slices(reader: PacedReader): AsyncGenerator<Uint8Array> {
  try {
    for (let chunk = await reader.next(); chunk; chunk = await reader.next()) {
      yield chunk;
      await yieldIfDue();
    }
  } finally {
    reader.close();
  }
}
