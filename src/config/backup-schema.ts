import Type from 'typebox';
import { s3Access } from './blob-storage-schema.ts';
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
