import { createHash, createHmac } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { ChunkSealer } from '../../../lib/chunks.ts';
import { dependenciesText } from '../reader/dependencies.ts';
import { packResources, packText, partsOf, unpackResources } from '../reader/packed-resources.ts';
import { type ResourceRecord, withHistory } from '../reader/resources.ts';
import { StateReader, type StateSummary } from '../reader/state-reader.ts';
import { withOwnMemory } from './own-memory.ts';

/**
 * Of what is unpacked: more than what is read from a state can be.
 * @limit what is listed of a state, bytes -> it is not listed
 */
export const MAX_UNPACKED_BYTES = 134_217_728;

/** What a state is sealed and hashed with. */
export interface IntakeKeys {
  readonly seal: Uint8Array;
  readonly hash: Uint8Array;
}

/** What is known of a state once its last chunk was taken. */
export interface IntakeResult {
  readonly md5: string;
  /** HMAC-SHA256 of the content. */
  readonly hash: Uint8Array;
  /** See `StateSummary`. */
  readonly format: number | null;
}

/** What a state is described beside. */
export interface Beside {
  /** The packed resources of the state before it. */
  readonly before: Uint8Array | undefined;
  readonly version: { readonly id: string; readonly createdAt: number };
}

/** What is stored beside a state: facts, and texts that are packed and not sealed yet. */
export interface Description extends Pick<StateSummary, 'format' | 'isEncrypted' | 'engineVersion' | 'resourceCount'> {
  readonly outputCount: number;
  readonly outputs: Uint8Array;
  readonly resources: Uint8Array;
  readonly dependencies: Uint8Array;
  readonly overview: Uint8Array;
}

/** One state on its way into the store: here, or in a thread. */
export interface Intake {
  /** What is stored in the place of a chunk, whose memory is handed over. */
  take(chunk: Uint8Array, isLast: boolean): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /** After the last chunk. */
  readonly taken: IntakeResult | undefined;
  /** After the last chunk. */
  describe(beside: Beside): Description | Promise<Description>;
  close(): void;
}

/** One state on its way into the store: sealed, hashed and read, chunk by chunk. Constant memory but for what is listed. */
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
    if (!this.#summary) throw new Error('a state is described that has not been read');
    const { format, isEncrypted, engineVersion, resourceCount, outputs, instances, dependencies, overview } =
      this.#summary;
    const records = withHistory(instances, before && instances.length > 0 ? recordsOf(before) : [], version);
    return {
      ...{ format, isEncrypted, engineVersion, resourceCount },
      outputCount: outputs.length,
      outputs: withOwnMemory(packText(JSON.stringify(outputs))),
      resources: withOwnMemory(packResources(records)),
      dependencies: withOwnMemory(packText(dependenciesText(dependencies))),
      overview: withOwnMemory(packText(JSON.stringify(overview))),
    };
  }

  close(): void {}
}

function recordsOf(packed: Uint8Array): ResourceRecord[] {
  const { digests, text } = partsOf(packed);
  return unpackResources(digests, inflateRawSync(text, { maxOutputLength: MAX_UNPACKED_BYTES }));
}
