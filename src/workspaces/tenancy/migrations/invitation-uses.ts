import type { Migration } from '../../../storage/index.ts';

/**
 * Adds the log that the daily limits of invitations count. Its rows refer to nothing, so that they outlive what is deleted
 * and created again.
 */
export const invitationUses: Migration = {
  name: '0093-invitation-uses',
  statements: ({ text, integer, tableOptions }) => [
    // User who created the organization. For organizations of earlier versions the oldest active member.
    `ALTER TABLE organization ADD COLUMN founder_id ${text}`,
    `UPDATE organization SET founder_id = (SELECT m.account_id FROM organization_membership m
       WHERE m.organization_id = organization.id AND m.status = 'active' ORDER BY m.created_at, m.id LIMIT 1)`,
    // kind: email or account. recipient: SHA-256 of the email address, in base64url; null for an account. account_id: the new
    // account; null for an email.
    `CREATE TABLE invitation_use (
      id ${text} PRIMARY KEY,
      kind ${text} NOT NULL,
      organization_id ${text} NOT NULL,
      principal_id ${text} NOT NULL,
      recipient ${text},
      account_id ${text},
      created_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX invitation_use_by_time ON invitation_use (kind, created_at)',
    `INSERT INTO invitation_use (id, kind, organization_id, principal_id, recipient, created_at)
     SELECT i.id, 'email', i.organization_id, COALESCE(i.invited_by, 'founder:' || o.founder_id, o.id), NULL, i.created_at
     FROM invitation_mail i JOIN organization o ON o.id = i.organization_id`,
    'CREATE INDEX invitation_mail_by_time ON invitation_mail (created_at)',
  ],
};
