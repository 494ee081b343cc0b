import { createCipheriv, createDecipheriv, createHmac, type Hmac, hkdfSync, randomBytes } from 'node:crypto';
import { ChunkSealer } from '../../lib/chunks.ts';
import { AppError } from '../../lib/errors.ts';
import type { Keyring } from '../keyring.ts';
import { KeyringError } from '../keyring.ts';
import type { SealedColumn } from '../sealed-column.ts';
import { versionOf } from '../sealing.ts';
import type { BlobStore } from './blob-store.ts';
import { openChunks, sealEach } from './chunk-cipher.ts';

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const KEY_BYTES = 32;
const NAME_BYTES = 16;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A blob as its row in the database describes it. */
export interface Blob {
  readonly name: string;
  /** Data key of this blob, encrypted by the keyring (envelope encryption). */
  readonly dataKey: Uint8Array;
}

/** A stored blob that no row refers to yet. */
export interface WrittenBlob extends Blob {
  /** Keyed with the scope: equal blobs are recognized within a scope, and not across scopes. */
  readonly hash: Uint8Array;
  /** Size of the plaintext. */
  readonly size: number;
  /** Version of the keyring's key that encrypted `dataKey`. */
  readonly keyVersion: number;
}

/** Options for writing a blob. */
export interface WriteOptions {
  /** Scope of deduplication: the ID of the owner. */
  readonly scope: string;
  /** Limit of the plaintext. */
  readonly maxBytes: number;
  /** Encrypts and hashes the content, if another component has to process the plaintext too. */
  readonly sink?: (keys: SinkKeys) => ContentSink;
}

/** Keys for encrypting and hashing one blob. */
export interface SinkKeys {
  readonly seal: Uint8Array;
  readonly hash: Uint8Array;
}

/** Consumes the chunks of one blob (`lib/chunks.ts`), in order. */
export interface ContentSink {
  /** Returns the encrypted chunk. The sink takes ownership of the chunk. */
  take(chunk: Uint8Array, isLast: boolean): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /** HMAC-SHA256 of the content, available after the last chunk. */
  readonly hash: Uint8Array;
}

class Sealing implements ContentSink {
  readonly #sealer: ChunkSealer;
  readonly #hash: Hmac;

  constructor(keys: SinkKeys) {
    this.#sealer = new ChunkSealer(keys.seal);
    this.#hash = createHmac('sha256', keys.hash);
  }

  take(chunk: Uint8Array, isLast: boolean): Uint8Array[] {
    this.#hash.update(chunk);
    return this.#sealer.seal(chunk, isLast);
  }

  get hash(): Uint8Array {
    return new Uint8Array(this.#hash.digest());
  }
}

/**
 * Large blobs, encrypted at rest with envelope encryption: each has a data key, which the keyring encrypts. Memory use
 * is constant.
 */
export class Blobs {
  readonly #store: BlobStore;
  readonly #keyring: Keyring;

  constructor(store: BlobStore, keyring: Keyring) {
    this.#store = store;
    this.#keyring = keyring;
  }

  /**
   * Writes a blob; durable once the promise resolves.
   * @throws AppError 413 for more than `maxBytes`; then nothing is stored
   */
  async write(source: Bytes, { scope, maxBytes, sink: sinkOf }: WriteOptions): Promise<WrittenBlob> {
    const name = randomBytes(NAME_BYTES).toString('hex');
    const keys = { seal: randomBytes(KEY_BYTES), hash: this.#keyring.hash(scope, 'blob') };
    const sink = sinkOf?.(keys) ?? new Sealing(keys);
    let size = 0;
    async function* measured(): AsyncGenerator<Uint8Array> {
      for await (const part of source) {
        size += part.length;
        if (size > maxBytes) throw new AppError('too-large', `The content is larger than ${maxBytes} bytes`);
        yield part;
      }
    }
    await this.#store.put(
      name,
      sealEach(measured(), (chunk, isLast) => sink.take(chunk, isLast)),
    );
    const dataKey = this.#keyring.encrypt(keys.seal, contextOf(name));
    return { name, dataKey, hash: sink.hash, size, keyVersion: versionOf(dataKey) ?? 0 };
  }

  /**
   * Reads a blob. Changed bytes are never returned.
   * @throws BlobMissing, KeyringError
   */
  read(blob: Blob): AsyncIterable<Uint8Array> {
    return openContent(this.#keyring, blob, this.#store.get(blob.name));
  }

  /**
   * Encrypts data derived from the blob for a related column; it becomes unreadable together with the blob. Each
   * `purpose` belongs to one column.
   */
  seal(blob: Blob, purpose: string, plaintext: Uint8Array): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, derive(this.#keyring, blob, purpose), nonce, { authTagLength: TAG_BYTES });
    return new Uint8Array(Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]));
  }

  /** @throws KeyringError if the value was changed or encrypted for another purpose */
  open(blob: Blob, purpose: string, sealed: Uint8Array): Uint8Array {
    return openBeside(this.#keyring, blob, purpose, sealed);
  }
}

/**
 * Decrypts the bytes of a blob from any source.
 * @throws KeyringError before any changed byte is returned
 */
export function openContent(keyring: Keyring, blob: Blob, sealed: Bytes): AsyncIterable<Uint8Array> {
  return openChunks(keyOf(keyring, blob), sealed);
}

/** Works like `Blobs.open`, for rows outside of the database. */
export function openBeside(keyring: Keyring, blob: Blob, purpose: string, sealed: Uint8Array): Uint8Array {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, derive(keyring, blob, purpose), nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw new KeyringError('an encrypted value was changed, or belongs to something else');
  }
}

function keyOf(keyring: Keyring, { name, dataKey }: Blob): Uint8Array {
  return keyring.decrypt(dataKey, contextOf(name));
}

function derive(keyring: Keyring, blob: Blob, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', keyOf(keyring, blob), '', `lockkeeper blob ${purpose}`, KEY_BYTES));
}

/** A column that `Blobs.seal` encrypts with the data key of the blob of its row. */
export interface ContentColumn {
  readonly table: string;
  /** Column with the name of the blob. */
  readonly name: string;
  readonly column: string;
  readonly purpose: string;
}

/** The data keys of blobs. Re-encrypting a data key leaves the blob unchanged. */
export const sealedBlobKeys: SealedColumn = {
  table: 'blob',
  key: ['name'],
  column: 'data_key',
  versionColumn: 'key_version',
  boundTo: [],
  contextOf: (name) => contextOf(name),
};

/** Authenticated context, which prevents that a row points at another blob. */
const contextOf = (name: string) => `blob/${name}`;
