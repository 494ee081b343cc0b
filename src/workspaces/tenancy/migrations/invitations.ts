import type { Migration } from '../../../storage/index.ts';

/** An invitation is found by its address. */
export const invitations: Migration = {
  name: '0013-invitations',
  statements: () => ['CREATE INDEX organization_membership_by_email ON organization_membership (email, status)'],
};
