import type { Migration } from '../../../storage/index.ts';

/** Adds an index that finds invitations by email address. */
export const invitations: Migration = {
  name: '0013-invitations',
  statements: () => ['CREATE INDEX organization_membership_by_email ON organization_membership (email, status)'],
};
