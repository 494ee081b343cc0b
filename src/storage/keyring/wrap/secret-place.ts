import { readFile } from 'node:fs/promises';
import { secretText } from '../../../lib/secret/secret-text.ts';
import { WrapFailure } from './key-wrapper.ts';
import type { SecretPlace } from './settings.ts';

/** @param what name of the secret in a message: `the token` */
export async function readSecret(place: SecretPlace, what: string): Promise<string> {
  if ('text' in place) return place.text;
  const text = await readFile(place.file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new WrapFailure(`${what} cannot be read from ${place.file}: ${error.code}`);
  });
  const secret = secretText(text);
  if (secret === '') throw new WrapFailure(`${what} should be in ${place.file}, which is empty`);
  return secret;
}
