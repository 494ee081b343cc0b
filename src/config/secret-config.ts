import { ConfigError } from './config-error.ts';

/** A secret as it was set, or the file that holds it in one line. */
export type SecretConfig = { readonly text: string } | { readonly file: string };

/**
 * @param key of the setting that holds the text; beside it is that of the file, `<key>_file`
 * @returns undefined for neither
 * @throws ConfigError for both
 */
export function toSecret(
  key: string,
  text: string | undefined,
  file: string | undefined,
  at: (path: string) => string,
): SecretConfig | undefined {
  if (text !== undefined && file !== undefined)
    throw new ConfigError(`${key}: found beside ${key.split('.').at(-1)}_file; allowed: one of the two`);
  if (text !== undefined) return { text };
  return file === undefined ? undefined : { file: at(file) };
}
