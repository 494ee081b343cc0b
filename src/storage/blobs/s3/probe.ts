import { randomBytes } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import { StorageError } from '../../errors.ts';
import { failureOf, failureText, isTaken, knowsNoCondition } from './errors.ts';
import type { S3Settings } from './settings.ts';

/** Reasons and advice by error code, for the operator. */
const REASONS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket; create it, or correct storage.blobs.bucket',
  AccessDenied: 'the credentials do not allow it; they need to get, put, delete and list objects and multipart uploads',
  InvalidAccessKeyId: 'the store does not know the access key',
  SignatureDoesNotMatch: 'the secret access key does not belong to the access key',
  PermanentRedirect: 'the bucket is in another region, or at another endpoint',
  AuthorizationHeaderMalformed: 'the store is in another region: correct storage.blobs.region',
  CredentialsProviderError: 'there are no credentials',
};

/**
 * Writes, reads and removes an object at the start of the server, so that a server that cannot store states fails at
 * once.
 * @returns whether the store honours `If-None-Match: *`, which means that it refuses a second PUT to the same name
 * @throws StorageError
 */
export async function probe(client: S3Client, settings: S3Settings): Promise<{ conditional: boolean }> {
  const { GetObjectCommand, PutObjectCommand, DeleteObjectCommand, ListObjectsV2Command } = await import(
    '@aws-sdk/client-s3'
  );
  const place = { Bucket: settings.bucket, Key: `${settings.prefix}probe-${randomBytes(16).toString('hex')}` };
  const Body = randomBytes(16);
  const put = async (condition: { IfNoneMatch?: string }) => {
    try {
      await client.send(new PutObjectCommand({ ...place, Body, ...condition }));
      return 'written';
    } catch (error) {
      const failure = failureOf(error);
      if (condition.IfNoneMatch && isTaken(failure)) return 'taken';
      if (condition.IfNoneMatch && knowsNoCondition(failure)) return 'unknown';
      throw error;
    }
  };
  try {
    await put({});
    const conditional = (await put({ IfNoneMatch: '*' })) === 'taken';
    const { Body: read } = await client.send(new GetObjectCommand(place));
    const bytes = await read?.transformToByteArray();
    if (!bytes || !Body.equals(bytes)) throw Object.assign(new Error(), { name: 'ReadsSomethingElse' });
    await client.send(new DeleteObjectCommand(place));
    await client.send(new ListObjectsV2Command({ Bucket: settings.bucket, Prefix: settings.prefix, MaxKeys: 1 }));
    return { conditional };
  } catch (error) {
    throw refusal(settings, error);
  }
}

/** Has no cause, because an error of the SDK contains the request. */
function refusal({ bucket, endpoint }: S3Settings, error: unknown): StorageError {
  const failure = failureOf(error);
  const reason = REASONS[failure.code];
  return new StorageError(
    `storage.blobs: the bucket ${bucket}${endpoint ? ` at ${endpoint}` : ''} cannot be used` +
      `${reason ? `: ${reason}` : ''} (${failureText(failure)})`,
  );
}
