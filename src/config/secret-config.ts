import Type from 'typebox';
import { ConfigError } from './config-error.ts';
import { defaulted, path, secret } from './setting.ts';

/** A secret as text, or the file that holds it in one line. */
export type SecretConfig = { readonly text: string } | { readonly file: string };

/** Settings of the token for an HTTP collector. @param read when the file is read */
export const tokenFields = (read: string) => ({
  token_header: defaulted(
    Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$", default: 'Authorization' }),
    'the name of a header',
    'Header that carries the token to an HTTP collector. In Authorization, a token without a scheme is sent as Bearer.',
  ),
  token_file: Type.Optional(path(`File with the token in one line. ${read}`)),
  token: secret(
    Type.String({ pattern: '^[!-~]([ -~]*[!-~])?$', maxLength: 4096 }),
    'text',
    'The token as text. Prefer `token_file`.',
  ),
});

/**
 * @param key of the setting with the text; the file is in the setting `<key>_file`
 * @returns undefined if neither is set
 * @throws ConfigError if both are set
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
