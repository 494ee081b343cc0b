import type { Migration } from '../../../storage/index.ts';

/** PostgreSQL reads no JSON with halves of characters in it, which clients could once write into any text. */
export const wellFormed: Migration = {
  name: '0040-well-formed',
  statements: ({ dialect }) =>
    dialect === 'sqlite'
      ? []
      : [
          // Not behind a backslash that is written as two.
          String.raw`UPDATE workspace SET settings =
             regexp_replace(settings, '(?<!\\)((\\\\)*)\\u(0000|d[89a-f][0-9a-f]{2})', '\1\\ufffd', 'g')
           WHERE settings ~ '\\u(0000|d[89a-f])'`,
        ],
};
