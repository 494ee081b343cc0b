import Type from 'typebox';
import { s3Access } from './blob-storage-schema.ts';
import { optional } from './setting.ts';

/** Backups that the server makes by itself, and where commands find them. */
export const backup = Type.Object(
  {
    schedule: optional(
      Type.String({ pattern: '^(\\d{2}:\\d{2}|[0-9hms]{2,20})$' }),
      'a duration such as 6h, at least 15m, or a time of the day in UTC such as 02:30',
      'When the server makes backups by itself; of several nodes one does. Without it: only when `lockkeeper backup create` is run.',
    ),
    destination: optional(
      Type.String({
        pattern: '^(s3://[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9](/([A-Za-z0-9._-]+/)*)?|(?!s3:).+)$',
        maxLength: 4096,
      }),
      's3://BUCKET/PREFIX/, or a folder that is there',
      'Where they are kept: on another disk than the databases, or better on another machine. Several installations may use one place. A bucket is reached by `backup.s3`, or without it as that of storage.blobs.',
    ),
    keep: optional(
      Type.Integer({ minimum: 1, maximum: 10_000, default: 14 }),
      '1 to 10000',
      'How many of this installation stay there. Older ones are removed after one that the schedule has made is whole.',
    ),
    s3: Type.Optional(Type.Object(s3Access('LOCKKEEPER_BACKUP_S3_SECRET_ACCESS_KEY'), { additionalProperties: false })),
  },
  { additionalProperties: false },
);
