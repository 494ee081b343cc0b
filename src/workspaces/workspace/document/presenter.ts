import { type Database, ReadThroughCache } from '../../../storage/index.ts';
import { type Document, once, type Resource, withIncluded } from '../../jsonapi/document.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { piecemeal } from '../../jsonapi/included-size.ts';
import { type Page, pageDocument, type Slice } from '../../jsonapi/pagination.ts';
import { WrittenDocument, WrittenResource } from '../../jsonapi/writing.ts';
import { type Actor, purposeOf } from '../../tenancy/index.ts';
import type { Included, Part, PrefetchedPart, WorkspaceHooks } from '../hooks/hooks.ts';
import { INCLUDES, type Include } from '../hooks/include-words.ts';
import type { Counts } from '../list/filter-page.ts';
import type { Listing } from '../list/store.ts';
import { executionOf, type WorkspaceView } from '../model/workspace.ts';
import { autoDestroyOf } from '../settings/auto-destroy.ts';
import { WorkspaceResource } from '../settings/resource.ts';
import { engineResource } from './engine-document.ts';

/** Related resources that a client wants included, and the URL of its request. `askedOf` parses the query. */
export interface DocumentOptions {
  readonly words: ReadonlySet<Include>;
  readonly url: URL;
}

/**
 * Parses `include`.
 * @throws 400 for an unknown word
 */
export function askedOf(include: string | undefined, url: URL): DocumentOptions {
  return { words: parseInclude(include, INCLUDES), url };
}

/** Included resources that can be megabytes for one workspace. */
const LARGE: ReadonlySet<Include> = new Set(['current_state_version', 'outputs', 'readme', 'vars']);
/** Number of workspaces whose large resources are read at a time. */
const AT_A_TIME = 5;
/**
 * Cached documents hold no permissions; actors with the same permissions share them.
 * @limit workspace documents in memory, bytes -> the least recently used document is evicted and built again on demand
 */
const MAX_KEPT = 16 * 1_048_576;

/**
 * Builds the document of a workspace from the parts of all domains, with one query for each domain and any number of
 * workspaces.
 */
export class WorkspacePresenter {
  readonly #hooks: WorkspaceHooks;
  /** Read-through cache of serialized documents by view. A change of the workspace makes a new view. */
  readonly #written: ReadThroughCache<WrittenResource, WorkspaceView>;

  constructor(database: Database, hooks: WorkspaceHooks) {
    this.#hooks = hooks;
    this.#written = new ReadThroughCache(database, { maxSize: MAX_KEPT, sizeOf: ({ size }) => size });
  }

  /** Starts to read the parts of one workspace before the workspace itself is known. */
  async prefetch(id: string): Promise<readonly PrefetchedPart[]> {
    return Promise.all(this.#hooks.documents.map((source) => source.prefetch(id)));
  }

  /** Returns the response of a request that reads, creates or changes one workspace. */
  async one(
    actor: Actor,
    workspace: WorkspaceView,
    asked?: DocumentOptions,
    prefetch?: Promise<readonly PrefetchedPart[]>,
  ): Promise<Document | WrittenDocument> {
    const isForEngine = purposeOf(actor) === 'engine';
    if (!isForEngine && (asked === undefined || asked.words.size === 0)) {
      const [resource] = await this.#writtenOf([workspace], prefetch);
      if (resource !== undefined) return WrittenDocument.one(resource);
    }
    const { data, included } = await this.#present(actor, [workspace], asked);
    const resource = data[0] ?? workspaceDocument(workspace);
    return withIncluded(isForEngine ? engineResource(resource) : resource, included);
  }

  /** Returns the response of a list. */
  async page(
    actor: Actor,
    url: URL,
    page: Page,
    slice: Slice<WorkspaceView> | Listing<WorkspaceView>,
    asked?: DocumentOptions,
  ) {
    const { items, total } = slice;
    const more = 'counts' in slice && slice.counts ? { counts: countsOnWire(slice.counts) } : {};
    if (asked === undefined || asked.words.size === 0) {
      return WrittenDocument.page(await this.#writtenOf(items), url, page, total, more);
    }
    const { data, included } = await this.#present(actor, items, asked);
    return pageDocument(url, page, total, data, included, more);
  }

  /** Returns workspaces as resources included in another document. */
  async resourcesOf(actor: Actor, workspaces: readonly WorkspaceView[]): Promise<readonly Resource[]> {
    return (await this.#present(actor, workspaces)).data;
  }

  #writtenOf(
    workspaces: readonly WorkspaceView[],
    prefetch?: Promise<readonly PrefetchedPart[]>,
  ): Promise<WrittenResource[]> {
    const write = async (missing: readonly WorkspaceView[]) =>
      (await this.#resources(missing, [], prefetch)).map((resource) => new WrittenResource(resource));
    return this.#written.getMany(workspaces, write, ({ id }) => id);
  }

  /** Parts that need no permission beyond reading the workspace. */
  async #resources(
    workspaces: readonly WorkspaceView[],
    more: readonly ReadonlyMap<string, Part>[] = [],
    prefetch?: Promise<readonly PrefetchedPart[]>,
  ): Promise<Resource[]> {
    const [only, other] = workspaces;
    if (only !== undefined && other === undefined) {
      const parts = (await (prefetch ?? this.prefetch(only.id))).map((part) => part(only));
      return [extendedBy(only, [...(await Promise.all(parts)), ...more.map((given) => given.get(only.id))])];
    }
    const parts = await Promise.all(this.#hooks.documents.map((source) => source.of(workspaces)));
    const all = [...parts, ...more];
    return workspaces.map((one) =>
      extendedBy(
        one,
        all.map((given) => given.get(one.id)),
      ),
    );
  }

  async #present(
    actor: Actor,
    workspaces: readonly WorkspaceView[],
    asked?: DocumentOptions,
  ): Promise<{ data: Resource[]; included: Resource[] }> {
    if (workspaces.length === 0) return { data: [], included: [] };
    const included = asked ? await this.#included(actor, workspaces, asked) : [];
    return {
      data: await this.#resources(
        workspaces,
        included.flatMap((given) => given.parts ?? []),
      ),
      included: once(included.flatMap(({ resources }) => resources)),
    };
  }

  #included(actor: Actor, workspaces: readonly WorkspaceView[], { words, url }: DocumentOptions): Promise<Included[]> {
    const given = [...words].map(async (word) => {
      const source = this.#hooks.includes.get(word);
      if (source === undefined) return [];
      const read = (some: readonly WorkspaceView[]) => source(actor, some, url);
      const atATime = LARGE.has(word) ? AT_A_TIME : workspaces.length;
      return piecemeal(workspaces, atATime, read, ({ resources }) => resources);
    });
    return Promise.all(given).then((each) => each.flat());
  }
}

/** Returns the document of a workspace without the parts of other domains. */
function workspaceDocument(workspace: WorkspaceView): Resource {
  const inEffect = { execution: executionOf(workspace), autoDestroy: autoDestroyOf(workspace) };
  return WorkspaceResource.document(workspace, inEffect);
}

function extendedBy(workspace: WorkspaceView, parts: readonly (Part | undefined)[]): Resource {
  return parts.reduce(extended, workspaceDocument(workspace));
}

/** Adds data to a relationship and keeps its link. */
function extended(resource: Resource, part: Part | undefined): Resource {
  if (part === undefined) return resource;
  const relationships = Object.entries(part.relationships ?? {}).map(([name, given]) => {
    return [name, { ...resource.relationships?.[name], ...given }] as const;
  });
  return {
    ...resource,
    attributes: { ...resource.attributes, ...part.attributes },
    relationships: { ...resource.relationships, ...Object.fromEntries(relationships) },
  };
}

function countsOnWire({ total, locked, runStatuses }: Counts) {
  return { total, locked, 'run-status': runStatuses };
}
