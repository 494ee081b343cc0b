import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BlobStorageConfig, ConfigError, type StorageConfig } from '../config/index.ts';
import { type BlobStore, FileBlobs, S3Blobs, type S3Settings } from '../storage/index.ts';

/**
 * Where states lie: beside the databases, unless the configuration names a place.
 * @throws ConfigError, StorageError for a bucket that cannot be used
 */
export async function openBlobs(storage: StorageConfig): Promise<BlobStore> {
  if (storage.blobs) return S3Blobs.open(await toSettings(storage.blobs));
  if (storage.blobDirectory !== undefined) return new FileBlobs(storage.blobDirectory);
  if (storage.type === 'sqlite') return new FileBlobs(join(storage.directory, 'blobs'));
  throw new ConfigError('storage.blob_directory: missing');
}

async function toSettings({ type: _, credentials, ...settings }: BlobStorageConfig): Promise<S3Settings> {
  if (!credentials) return settings;
  const { accessKeyId, secretAccessKey: secret } = credentials;
  const secretAccessKey = 'text' in secret ? secret.text : await readSecret(secret.file);
  return { ...settings, credentials: { accessKeyId, secretAccessKey } };
}

async function readSecret(file: string): Promise<string> {
  const key = 'storage.blobs.secret_access_key_file';
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new ConfigError(`${key}: cannot read ${file}: ${error.message}`);
  });
  if (text.trim() === '') throw new ConfigError(`${key}: ${file} is empty`);
  return text.trim();
}
