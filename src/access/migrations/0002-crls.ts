import type { Migration } from '../../storage/index.ts';

export const crls: Migration = {
  name: '0002-crls',
  statements: ({ text, integer, blob, tableOptions }) => [
    `CREATE TABLE crl (
      mount_id ${text} NOT NULL REFERENCES mount (id),
      name ${text} NOT NULL,
      version ${integer} NOT NULL,
      settings ${text} NOT NULL,
      url ${text},
      content_id ${text} NOT NULL,
      fetched_at ${integer} NOT NULL,
      etag ${text},
      last_modified ${text},
      failures ${integer} NOT NULL,
      last_error ${text},
      next_fetch_at ${integer},
      PRIMARY KEY (mount_id, name)
    )${tableOptions}`,
    `CREATE TABLE crl_chunk (
      content_id ${text} NOT NULL,
      number ${integer} NOT NULL,
      bytes ${blob} NOT NULL,
      PRIMARY KEY (content_id, number)
    )${tableOptions}`,
  ],
};
