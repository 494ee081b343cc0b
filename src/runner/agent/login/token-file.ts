import { readFile } from 'node:fs/promises';
import { secretText } from '../../../lib/secret/secret-text.ts';
import type { TokenSource } from './token-source.ts';

/** A token in a file, that of an agent pool. It is read again when the server refuses what was in it. */
export const tokenFileSource = (file: string): TokenSource => ({
  what: `the token in ${file}`,
  hint: 'make another one for the pool, and put it there',
  async obtain() {
    const token = secretText(await readFile(file, 'utf8'));
    if (token === '') throw new Error(`${file} is empty`);
    return { token, seconds: null };
  },
});
