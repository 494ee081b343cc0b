import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BlobStorageConfig, ConfigError, type S3AccessConfig, type StorageConfig } from '../config/index.ts';
import { secretText } from '../lib/secret/secret-text.ts';
import { type BlobStore, FileBlobs, S3Blobs, type S3Settings } from '../storage/index.ts';

/**
 * Opens the blob store: beside the databases, unless configured otherwise.
 * @throws ConfigError, StorageError for an unusable bucket
 */
export async function openBlobs(storage: StorageConfig): Promise<BlobStore> {
  if (storage.blobs) return S3Blobs.open(await toSettings(storage.blobs));
  if (storage.blobDirectory !== undefined) return new FileBlobs(storage.blobDirectory);
  if (storage.type === 'sqlite') return new FileBlobs(join(storage.directory, 'blobs'));
  throw new ConfigError('storage.blob_directory: missing');
}

async function toSettings({ type: _, bucket, prefix, ...access }: BlobStorageConfig): Promise<S3Settings> {
  return { bucket, prefix, ...(await readS3Access(access, 'storage.blobs')) };
}

/**
 * Resolves the S3 settings, reading the secret from its file. @param key of the mapping in the configuration @throws
 * ConfigError
 */
export async function readS3Access(
  { credentials, ...access }: S3AccessConfig,
  key: string,
): Promise<Omit<S3Settings, 'bucket' | 'prefix'>> {
  if (!credentials) return access;
  const { accessKeyId, secretAccessKey: secret } = credentials;
  const secretAccessKey = 'text' in secret ? secret.text : await readSecret(secret.file, key);
  return { ...access, credentials: { accessKeyId, secretAccessKey } };
}

async function readSecret(file: string, mapping: string): Promise<string> {
  const key = `${mapping}.secret_access_key_file`;
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new ConfigError(`${key}: cannot read ${file}: ${error.message}`);
  });
  const secret = secretText(text);
  if (secret === '') throw new ConfigError(`${key}: ${file} is empty`);
  return secret;
}
