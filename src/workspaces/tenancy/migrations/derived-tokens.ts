import type { Migration } from '../../../storage/index.ts';

/**
 * The credential that a session or a login code was made with. The database deletes them with it, whatever deletes it: no code path
 * can forget them.
 */
export const derivedTokens: Migration = {
  name: '0058-derived-tokens',
  // A node of the version before notes no origin: what is made there meanwhile outlives its token, as it did.
  compatibleFrom: '0040-well-formed',
  statements: ({ text }) => [
    // Null for a token that stands for itself: made for a user, a team, an organization or a pipeline, or by a provider's sign-in.
    `ALTER TABLE authentication_token ADD COLUMN derived_from ${text} REFERENCES authentication_token (id) ON DELETE CASCADE`,
    'CREATE INDEX authentication_token_by_origin ON authentication_token (derived_from)',
    `ALTER TABLE login_code ADD COLUMN derived_from ${text} REFERENCES authentication_token (id) ON DELETE CASCADE`,
    'CREATE INDEX login_code_by_origin ON login_code (derived_from)',
  ],
};
