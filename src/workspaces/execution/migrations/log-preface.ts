import type { Migration } from '../../../storage/index.ts';

/** Adds the number of bytes at the start of a log that the server wrote before its phase started. */
export const logPreface: Migration = {
  name: '0077-log-preface',
  compatibleFrom: '0040-well-formed',
  statements: ({ integer }) => [`ALTER TABLE run_phase ADD COLUMN preface_bytes ${integer} NOT NULL DEFAULT 0`],
};
