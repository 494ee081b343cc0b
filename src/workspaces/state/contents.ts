import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Blob, Blobs, Database, Transaction, WrittenBlob } from '../../storage/index.ts';
import * as store from './content-store.ts';
import type { Output } from './outputs.ts';
import { packed, type ResourceRecord, unpacked, withHistory } from './resources.ts';
import type { Overview, StateSummary } from './state-reader.ts';
import type { StateVersion } from './state-version.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);
/**
 * Of what is unpacked: more than what is read from a state can be.
 * @limit what is listed of a state, bytes -> it is not listed
 */
const MAX_BYTES = 134_217_728;

const EMPTY: Overview = { modules: {}, providers: {}, resources: [] };

/** What was read from states: outputs, resources, counts. Sealed with the key of the state's bytes, and gone with it. */
export class StateContents {
  readonly #database: Database;
  readonly #blobs: Blobs;

  constructor(database: Database, blobs: Blobs) {
    this.#database = database;
    this.#blobs = blobs;
  }

  /**
   * What is to be stored of a state that has just been read. `given` is what the client says of the outputs: it counts
   * where the state itself cannot be read.
   */
  async prepare(
    blob: WrittenBlob,
    summary: StateSummary,
    before: StateVersion | undefined,
    version: { readonly id: string; readonly createdAt: number },
    given: readonly Output[],
  ): Promise<store.ContentRow> {
    const outputs = summary.format === null ? given : summary.outputs;
    const history = before === undefined ? [] : await this.resources(before);
    return {
      blobName: blob.name,
      format: summary.format,
      encrypted: Number(summary.isEncrypted),
      engineVersion: summary.engineVersion,
      resourceCount: summary.resourceCount,
      outputCount: outputs.length,
      outputs: await this.#pack(blob, 'outputs', outputs),
      resources: await this.#pack(blob, 'resources', packed(withHistory(summary.instances, history, version))),
      overview: await this.#pack(blob, 'overview', summary.overview),
    };
  }

  /** In the unit of work that names the blob for the first time. */
  insert(tx: Transaction, row: store.ContentRow) {
    return store.insert(tx, row);
  }

  /** By name. */
  async outputs({ stateBlob }: Pick<StateVersion, 'stateBlob'>): Promise<readonly Output[]> {
    const column = stateBlob === null ? undefined : await store.outputs(this.#database, stateBlob);
    return column ? ((await this.#unpack(column, 'outputs')) as Output[]) : [];
  }

  /** Instances of managed resources, in the order of the state. */
  async resources({ stateBlob }: Pick<StateVersion, 'stateBlob'>): Promise<readonly ResourceRecord[]> {
    const column = stateBlob === null ? undefined : await store.resources(this.#database, stateBlob);
    return column ? unpacked((await this.#unpack(column, 'resources')) as Parameters<typeof unpacked>[0]) : [];
  }

  /** By the name of the blob. */
  async overviews(versions: readonly StateVersion[]): Promise<(version: StateVersion) => Overview> {
    const names = versions.flatMap(({ stateBlob }) => stateBlob ?? []);
    const columns = await store.overviews(this.#database, [...new Set(names)]);
    const entries = columns.map(async (column) => [column.name, await this.#unpack(column, 'overview')] as const);
    const byName = new Map(await Promise.all(entries)) as Map<string | null, Overview>;
    return ({ stateBlob }) => byName.get(stateBlob) ?? EMPTY;
  }

  /** By the id of the version; those without outputs are left out. */
  outputCounts(versionIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return store.outputCounts(this.#database, versionIds);
  }

  async #pack(blob: Blob, purpose: string, value: unknown): Promise<Uint8Array> {
    return this.#blobs.seal(blob, purpose, await deflate(JSON.stringify(value)));
  }

  async #unpack({ sealed, ...blob }: store.SealedColumn, purpose: string): Promise<unknown> {
    const packed = this.#blobs.open(blob, purpose, sealed);
    return JSON.parse((await inflate(packed, { maxOutputLength: MAX_BYTES })).toString());
  }
}
