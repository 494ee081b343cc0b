import type { Migration } from '../../../storage/index.ts';

/** Adds the keys that sign workload identity tokens. */
export const workloadIdentity: Migration = {
  name: '0023-workload-identity',
  statements: ({ text, integer, blob, tableOptions }) => [
    // `id` is the `kid` of tokens. `public_key` is JSON, `private_key` is encrypted. `generation` is unique, so
    // concurrent processes create only one. `tokens_until` is not earlier than the expiry of the last signed token.
    `CREATE TABLE identity_key (
      id ${text} PRIMARY KEY,
      generation ${integer} NOT NULL UNIQUE,
      public_key ${text} NOT NULL,
      private_key ${blob} NOT NULL,
      signs_from ${integer} NOT NULL,
      tokens_until ${integer} NOT NULL
    )${tableOptions}`,
  ],
};
