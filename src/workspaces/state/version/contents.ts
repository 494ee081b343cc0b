import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { runInSlices } from '../../../lib/slices.ts';
import type { Blobs, Database, Transaction, WrittenBlob } from '../../../storage/index.ts';
import { type Description, MAX_UNPACKED_BYTES } from '../intake/state-intake.ts';
import { type Dependencies, unpackingDependencies } from '../reader/dependencies.ts';
import { inOne, listText, readList } from '../reader/json-texts.ts';
import type { Output } from '../reader/outputs.ts';
import { partsOf, unpacking } from '../reader/packed-resources.ts';
import { isRead } from '../reader/readable.ts';
import type { ResourceRecord } from '../reader/resources.ts';
import type { Overview } from '../reader/state-reader.ts';
import * as store from './content-store.ts';
import type { StateVersion } from './state-version.ts';
import { sealSummary } from './summary.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);
const EMPTY: Overview = { modules: {}, providers: {}, resources: [] };

/**
 * Data parsed from states: outputs, resources, counts. It is encrypted with the key of the state's bytes and deleted
 * with it.
 */
export class StateContents {
  readonly #database: Database;
  readonly #blobs: Blobs;

  constructor(database: Database, blobs: Blobs) {
    this.#database = database;
    this.#blobs = blobs;
  }

  /** Returns the packed resources of a state, as the base of the next state's history. */
  async packedResources({ stateBlob }: Pick<StateVersion, 'stateBlob'>): Promise<Uint8Array | undefined> {
    const column = stateBlob === null ? undefined : await store.readResources(this.#database, stateBlob);
    return column && this.#blobs.open(column, 'resources', column.sealed);
  }

  /**
   * Returns the data to store for a state that has just been parsed. `given` is the client's list of outputs, which is
   * used if the state itself cannot be parsed.
   */
  async prepare(blob: WrittenBlob, state: Description, given: readonly Output[]): Promise<store.ContentRow> {
    const isGiven = !isRead(state.format) && given.length > 0;
    const outputs = isGiven ? await deflate(await inOne(listText(given))) : state.outputs;
    return {
      blobName: blob.name,
      format: state.format,
      encrypted: Number(state.isEncrypted),
      engineVersion: state.engineVersion,
      resourceCount: state.resourceCount,
      outputCount: isGiven ? given.length : state.outputCount,
      outputs: this.#blobs.seal(blob, 'outputs', outputs),
      resources: this.#blobs.seal(blob, 'resources', state.resources),
      dependencies: this.#blobs.seal(blob, 'dependencies', state.dependencies),
      overview: this.#blobs.seal(blob, 'overview', state.overview),
      summary: isRead(state.format) ? sealSummary(this.#blobs, blob, state.uses) : null,
    };
  }

  /** Stores the data in the transaction that first refers to the blob. */
  insert(tx: Transaction, row: store.ContentRow) {
    return store.insertContent(tx, row);
  }

  /** Returns the outputs by name. */
  async outputs({ stateBlob }: Pick<StateVersion, 'stateBlob'>): Promise<readonly Output[]> {
    const column = stateBlob === null ? undefined : await store.readOutputs(this.#database, stateBlob);
    return column ? readList<Output>(await this.#unpack(column, 'outputs')) : [];
  }

  /** Returns the instances of managed resources, in the order of the state. */
  async resources({ stateBlob }: Pick<StateVersion, 'stateBlob'>): Promise<readonly ResourceRecord[]> {
    const packed = await this.packedResources({ stateBlob });
    if (packed === undefined) return [];
    const { digests, text } = partsOf(packed);
    return runInSlices(unpacking(digests, await inflated(text)));
  }

  /**
   * Returns the dependencies by position of the instance; undefined for a state that was parsed before dependencies
   * were stored.
   */
  async dependencies({ stateBlob }: Pick<StateVersion, 'stateBlob'>): Promise<readonly Dependencies[] | undefined> {
    const column = stateBlob === null ? undefined : await store.readDependencies(this.#database, stateBlob);
    return column && runInSlices(unpackingDependencies(await this.#unpack(column, 'dependencies')));
  }

  /** Returns the overviews by name of the blob. */
  async overviews(versions: readonly StateVersion[]): Promise<(version: StateVersion) => Overview> {
    const names = versions.flatMap(({ stateBlob }) => stateBlob ?? []);
    const columns = await store.readOverviews(this.#database, [...new Set(names)]);
    const entries = columns.map(async (column) => {
      const overview = JSON.parse((await this.#unpack(column, 'overview')).toString()) as Overview;
      return [column.name, overview] as const;
    });
    const byName = new Map<string | null, Overview>(await Promise.all(entries));
    return ({ stateBlob }) => byName.get(stateBlob) ?? EMPTY;
  }

  /** Returns the number of outputs by id of the version. Versions without outputs are left out. */
  outputCounts(versionIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return store.countOutputs(this.#database, versionIds);
  }

  /** Returns the id of a workspace's current version and its number of outputs. Returns undefined if unknown. */
  currentOutputs(workspaceId: string) {
    return store.readCurrentOutputs(this.#database, workspaceId);
  }

  #unpack({ sealed, ...blob }: store.SealedColumn, purpose: string): Promise<Buffer> {
    return inflated(this.#blobs.open(blob, purpose, sealed));
  }
}

function inflated(packed: Uint8Array): Promise<Buffer> {
  return inflate(packed, { maxOutputLength: MAX_UNPACKED_BYTES });
}
