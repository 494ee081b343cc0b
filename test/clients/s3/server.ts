import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { S3Settings } from '../../../src/storage/index.ts';
import { installed } from '../support/installation.ts';

const credentials = { accessKeyId: 'AKIATESTTESTTEST', secretAccessKey: 'NobodyMayReadThisSecret' };

/** A third-party S3 server on loopback, which stores its buckets in a folder. */
export class S3Server {
  readonly #folder = mkdtempSync(join(tmpdir(), 'lockkeeper-s3-'));
  readonly #port: number;
  readonly #client: S3Client;
  #process: ChildProcess | undefined;

  private constructor(port: number) {
    this.#port = port;
    const { endpoint, region } = this.settings('none');
    this.#client = new S3Client({ endpoint, region, forcePathStyle: true, credentials, maxAttempts: 20 });
    mkdirSync(join(this.#folder, 'buckets'));
  }

  static async start(): Promise<S3Server> {
    const server = new S3Server(await freePort());
    await server.resume();
    return server;
  }

  /** @param prefix a new prefix for each test that lists */
  settings(bucket: string, prefix = ''): S3Settings & { endpoint: string; credentials: typeof credentials } {
    const endpoint = `http://127.0.0.1:${this.#port}`;
    return { bucket, region: 'us-east-1', endpoint, prefix, forcePathStyle: true, credentials };
  }

  /** Starts the server and waits until it answers. */
  async resume(): Promise<void> {
    const environment = { ROOT_ACCESS_KEY: credentials.accessKeyId, ROOT_SECRET_KEY: credentials.secretAccessKey };
    this.#process = spawn(
      join(installed.s3, 'versitygw'),
      ['--port', `127.0.0.1:${this.#port}`, '--quiet', 'posix', join(this.#folder, 'buckets')],
      { env: { ...process.env, ...environment }, stdio: 'ignore' },
    );
    while (!(await fetch(this.settings('none').endpoint).catch(() => undefined)))
      await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** Kills the server, as a power cut does. */
  async kill(): Promise<void> {
    const ended = this.#process && once(this.#process, 'close');
    this.#process?.kill('SIGKILL');
    await ended;
  }

  async makeBucket(bucket: string): Promise<void> {
    await this.#client.send(new CreateBucketCommand({ Bucket: bucket }));
  }

  /** Returns the keys of all objects. */
  async objects(bucket: string): Promise<string[]> {
    const { Contents = [] } = await this.#client.send(new ListObjectsV2Command({ Bucket: bucket }));
    return Contents.map(({ Key = '' }) => Key);
  }

  /** Deletes all objects, as another client may do. */
  async empty(bucket: string): Promise<void> {
    for (const Key of await this.objects(bucket))
      await this.#client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
  }

  async bytes(bucket: string, key: string): Promise<Buffer> {
    const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return Buffer.from((await Body?.transformToByteArray()) ?? []);
  }

  /** Starts a multipart upload and does not complete it. */
  async beginUpload(bucket: string, key: string): Promise<void> {
    await this.#client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: key }));
  }

  /** Returns the keys of incomplete uploads. */
  async uploads(bucket: string): Promise<string[]> {
    const { Uploads = [] } = await this.#client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
    return Uploads.map(({ Key = '' }) => Key);
  }

  /** Returns the number of bytes in incomplete uploads under a prefix. */
  async uploadedBytes(bucket: string, prefix: string): Promise<number> {
    const { Uploads = [] } = await this.#client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
    const ours = Uploads.filter(({ Key = '' }) => Key.startsWith(prefix));
    const listings = ours.map(({ Key, UploadId }) =>
      this.#client.send(new ListPartsCommand({ Bucket: bucket, Key, UploadId })),
    );
    const parts = (await Promise.all(listings)).flatMap(({ Parts = [] }) => Parts);
    return parts.reduce((sum, { Size = 0 }) => sum + Size, 0);
  }

  async stop(): Promise<void> {
    this.#client.destroy();
    await this.kill();
    rmSync(this.#folder, { recursive: true });
  }
}

/** The S3 server cannot choose a free port itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
