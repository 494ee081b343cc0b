import { createHash, createHmac } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { ChunkSealer } from '../../../lib/chunks.ts';
import { withOwnMemory } from '../../../lib/own-memory.ts';
import { dependenciesText } from '../reader/dependencies.ts';
import { packResources, packText, partsOf, unpackResources } from '../reader/packed-resources.ts';
import { type ResourceRecord, withHistory } from '../reader/resources.ts';
import { StateReader, type StateSummary } from '../reader/state-reader.ts';

/**
 * Maximum size of a decompressed list. A list that the server has parsed itself is smaller.
 * @limit size of a list of a state, bytes -> the list is not stored
 */
export const MAX_UNPACKED_BYTES = 134_217_728;

/** Keys by which a state is encrypted and hashed. */
export interface IntakeKeys {
  readonly seal: Uint8Array;
  readonly hash: Uint8Array;
}

/** Results after the last chunk. */
export interface IntakeResult {
  readonly md5: string;
  /** HMAC-SHA256 of the content. */
  readonly hash: Uint8Array;
  /** Format of the state file. See `StateSummary`. */
  readonly format: number | null;
}

/** Data of the preceding state, against which a state is described. */
export interface Beside {
  /** Packed resources of the preceding state. */
  readonly before: Uint8Array | undefined;
  readonly version: { readonly id: string; readonly createdAt: number };
}

/** Data to store with a state: summary, and lists that are packed but not yet encrypted. */
export interface Description extends Pick<StateSummary, 'format' | 'isEncrypted' | 'engineVersion' | 'resourceCount'> {
  readonly outputCount: number;
  readonly outputs: Uint8Array;
  readonly resources: Uint8Array;
  readonly dependencies: Uint8Array;
  readonly overview: Uint8Array;
  /** JSON of `StateUses`. */
  readonly uses: string;
}

/** Upload of one state, processed in this thread or in a worker thread. */
export interface Intake {
  /** Returns the encrypted bytes to store. The chunk is unusable afterwards. */
  take(chunk: Uint8Array, isLast: boolean): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /** Returns the results after the last chunk. */
  readonly taken: IntakeResult | undefined;
  /** Returns the data to store with the state, after the last chunk. */
  describe(beside: Beside): Description | Promise<Description>;
  close(): void;
}

/** Upload of one state: encrypts, hashes and parses it chunk by chunk. Memory is constant except for the lists. */
export class StateIntake implements Intake {
  readonly #sealer: ChunkSealer;
  readonly #md5 = createHash('md5');
  readonly #hash;
  readonly #reader = new StateReader();
  #summary: StateSummary | undefined;
  #taken: IntakeResult | undefined;

  constructor(keys: IntakeKeys) {
    this.#sealer = new ChunkSealer(keys.seal);
    this.#hash = createHmac('sha256', keys.hash);
  }

  take(chunk: Uint8Array, isLast: boolean): Uint8Array[] {
    this.#md5.update(chunk);
    this.#hash.update(chunk);
    this.#reader.feed(chunk);
    if (isLast) this.#end();
    return this.#sealer.seal(chunk, isLast);
  }

  #end(): void {
    this.#summary = this.#reader.end();
    const hash = new Uint8Array(this.#hash.digest());
    this.#taken = { md5: this.#md5.digest('hex'), hash, format: this.#summary.format };
  }

  get taken(): IntakeResult | undefined {
    return this.#taken;
  }

  describe({ before, version }: Beside): Description {
    if (!this.#summary) throw new Error('describe() was called before finish()');
    const { format, isEncrypted, engineVersion, resourceCount, outputs, instances, dependencies, overview } =
      this.#summary;
    const uses = JSON.stringify(this.#summary.uses);
    const records = withHistory(instances, before && instances.length > 0 ? recordsOf(before) : [], version);
    return {
      ...{ format, isEncrypted, engineVersion, resourceCount },
      outputCount: outputs.length,
      outputs: withOwnMemory(packText(JSON.stringify(outputs))),
      resources: withOwnMemory(packResources(records)),
      dependencies: withOwnMemory(packText(dependenciesText(dependencies))),
      overview: withOwnMemory(packText(JSON.stringify(overview))),
      uses,
    };
  }

  close(): void {}
}

function recordsOf(packed: Uint8Array): ResourceRecord[] {
  const { digests, text } = partsOf(packed);
  return unpackResources(digests, inflateRawSync(text, { maxOutputLength: MAX_UNPACKED_BYTES }));
}
