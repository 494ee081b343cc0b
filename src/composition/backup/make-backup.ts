import { randomBytes } from 'node:crypto';
import {
  BackupAttempts,
  type BackupDestination,
  before,
  createBackup,
  type Location,
  locate,
  nameOf,
  ofKeyring,
  type S3Access,
} from '../../backup/index.ts';
import { type Config, ConfigError } from '../../config/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Database, isBlobKnown, type Keyring, SharedClock } from '../../storage/index.ts';
import { version } from '../../version.ts';
import { openBlobs, readS3Access } from '../blob-storage.ts';
import { LEFT_OUT, snapshotsOf } from './contents.ts';

/** Source and maker of a backup. */
export interface BackupParts {
  readonly config: Config;
  /** @throws StorageError if the keyring cannot be opened or does not match the databases */
  readonly openKeyring: () => Promise<Keyring>;
  /** Workspace database, which records backups. */
  readonly database: Database;
}

export interface MakeOptions {
  /** `s3://…` or an absolute path. Absent: the configured destination. */
  readonly destination?: string | undefined;
  readonly scheduled: boolean;
  /** Aborts the backup and removes its partial file. */
  readonly signal?: AbortSignal;
}

/** A complete backup. */
export interface Made {
  /** Path or S3 URL of the backup. */
  readonly backup: string;
  readonly bytes: number;
  readonly rows: number;
  readonly blobs: number;
  /** Names of blobs that rows refer to but no store has. */
  readonly missing: readonly string[];
  readonly seconds: number;
  /** Older backups that were removed, and the reasons why others could not be. */
  readonly removed: readonly string[];
  readonly unremoved?: string;
}

type Removal = Pick<Made, 'removed' | 'unremoved'>;

/** Age after which an incomplete backup counts as abandoned, milliseconds. */
const DRAFT_LIFE = 86_400_000;
const FAILED = { whole: false, bytes: 0, missing: 0 };

/** Returns the backup destination: the given one or the configured one. @throws ConfigError without either */
export async function placeOf({ backup, storage }: Config, said?: string): Promise<Location> {
  const destination = said ?? backup?.destination;
  if (destination === undefined)
    throw new ConfigError(
      'backup.destination: missing; pass a destination for the backup, or set it in the configuration',
    );
  return locate(destination, destination.startsWith('s3://') ? await accessOf({ backup, storage }) : undefined);
}

async function accessOf({
  backup,
  storage,
}: Pick<Config, 'storage'> & { backup: Config['backup'] }): Promise<S3Access | undefined> {
  if (backup?.s3) return readS3Access(backup.s3, 'backup.s3');
  if (storage.blobs === undefined) return undefined;
  const { type: _, bucket: __, prefix: ___, ...access } = storage.blobs;
  return readS3Access(access, 'storage.blobs');
}

/**
 * Creates a backup; the server may be running. Reads the databases first, then the blobs that their rows refer to,
 * which no process deletes meanwhile. On SQLite it blocks its thread while it reads parts of a table.
 */
export async function makeBackup(parts: BackupParts, options: MakeOptions): Promise<Made> {
  const time = new SharedClock();
  // Registers the attempt. Deletion of blobs and removal of older backups respect it.
  await time.synchronize(parts.database);
  const following = time.following(parts.database, { tell: () => undefined, report: () => undefined });
  following.start();
  try {
    return await make(parts, options, time.now);
  } finally {
    await following.stop();
  }
}

async function make(parts: BackupParts, options: MakeOptions, now: Clock): Promise<Made> {
  const { config, database } = parts;
  const began = performance.now();
  const id = randomBytes(8).toString('hex');
  const attempts = new BackupAttempts(database, now);
  const { keyring, location } = await ready(parts, options).catch(async (error: unknown) => {
    // Records the failure. Otherwise a schedule would retry at once, and the failure would stay invisible.
    const destination = options.destination ?? config.backup?.destination ?? '';
    if (options.scheduled) await (await attempts.begin({ id, scheduled: true, destination })).end(FAILED);
    throw error;
  });
  const { place } = location;
  try {
    const name = location.name ?? nameOf(keyring, id, new Date(now()));
    const attempt = await attempts.begin({ id, scheduled: options.scheduled, destination: place.address });
    const write = (content: AsyncIterable<Uint8Array>) =>
      place.write(name, stoppable(attempt.withHeartbeat(content), options.signal));
    const made = await readAll(parts, { id, keyring, now: now() }, write).catch(async (error: unknown) => {
      await attempt.end(FAILED);
      throw error;
    });
    await attempt.end({ whole: true, bytes: made.bytes, missing: made.missing.length });
    const seconds = (performance.now() - began) / 1000;
    // If no blob was found, the store is unavailable, and older backups with the blobs must stay.
    const isEmpty = made.blobs === 0 && made.missing.length > 0;
    const keep = config.backup?.keep ?? 1;
    const mayRemove = options.scheduled && !isEmpty;
    const removal = mayRemove ? await removeOld(place, { keyring, made: name, keep, now: now() }) : { removed: [] };
    return { ...made, backup: addressOf(place.address, name), seconds, ...removal };
  } finally {
    place.close();
  }
}

async function ready({ config, openKeyring }: BackupParts, { destination, signal }: MakeOptions) {
  const keyring = await openKeyring();
  signal?.throwIfAborted();
  return { keyring, location: await placeOf(config, destination) };
}

/** Older backups that a new one replaces. */
interface Rotation {
  readonly keyring: Keyring;
  /** Its name. */
  readonly made: string;
  readonly keep: number;
  readonly now: number;
}

type Write = (content: AsyncIterable<Uint8Array>) => Promise<number>;

async function readAll(
  { config, database }: BackupParts,
  { id, keyring, now }: { readonly id: string; readonly keyring: Keyring; readonly now: number },
  write: Write,
) {
  const blobs = await openBlobs(config.storage);
  const snapshots = await snapshotsOf(config.storage);
  try {
    const isNamed = (name: string) => isBlobKnown(database, name);
    const source = { dialect: database.dialect, snapshots, leftOut: LEFT_OUT, blobs, isNamed };
    const making = createBackup(source, { id, keyring, version, now: new Date(now) });
    const bytes = await write(making.content);
    return { bytes, ...making.created() };
  } finally {
    await Promise.all(snapshots.map((snapshot) => snapshot.close()));
  }
}

async function* stoppable(content: AsyncIterable<Uint8Array>, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const part of content) {
    signal?.throwIfAborted();
    yield part;
  }
}

/** Returns backups beyond the number to keep, and abandoned ones. */
async function removeOld(place: BackupDestination, { keyring, made, keep, now }: Rotation): Promise<Removal> {
  const removed: string[] = [];
  try {
    for (const { name } of before(ofKeyring(await place.list(), keyring), made).slice(keep - 1)) {
      await place.remove(name);
      removed.push(name);
    }
    await place.sweep(now - DRAFT_LIFE);
    return { removed };
  } catch (error) {
    return { removed, unremoved: (error as Error).message };
  }
}

/** Opens the folder or bucket at `address` and lists its backups. */
function addressOf(address: string, name: string): string {
  return address.endsWith('/') ? address + name : `${address}/${name}`;
}
