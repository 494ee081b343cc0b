import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Blob, Blobs, Database, Transaction, WrittenBlob } from '../../../storage/index.ts';
import { inOne, listText, readList } from '../reader/json-texts.ts';
import type { Output } from '../reader/outputs.ts';
import { packed, type ResourceRecord, unpacked, withHistory } from '../reader/resources.ts';
import type { Overview, StateSummary } from '../reader/state-reader.ts';
import * as store from './content-store.ts';
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
      outputs: await this.#pack(blob, 'outputs', listText(outputs)),
      resources: await this.#pack(blob, 'resources', packed(await withHistory(summary.instances, history, version))),
      overview: await this.#pack(blob, 'overview', [JSON.stringify(summary.overview)]),
    };
  }

  /** In the unit of work that names the blob for the first time. */
  insert(tx: Transaction, row: store.ContentRow) {
    return store.insert(tx, row);
  }

  /** By name. */
  async outputs({ stateBlob }: Pick<StateVersion, 'stateBlob'>): Promise<readonly Output[]> {
    const column = stateBlob === null ? undefined : await store.outputs(this.#database, stateBlob);
    return column ? readList<Output>(await this.#unpack(column, 'outputs')) : [];
  }

  /** Instances of managed resources, in the order of the state. */
  async resources({ stateBlob }: Pick<StateVersion, 'stateBlob'>): Promise<readonly ResourceRecord[]> {
    const column = stateBlob === null ? undefined : await store.resources(this.#database, stateBlob);
    return column ? unpacked(await readList(await this.#unpack(column, 'resources'))) : [];
  }

  /** By the name of the blob. */
  async overviews(versions: readonly StateVersion[]): Promise<(version: StateVersion) => Overview> {
    const names = versions.flatMap(({ stateBlob }) => stateBlob ?? []);
    const columns = await store.overviews(this.#database, [...new Set(names)]);
    const entries = columns.map(async (column) => {
      const overview = JSON.parse((await this.#unpack(column, 'overview')).toString()) as Overview;
      return [column.name, overview] as const;
    });
    const byName = new Map<string | null, Overview>(await Promise.all(entries));
    return ({ stateBlob }) => byName.get(stateBlob) ?? EMPTY;
  }

  /** By the id of the version; those without outputs are left out. */
  outputCounts(versionIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return store.outputCounts(this.#database, versionIds);
  }

  async #pack(blob: Blob, purpose: string, json: Iterable<string>): Promise<Uint8Array> {
    return this.#blobs.seal(blob, purpose, await deflate(await inOne(json)));
  }

  async #unpack({ sealed, ...blob }: store.SealedColumn, purpose: string): Promise<Buffer> {
    return inflate(this.#blobs.open(blob, purpose, sealed), { maxOutputLength: MAX_BYTES });
  }
}
