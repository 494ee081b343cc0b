import { open, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StorageError } from '../errors.ts';

/** Network file systems (`f_type`, statfs(2)). The write-ahead log needs memory that all processes share. */
const NETWORK_FILESYSTEMS = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
]);

/**
 * Returns the name of the network file system of a folder, such as `NFS`; undefined on a local disk.
 * @throws the error of the system
 */
export async function networkFilesystem(folder: string): Promise<string | undefined> {
  const { type } = await statfs(folder);
  // f_type is a signed number on some platforms.
  return NETWORK_FILESYSTEMS.get(type >>> 0);
}

/**
 * Creates the file if it does not exist, for its owner only; SQLite gives its log the same mode.
 * @throws StorageError if the folder does not exist or is on a network file system
 */
export async function prepareFile(file: string): Promise<void> {
  const folder = dirname(file);
  const network = await networkFilesystem(folder).catch((cause) => {
    throw new StorageError(`the folder of the database ${file} cannot be used: create it first`, { cause });
  });
  if (network) {
    throw new StorageError(`${file} is on a network file system (${network}): use a local disk, or PostgreSQL`);
  }
  // An existing file is never opened again: closing any descriptor of it would drop SQLite's locks (POSIX).
  const created = await open(file, 'wx', 0o600).catch((cause) => {
    if (cause.code === 'EEXIST') return undefined;
    throw new StorageError(`the database ${file} cannot be created: ${cause.code}`, { cause });
  });
  await created?.close();
}
