import type { Migration } from '../../../storage/index.ts';

/**
 * Replaces lone surrogates, which clients could once write into any text. PostgreSQL does not read JSON that contains
 * them.
 */
export const wellFormed: Migration = {
  name: '0040-well-formed',
  statements: ({ dialect }) =>
    dialect === 'sqlite'
      ? []
      : [
          // Does not match after an escaped backslash.
          String.raw`UPDATE workspace SET settings =
             regexp_replace(settings, '(?<!\\)((\\\\)*)\\u(0000|d[89a-f][0-9a-f]{2})', '\1\\ufffd', 'g')
           WHERE settings ~ '\\u(0000|d[89a-f])'`,
        ],
};
