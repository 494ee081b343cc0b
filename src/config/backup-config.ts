import Type, { type Static } from 'typebox';
import { DurationError, parseSeconds } from '../lib/duration.ts';
import { type S3AccessConfig, s3Access, toS3Access } from './blob-storage-config.ts';
import { ConfigError } from './config-error.ts';
import { defaulted, optional } from './setting.ts';

/** Scheduled backups, and the destination that commands use. */
export const backup = Type.Object(
  {
    schedule: optional(
      Type.String({ pattern: '^(\\d{2}:\\d{2}|[0-9hms]{2,20})$' }),
      'a duration such as 6h, at least 15m, or a time of the day in UTC such as 02:30',
      'Schedule of automatic backups; one node makes each. Default: no schedule, only `lockkeeper backup create`.',
    ),
    destination: optional(
      Type.String({
        pattern: '^(s3://[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9](/([A-Za-z0-9._-]+/)*)?|(?!s3:).+)$',
        maxLength: 4096,
      }),
      's3://BUCKET/PREFIX/, or an existing folder',
      'Destination of backups. Use another disk than the databases, or better another machine. Several servers may share one destination. Access to a bucket is configured in `backup.s3`, or else as in storage.blobs.',
    ),
    keep: defaulted(
      Type.Integer({ minimum: 1, maximum: 10_000, default: 14 }),
      '1 to 10000',
      "Number of this server's backups to keep. The server removes older ones after a scheduled backup is complete.",
    ),
    s3: Type.Optional(Type.Object(s3Access('LOCKKEEPER_BACKUP_S3_SECRET_ACCESS_KEY'), { additionalProperties: false })),
  },
  { additionalProperties: false },
);

/** Backup destination and schedule. */
export interface BackupConfig {
  /** Interval in milliseconds, or time of day in milliseconds after midnight UTC. Absent: no schedule. */
  readonly schedule?: { readonly every: number } | { readonly at: number };
  /** Destination: `s3://…/`, or the absolute path of a folder. */
  readonly destination?: string;
  /** Number of scheduled backups to keep. */
  readonly keep: number;
  /** Access to buckets. Absent: the access of storage.blobs. */
  readonly s3?: S3AccessConfig;
}

const DAY = 86_400_000;

/** Returns the time between two scheduled backups, milliseconds. */
export const backupInterval = (schedule: NonNullable<BackupConfig['schedule']>): number =>
  'every' in schedule ? schedule.every : DAY;

type Tree = Static<typeof backup>;

const LEAST_SECONDS = 900;
const MINUTE = 60_000;

/** @throws ConfigError for a schedule without a destination and for an invalid time */
export function toBackup({ schedule, destination, keep, s3 }: Tree, at: (path: string) => string): BackupConfig {
  if (schedule !== undefined && destination === undefined)
    throw new ConfigError(
      'backup.destination: missing beside schedule; allowed: s3://BUCKET/PREFIX/, or an existing folder',
    );
  return {
    keep,
    ...(schedule !== undefined && { schedule: toSchedule(schedule) }),
    ...(destination !== undefined && { destination: toDestination(destination, at) }),
    ...(s3 && { s3: toS3Access(s3, 'backup.s3', at) }),
  };
}

/** Returns the prefix with a slash at its end: several servers may share a bucket. */
function toDestination(destination: string, at: (path: string) => string): string {
  const path = destination.startsWith('s3://') ? destination : at(destination);
  return path.endsWith('/') ? path : `${path}/`;
}

function toSchedule(text: string): NonNullable<BackupConfig['schedule']> {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours !== undefined) return { at: (Number(hours) * 60 + Number(minutes)) * MINUTE };
  try {
    const seconds = parseSeconds(text);
    if (seconds >= LEAST_SECONDS) return { every: seconds * 1000 };
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
  }
  throw new ConfigError(
    `backup.schedule: found ${JSON.stringify(text)}; allowed: a duration such as 6h, at least 15m, or a time of the day in UTC such as 02:30`,
  );
}
