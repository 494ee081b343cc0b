import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { type BlobListing, BlobMissing, type BlobStore } from '../blob-store.ts';
import { WatchedSource } from '../watched-source.ts';
import { openClient } from './client.ts';
import { failureOf, isMissing, storeUnavailable } from './errors.ts';
import { ours, parseUploadName, readPosition, writePosition } from './listing.ts';
import { probe } from './probe.ts';
import type { S3Settings } from './settings.ts';

/** Minimum size of each part but the last, by the protocol. Content that fits into one part is sent in one request. */
const PART_BYTES = 5 * 1_048_576;
/** Number of parts of one upload that are in memory and being sent. */
const PARTS_AT_A_TIME = 2;
/** Number of entries of a page of a listing. */
const LIST_ENTRIES = 1000;

/**
 * Blobs as objects of a bucket, `<prefix><name>`. Objects are created atomically, by one request or by the completion
 * of a multipart upload. Incomplete uploads are listed too, so that they are swept.
 */
export class S3Blobs implements BlobStore {
  readonly #client: S3Client;
  readonly #settings: S3Settings;
  readonly #conditional: boolean;

  private constructor(client: S3Client, settings: S3Settings, conditional: boolean) {
    this.#client = client;
    this.#settings = settings;
    this.#conditional = conditional;
  }

  /** @throws StorageError if the bucket cannot be reached, read or written */
  static async open(settings: S3Settings): Promise<S3Blobs> {
    const client = await openClient(settings);
    try {
      const { conditional } = await probe(client, settings);
      return new S3Blobs(client, settings, conditional);
    } catch (error) {
      client.destroy();
      throw error;
    }
  }

  async put(name: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const watched = new WatchedSource(source);
    const upload = new Upload({
      client: this.#client,
      params: {
        ...this.#place(name),
        Body: Readable.from(watched, { objectMode: false }),
        ...(this.#conditional && { IfNoneMatch: '*' }),
      },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_A_TIME,
    });
    await upload.done().catch((error: unknown) => {
      if (watched.failure) throw watched.failure.error;
      throw storeUnavailable(error);
    });
  }

  async *get(name: string): AsyncGenerator<Uint8Array> {
    const body = await this.#open(name);
    try {
      for await (const bytes of body) yield bytes as Uint8Array;
    } catch (error) {
      throw storeUnavailable(error);
    } finally {
      body.destroy();
    }
  }

  async delete(name: string): Promise<void> {
    const { AbortMultipartUploadCommand, DeleteObjectCommand } = await import('@aws-sdk/client-s3');
    const upload = parseUploadName(name);
    const sent = upload
      ? this.#client.send(new AbortMultipartUploadCommand({ ...this.#place(upload.name), UploadId: upload.id }))
      : this.#client.send(new DeleteObjectCommand(this.#place(name)));
    await sent.catch((error: unknown) => {
      if (!isMissing(failureOf(error))) throw storeUnavailable(error);
    });
  }

  async list(from: string | undefined): Promise<BlobListing> {
    const position = readPosition(from);
    try {
      return position.of === 'objects'
        ? await this.#listObjects(position.after)
        : await this.#listUploads(position.key, position.id);
    } catch (error) {
      throw storeUnavailable(error);
    }
  }

  async #open(name: string): Promise<Readable> {
    const { GetObjectCommand } = await import('@aws-sdk/client-s3');
    try {
      const { Body } = await this.#client.send(new GetObjectCommand(this.#place(name)));
      return Body as Readable;
    } catch (error) {
      if (isMissing(failureOf(error))) throw new BlobMissing('a blob is missing from its store');
      throw storeUnavailable(error);
    }
  }

  async #listObjects(after: string | undefined): Promise<BlobListing> {
    const { ListObjectsV2Command } = await import('@aws-sdk/client-s3');
    const { bucket, prefix } = this.#settings;
    const page = { Bucket: bucket, Prefix: prefix, MaxKeys: LIST_ENTRIES, StartAfter: after };
    const { Contents = [], IsTruncated } = await this.#client.send(new ListObjectsV2Command(page));
    const last = Contents.at(-1)?.Key;
    return {
      blobs: ours(
        prefix,
        Contents.map(({ Key, LastModified }) => ({ key: Key, at: LastModified })),
      ),
      next: writePosition(IsTruncated && last ? { of: 'objects', after: last } : { of: 'uploads' }),
    };
  }

  async #listUploads(key: string | undefined, id: string | undefined): Promise<BlobListing> {
    const { ListMultipartUploadsCommand } = await import('@aws-sdk/client-s3');
    const { bucket, prefix } = this.#settings;
    const page = { Bucket: bucket, Prefix: prefix, MaxUploads: LIST_ENTRIES, KeyMarker: key, UploadIdMarker: id };
    const found = await this.#client.send(new ListMultipartUploadsCommand(page));
    const entries = (found.Uploads ?? []).flatMap(({ Key, Initiated, UploadId }) =>
      UploadId === undefined ? [] : [{ key: Key, at: Initiated, upload: UploadId }],
    );
    const next = { of: 'uploads', key: found.NextKeyMarker, id: found.NextUploadIdMarker } as const;
    return {
      blobs: ours(prefix, entries),
      next: found.IsTruncated && next.key ? writePosition(next) : undefined,
    };
  }

  #place(name: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#settings.bucket, Key: this.#settings.prefix + name };
  }
}
