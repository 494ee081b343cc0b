import Type from 'typebox';
import { ConfigError } from './config-error.ts';
import { optional, path, secret } from './setting.ts';

/** A secret as it was set, or the file that holds it in one line. */
export type SecretConfig = { readonly text: string } | { readonly file: string };

/** What shows a collector over HTTP who we are. @param read when the file is read */
export const tokenFields = (read: string) => ({
  token_header: optional(
    Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$", default: 'Authorization' }),
    'the name of a header',
    'What carries the token to a collector over HTTP. In Authorization, a token without a scheme is sent as Bearer.',
  ),
  token_file: Type.Optional(path(`Holds that token, in one line. ${read}`)),
  token: secret(
    Type.String({ pattern: '^[!-~]([ -~]*[!-~])?$', maxLength: 4096 }),
    'text',
    'The same as text. Better in `token_file`.',
  ),
});

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
