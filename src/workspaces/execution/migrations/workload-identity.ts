import type { Migration } from '../../../storage/index.ts';

/** The keys that sign for runs who they are. */
export const workloadIdentity: Migration = {
  name: '0023-workload-identity',
  statements: ({ text, integer, blob, tableOptions }) => [
    // id is what tokens name the key by. public_key is JSON, private_key is sealed. Of two processes that make a generation, one
    // does. tokens_until: when the last token that it has signed ends, or later.
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
