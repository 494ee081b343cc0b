import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { S3Objects, type S3Settings, StorageError } from '../../storage/index.ts';
import type { BackupDestination } from './destination.ts';
import { FolderDestination } from './folder-destination.ts';
import { byTime, ofKeyring } from './names.ts';
import { S3Destination } from './s3-destination.ts';

/** Access to S3, without the bucket. */
export type S3Access = Omit<S3Settings, 'bucket' | 'prefix'>;

/** A place, and the name of one backup in it if the user gave one. */
export interface Location {
  readonly place: BackupDestination;
  readonly name?: string;
}

const S3 = /^s3:\/\/([^/]+)(?:\/(.*))?$/;

/**
 * @param address `s3://bucket/prefix/`, `s3://bucket/object`, or an absolute path of a folder or a file
 * @param access access to buckets
 * @throws StorageError if the address is a bucket and there is no access
 */
export async function locate(address: string, access: S3Access | undefined): Promise<Location> {
  const [, bucket, key = ''] = S3.exec(address) ?? [];
  if (bucket === undefined) return locatePath(address);
  if (access === undefined)
    throw new StorageError(
      `${address}: access to the bucket is not configured; set backup.s3.region and the other settings of backup.s3`,
    );
  const prefix = key.slice(0, key.lastIndexOf('/') + 1);
  const name = key.slice(prefix.length);
  const objects = await S3Objects.open({ ...access, bucket, prefix });
  return { place: new S3Destination(`s3://${bucket}/${prefix}`, objects), ...(name !== '' && { name }) };
}

async function locatePath(path: string): Promise<Location> {
  const isFolder = path.endsWith('/') || ((await stat(path).catch(() => undefined))?.isDirectory() ?? false);
  if (isFolder) return { place: new FolderDestination(path.replace(/(.)\/+$/, '$1')) };
  return { place: new FolderDestination(dirname(path)), name: basename(path) };
}

/**
 * Returns the named backup, or the newest one of this keyring.
 * @throws StorageError if there is none
 */
export async function backupAt({ place, name }: Location, keyring: { readonly fingerprint: string }): Promise<string> {
  if (name !== undefined) return name;
  const [newest] = byTime(ofKeyring(await place.list(), keyring));
  if (newest) return newest.name;
  throw new StorageError(
    `${place.address} has no backup of this server: name one that \`lockkeeper backup list\` shows`,
  );
}
