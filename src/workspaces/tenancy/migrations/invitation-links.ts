import type { Migration } from '../../../storage/index.ts';

/** Adds links and emails of invitations. */
export const invitationLinks: Migration = {
  name: '0091-invitation-links',
  compatibleFrom: '0040-well-formed',
  statements: ({ text, integer, tableOptions }) => [
    // SHA-256 of the secret in the link, in base64url. A mailed link proves that its holder reads the mailbox.
    `CREATE TABLE invitation_link (
      hash ${text} PRIMARY KEY,
      membership_id ${text} NOT NULL REFERENCES organization_membership (id) ON DELETE CASCADE,
      mailed ${integer} NOT NULL,
      created_by ${text} REFERENCES account (id) ON DELETE SET NULL,
      expires_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX invitation_link_by_membership ON invitation_link (membership_id)',
    'CREATE INDEX invitation_link_by_creator ON invitation_link (created_by)',
    'CREATE INDEX invitation_link_by_end ON invitation_link (expires_at)',
    // Emails of the last day, also those of invitations that are gone: they count for the limit.
    `CREATE TABLE invitation_mail (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      membership_id ${text} NOT NULL,
      invited_by ${text} REFERENCES account (id) ON DELETE SET NULL,
      target ${text} NOT NULL,
      due_at ${integer},
      claim ${text},
      claimed_until ${integer} NOT NULL,
      failures ${integer} NOT NULL,
      created_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX invitation_mail_due ON invitation_mail (due_at) WHERE due_at IS NOT NULL',
    'CREATE INDEX invitation_mail_by_organization ON invitation_mail (organization_id, created_at)',
    'CREATE INDEX invitation_mail_by_membership ON invitation_mail (membership_id)',
    'CREATE INDEX invitation_mail_by_inviter ON invitation_mail (invited_by)',
  ],
};
