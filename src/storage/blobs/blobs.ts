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

/** Content as its row in the database names it. */
export interface Blob {
  readonly name: string;
  /** The key of this content alone, sealed by the keyring. */
  readonly dataKey: Uint8Array;
}

/** Content that is stored, and that no row names yet. */
export interface WrittenBlob extends Blob {
  /** Keyed with its scope: equal content is found again within it, and outside of it nobody can tell. */
  readonly hash: Uint8Array;
  /** Of the plaintext. */
  readonly size: number;
  /** Of the key in the keyring that `dataKey` is sealed with. */
  readonly keyVersion: number;
}

/** What is done with content on its way into the store. */
export interface WriteOptions {
  /** What equal content is looked for in: the id of its owner. */
  readonly scope: string;
  /** Of the plaintext. */
  readonly maxBytes: number;
  /** Seals and hashes the content, where something else is to see it as well. */
  readonly sink?: (keys: SinkKeys) => ContentSink;
}

/** What one content is sealed and hashed with. */
export interface SinkKeys {
  readonly seal: Uint8Array;
  readonly hash: Uint8Array;
}

/** Takes the chunks of one content (`lib/chunks.ts`), in order. */
export interface ContentSink {
  /** What is stored in the place of a chunk. The chunk is the sink's own from now on. */
  take(chunk: Uint8Array, isLast: boolean): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /** HMAC-SHA256 of the content, once the last chunk was taken. */
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

/** Large content, encrypted at rest: each has a key of its own, and the keyring seals those keys. Constant memory. */
export class Blobs {
  readonly store: BlobStore;
  readonly #keyring: Keyring;

  constructor(store: BlobStore, keyring: Keyring) {
    this.store = store;
    this.#keyring = keyring;
  }

  /** Durable once it resolves. @throws AppError 413 for more than `maxBytes`; nothing is left of it then */
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
    await this.store.put(
      name,
      sealEach(measured(), (chunk, isLast) => sink.take(chunk, isLast)),
    );
    const dataKey = this.#keyring.encrypt(keys.seal, contextOf(name));
    return { name, dataKey, hash: sink.hash, size, keyVersion: versionOf(dataKey) ?? 0 };
  }

  /** Nothing is given out that was changed. @throws BlobMissing, KeyringError */
  read(blob: Blob): AsyncIterable<Uint8Array> {
    return openContent(this.#keyring, blob, this.store.get(blob.name));
  }

  /** Seals what was found in the content, for a column beside it: gone with the content's key. `purpose` is used once. */
  seal(blob: Blob, purpose: string, plaintext: Uint8Array): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, derive(this.#keyring, blob, purpose), nonce, { authTagLength: TAG_BYTES });
    return new Uint8Array(Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]));
  }

  /** @throws KeyringError for what was sealed for something else, or changed */
  open(blob: Blob, purpose: string, sealed: Uint8Array): Uint8Array {
    return openBeside(this.#keyring, blob, purpose, sealed);
  }
}

/** Opens sealed content, wherever it lies. @throws KeyringError before anything that was changed is given out */
export function openContent(keyring: Keyring, blob: Blob, sealed: Bytes): AsyncIterable<Uint8Array> {
  return openChunks(keyOf(keyring, blob), sealed);
}

/** What `Blobs.open` does, of a row that lies elsewhere. */
export function openBeside(keyring: Keyring, blob: Blob, purpose: string, sealed: Uint8Array): Uint8Array {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, derive(keyring, blob, purpose), nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw new KeyringError('a sealed value was changed, or belongs to something else');
  }
}

function keyOf(keyring: Keyring, { name, dataKey }: Blob): Uint8Array {
  return keyring.decrypt(dataKey, contextOf(name));
}

function derive(keyring: Keyring, blob: Blob, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', keyOf(keyring, blob), '', `lockkeeper blob ${purpose}`, KEY_BYTES));
}

/** A column beside contents, sealed by `Blobs.seal` with the key of the one that its row names. */
export interface ContentColumn {
  readonly table: string;
  /** The column with the name of the content. */
  readonly name: string;
  readonly column: string;
  readonly purpose: string;
}

/** The keys of contents: resealing one leaves the content as it is. */
export const sealedBlobKeys: SealedColumn = {
  table: 'blob',
  key: ['name'],
  column: 'data_key',
  versionColumn: 'key_version',
  boundTo: [],
  contextOf: (name) => contextOf(name),
};

/** A row cannot be made to point at other content. */
const contextOf = (name: string) => `blob/${name}`;
