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

/** What is backed up, and by whom. */
export interface BackupParts {
  readonly config: Config;
  /** @throws StorageError where it cannot be opened, or is not that of the databases */
  readonly openKeyring: () => Promise<Keyring>;
  /** Of the workspaces, where backups are noted. */
  readonly database: Database;
}

export interface MakeOptions {
  /** `s3://…` or an absolute path; absent: that of the configuration. */
  readonly destination?: string | undefined;
  readonly scheduled: boolean;
  /** Breaks it off: nothing is left of it. */
  readonly signal?: AbortSignal;
}

/** A backup that is whole. */
export interface Made {
  /** Where it is: the path, or the address in a bucket. */
  readonly backup: string;
  readonly bytes: number;
  readonly rows: number;
  readonly blobs: number;
  /** Names of contents that rows name and that are in no store. */
  readonly missing: readonly string[];
  readonly seconds: number;
  /** Older ones that are gone for it, and why others are not that had to go. */
  readonly removed: readonly string[];
  readonly unremoved?: string;
}

type Removal = Pick<Made, 'removed' | 'unremoved'>;

/** What began longer ago and is not whole belongs to nobody, milliseconds. */
const DRAFT_LIFE = 86_400_000;
const FAILED = { whole: false, bytes: 0, missing: 0 };

/** Where backups are, by the configuration or by what was said instead. @throws ConfigError where nobody has said it */
export async function placeOf({ backup, storage }: Config, said?: string): Promise<Location> {
  const destination = said ?? backup?.destination;
  if (destination === undefined)
    throw new ConfigError('backup.destination: missing; name a place for the backup, or set it in the configuration');
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
 * Makes a backup beside a server that runs, or without one: first the databases, then the contents that their rows name, of which
 * none is deleted meanwhile. On SQLite it holds its thread for as long as parts of a table are read.
 */
export async function makeBackup(parts: BackupParts, options: MakeOptions): Promise<Made> {
  const time = new SharedClock();
  // Whoever deletes contents goes by it, and whoever removes older backups.
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
    // Else a schedule would try it again at once, and again, and nobody would see that it fails.
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
    // Where not one content was found, their store is not there: what has them stays.
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

/** What a backup takes the place of. */
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

/** Those beyond so many, and what was begun long ago. */
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

/** `address` of a place, and what is in it. */
function addressOf(address: string, name: string): string {
  return address.endsWith('/') ? address + name : `${address}/${name}`;
}
