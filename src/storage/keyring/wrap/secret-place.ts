import { readFile } from 'node:fs/promises';
import { secretText } from '../../../lib/secret/secret-text.ts';
import { WrapFailure } from './key-wrapper.ts';
import type { SecretPlace } from './settings.ts';

/** @param what it is, for the text of a failure: `the token` */
export async function readSecret(place: SecretPlace, what: string): Promise<string> {
  if ('text' in place) return place.text;
  const text = await readFile(place.file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new WrapFailure(`${what} cannot be read from ${place.file}: ${error.code}`);
  });
  const secret = secretText(text);
  if (secret === '') throw new WrapFailure(`${what} is to be in ${place.file}, which is empty`);
  return secret;
}
