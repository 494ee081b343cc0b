import type { Migration } from '../../../storage/index.ts';

/** Adds authorization codes of `tofu` and `terraform` logins. */
export const login: Migration = {
  name: '0009-login',
  statements: ({ text, integer, tableOptions }) => [
    `CREATE TABLE login_code (
      hash ${text} PRIMARY KEY,
      account_id ${text} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      challenge ${text} NOT NULL,
      redirect_uri ${text} NOT NULL,
      description ${text} NOT NULL,
      token_ttl ${integer} NOT NULL,
      expires_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX login_code_by_account ON login_code (account_id)',
    'CREATE INDEX login_code_by_end ON login_code (expires_at)',
  ],
};
