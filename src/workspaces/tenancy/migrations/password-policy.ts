import type { Migration } from '../../../storage/index.ts';

/**
 * Clears a second factor that earlier builds stored as mandatory. It had no effect, and the server refuses the value now:
 * organizations would keep it, and `two-factor-conformant` would be false. JSON escapes quotes, so no other text matches.
 */
export const passwordPolicy: Migration = {
  name: '0089-password-policy',
  compatibleFrom: '0040-well-formed',
  statements: () => [
    `UPDATE organization SET settings = REPLACE(settings,
       '"collaborator-auth-policy":"two_factor_mandatory"', '"collaborator-auth-policy":"password"')
     WHERE settings LIKE '%"collaborator-auth-policy":"two_factor_mandatory"%'`,
  ],
};
