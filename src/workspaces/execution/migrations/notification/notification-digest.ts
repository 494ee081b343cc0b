import type { Migration } from '../../../../storage/index.ts';

/** Adds the daily digest of notification configurations: its options as JSON, and the time of the next one. */
export const notificationDigest: Migration = {
  name: '0079-notification-digest',
  compatibleFrom: '0040-well-formed',
  statements: ({ integer, text }) => [
    `ALTER TABLE notification_configuration ADD COLUMN digest ${text}`,
    `ALTER TABLE notification_configuration ADD COLUMN digest_at ${integer}`,
    `CREATE INDEX notification_configuration_digest ON notification_configuration (digest_at, id)
     WHERE digest_at IS NOT NULL`,
  ],
};
