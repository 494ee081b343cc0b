import { AppError } from '../../../lib/errors.ts';
import { runInSlices } from '../../../lib/slices.ts';
import type { Database } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { WorkspaceFinder } from '../../workspace/index.ts';
import type { Dependencies } from '../reader/dependencies.ts';
import { type Output, parseOutputId } from '../reader/outputs.ts';
import { isRead } from '../reader/readable.ts';
import { graphing, type ResourceGraph, without } from '../reader/resource-graph.ts';
import { selecting, type WantedResources } from '../reader/resource-selection.ts';
import type { ResourceRecord } from '../reader/resources.ts';
import type { StateContents } from './contents.ts';
import type { StateVersion } from './state-version.ts';
import * as store from './store.ts';
import type { StateVersions } from './versions.ts';

/** An output and its index in its version. */
export interface NumberedOutput {
  readonly output: Output;
  readonly index: number;
}

/** A resource of a workspace, and its index. */
export interface FoundResource {
  readonly record: ResourceRecord;
  readonly index: number;
  /** Dependencies of the resource; null if unknown. */
  readonly dependencies: Dependencies;
}

/** A version and its dependency graph. */
export interface VersionGraph {
  readonly version: StateVersion;
  readonly graph: ResourceGraph;
}

/** Returns parsed data of states to actors with permission: outputs, and the resources of a workspace. */
export class StateContentsReader {
  readonly #database: Database;
  readonly #finder: WorkspaceFinder;
  readonly #versions: StateVersions;
  readonly #contents: StateContents;

  constructor(database: Database, finder: WorkspaceFinder, versions: StateVersions, contents: StateContents) {
    this.#database = database;
    this.#finder = finder;
    this.#versions = versions;
    this.#contents = contents;
  }

  /** Returns the outputs of a version, including sensitive ones. */
  async outputs(actor: Actor, id: string, page: Page): Promise<Slice<NumberedOutput>> {
    const version = await this.#versions.find(actor, id, 'can-read-state-outputs');
    return sliceOf(await this.#outputsOf(version), page);
  }

  /**
   * Returns the outputs of the current version; an empty list without one. @throws 503 while the first state is not
   * yet uploaded
   */
  async currentOutputs(actor: Actor, workspaceId: string, page: Page) {
    const workspace = await this.#finder.find(actor, { id: workspaceId }, 'can-read-state-outputs');
    const version = await this.#versions.currentOf(workspace);
    if (version === undefined && (await store.hasPendingVersion(this.#database, workspaceId))) {
      throw new AppError('unavailable', 'The state of this workspace has not been uploaded yet');
    }
    const outputs = version ? await this.#outputsOf(version) : [];
    return { versionId: version?.id ?? '', slice: sliceOf(outputs, page) };
  }

  /**
   * Finds an output.
   * @throws 404 if no output has this id
   */
  async output(actor: Actor, id: string): Promise<NumberedOutput & { versionId: string }> {
    const parsed = parseOutputId(id);
    if (parsed === undefined) throw notFound();
    const { stateVersionId: versionId, index } = parsed;
    const version = await this.#versions.find(actor, versionId, 'can-read-state-outputs');
    const output = (await this.#outputsOf(version))[index]?.output;
    if (output === undefined) throw notFound();
    return { versionId, output, index };
  }

  /** Returns the resources of the current state that match the filter, in the order of the state. */
  async resources(
    actor: Actor,
    workspaceId: string,
    wanted: WantedResources,
    page: Page,
  ): Promise<Slice<FoundResource>> {
    const workspace = await this.#finder.find(actor, { id: workspaceId }, 'can-read-state-versions');
    const version = await this.#versions.currentOf(workspace);
    if (version === undefined) return { items: [], total: 0 };
    const records = await this.#contents.resources(version);
    const { items, total } = sliceOf(await runInSlices(selecting(records, wanted)), page);
    const dependencies = await this.#contents.dependencies(version);
    const found = items.map((index) => ({
      record: records[index] as ResourceRecord,
      index,
      dependencies: dependencies?.[index] ?? null,
    }));
    return { items: found, total };
  }

  /**
   * Returns the dependency graph of a version. @throws 404 when there is none, the actor may not, or its data was
   * deleted
   */
  async graph(actor: Actor, id: string): Promise<VersionGraph> {
    const version = await this.#versions.find(actor, id, 'can-read-state-versions');
    if (version.status !== 'finalized') throw notFound();
    if (!isRead(version.format)) return { version, graph: without('unreadable', 0) };
    const dependencies = await this.#contents.dependencies(version);
    if (dependencies === undefined) return { version, graph: without('older', 0) };
    const records = await this.#contents.resources(version);
    return { version, graph: await runInSlices(graphing(records, dependencies)) };
  }

  async #outputsOf(version: StateVersion): Promise<NumberedOutput[]> {
    if (version.status !== 'finalized') return [];
    return (await this.#contents.outputs(version)).map((output, index) => ({ output, index }));
  }
}

function sliceOf<T>(all: readonly T[], { offset, size }: Page): Slice<T> {
  return { items: all.slice(offset, offset + size), total: all.length };
}
