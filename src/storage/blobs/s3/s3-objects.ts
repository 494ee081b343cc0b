import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { StorageError } from '../../errors.ts';
import { WatchedSource } from '../watched-source.ts';
import { openClient } from './client.ts';
import { failureOf, failureText, isMissing } from './errors.ts';
import type { S3Settings } from './settings.ts';

/**
 * An object has at most 10,000 parts.
 * @limit a backup in a bucket, bytes -> the backup fails, and nothing is stored
 */
const MAX_OBJECT = 687_194_767_360;
const PARTS = 10_000;
const PART_BYTES = Math.ceil(MAX_OBJECT / PARTS);
/** Parts in memory: one that is being sent, and one that is being filled. */
const PARTS_AT_A_TIME = 1;

export interface FoundObject {
  /** Name without the prefix. */
  readonly name: string;
  readonly bytes: number;
}

/**
 * Objects of a bucket below a prefix, with names that the caller chooses. Errors are StorageErrors without a cause,
 * because those of the SDK contain the request.
 */
export class S3Objects {
  readonly #client: S3Client;
  readonly #settings: S3Settings;

  private constructor(client: S3Client, settings: S3Settings) {
    this.#client = client;
    this.#settings = settings;
  }

  static async open(settings: S3Settings): Promise<S3Objects> {
    return new S3Objects(await openClient(settings), settings);
  }

  close(): void {
    this.#client.destroy();
  }

  /**
   * Stores an object atomically.
   * @throws StorageError, or the error of the source
   */
  async put(name: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const watched = new WatchedSource(source);
    const upload = new Upload({
      client: this.#client,
      params: { ...this.#place(name), Body: Readable.from(watched, { objectMode: false }) },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_A_TIME,
    });
    await upload.done().catch((error: unknown) => {
      if (watched.failure) throw watched.failure.error;
      throw this.#refusal('written', name, error);
    });
  }

  /**
   * @param most number of bytes to read from the start; without it all are read
   * @returns undefined if there is no such object
   */
  async get(name: string, most?: number): Promise<AsyncIterable<Uint8Array> | undefined> {
    const { GetObjectCommand } = await import('@aws-sdk/client-s3');
    const range = most === undefined ? {} : { Range: `bytes=0-${most - 1}` };
    const answer = await this.#client.send(new GetObjectCommand({ ...this.#place(name), ...range })).catch((error) => {
      if (isMissing(failureOf(error))) return undefined;
      throw this.#refusal('read', name, error);
    });
    return answer && this.#bytesOf(name, answer.Body as Readable);
  }

  async delete(name: string): Promise<void> {
    const { DeleteObjectCommand } = await import('@aws-sdk/client-s3');
    await this.#client.send(new DeleteObjectCommand(this.#place(name))).catch((error) => {
      throw this.#refusal('deleted', name, error);
    });
  }

  /** Lists all objects whose names start with this text. */
  async list(start: string): Promise<FoundObject[]> {
    const { ListObjectsV2Command } = await import('@aws-sdk/client-s3');
    const { bucket, prefix } = this.#settings;
    const found: FoundObject[] = [];
    for (let after: string | undefined; ; ) {
      const page = { Bucket: bucket, Prefix: prefix + start, StartAfter: after };
      const { Contents = [], IsTruncated } = await this.#client.send(new ListObjectsV2Command(page)).catch((error) => {
        throw this.#refusal('listed', start, error);
      });
      for (const { Key = '', Size = 0 } of Contents) found.push({ name: Key.slice(prefix.length), bytes: Size });
      after = Contents.at(-1)?.Key;
      if (!IsTruncated || after === undefined) return found;
    }
  }

  /** Aborts incomplete uploads of this server with such names that were started before the given time. */
  async abandonUploads(start: string, isOurs: (name: string) => boolean, before: number): Promise<void> {
    const { AbortMultipartUploadCommand, ListMultipartUploadsCommand } = await import('@aws-sdk/client-s3');
    const { bucket, prefix } = this.#settings;
    const { Uploads = [] } = await this.#client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix + start }),
    );
    for (const { Key = '', UploadId, Initiated } of Uploads) {
      if (!isOurs(Key.slice(prefix.length))) continue;
      if (Initiated === undefined || Initiated.getTime() >= before) continue;
      await this.#client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
    }
  }

  async *#bytesOf(name: string, body: Readable): AsyncGenerator<Uint8Array> {
    try {
      for await (const bytes of body) yield bytes as Uint8Array;
    } catch (error) {
      throw this.#refusal('read', name, error);
    } finally {
      body.destroy();
    }
  }

  #refusal(what: string, name: string, error: unknown): StorageError {
    const { bucket, prefix } = this.#settings;
    return new StorageError(
      `s3://${bucket}/${prefix}${name} cannot be ${what} (${failureText(failureOf(error))}): check the bucket, the endpoint and the credentials`,
    );
  }

  #place(name: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#settings.bucket, Key: this.#settings.prefix + name };
  }
}
