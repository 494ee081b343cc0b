import { readFile } from 'node:fs/promises';
import { secretText } from '../../../lib/secret/secret-text.ts';
import type { TokenSource } from './token-source.ts';

/** Token of an agent pool in a file. The file is read again after the server rejected the token. */
export const tokenFileSource = (file: string): TokenSource => ({
  what: `the token in ${file}`,
  hint: 'create another token for the pool and write it to that file',
  async obtain() {
    const token = secretText(await readFile(file, 'utf8'));
    if (token === '') throw new Error(`${file} is empty`);
    return { token, seconds: null };
  },
});
