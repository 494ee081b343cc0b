import type { Migration } from '../../../storage/index.ts';

/**
 * Adds the token that a session or a login code was created with. A foreign key with ON DELETE CASCADE deletes both
 * with that token, so that no code path can forget them.
 */
export const derivedTokens: Migration = {
  name: '0058-derived-tokens',
  // A node of the previous version stores no origin: tokens that it creates during the upgrade outlive their origin,
  // as before.
  compatibleFrom: '0040-well-formed',
  statements: ({ text }) => [
    // Null for a token that is not derived: of a user, team, organization or pipeline, or of a single sign-on session.
    `ALTER TABLE authentication_token ADD COLUMN derived_from ${text} REFERENCES authentication_token (id) ON DELETE CASCADE`,
    'CREATE INDEX authentication_token_by_origin ON authentication_token (derived_from)',
    `ALTER TABLE login_code ADD COLUMN derived_from ${text} REFERENCES authentication_token (id) ON DELETE CASCADE`,
    'CREATE INDEX login_code_by_origin ON login_code (derived_from)',
  ],
};
