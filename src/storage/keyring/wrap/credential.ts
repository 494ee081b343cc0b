import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readPrivate } from '../private-file.ts';
import { KEY_BYTES, type KeyWrapper, WrapFailure } from './key-wrapper.ts';
import type { CredentialSettings } from './settings.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** @limit the file of a key that wraps the keyring, bytes -> the server does not start */
const MAX_BYTES = 1024;

/**
 * Wraps with a key in a file that systemd (`LoadCredentialEncrypted=`) or another supervisor provides only to this
 * process.
 */
export function credentialWrapper({ key }: CredentialSettings): KeyWrapper {
  return {
    name: 'name' in key ? `the credential ${key.name}` : `the key in ${key.file}`,
    wrap: async (dataKey, context) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, await wrappingKey(key), nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context));
      return Buffer.concat([nonce, cipher.update(dataKey), cipher.final(), cipher.getAuthTag()]).toString('base64');
    },
    unwrap: async (wrapped, context) => {
      const bytes = Buffer.from(wrapped, 'base64');
      const secret = await wrappingKey(key);
      try {
        const decipher = createDecipheriv(CIPHER, secret, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(context));
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        const opened = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
        return new Uint8Array(Buffer.concat(opened));
      } catch {
        throw new WrapFailure('it is another key than the one that wrapped the file, or the file was changed');
      }
    },
  };
}

async function wrappingKey(place: CredentialSettings['key']): Promise<Uint8Array> {
  const file = fileOf(place);
  const text = await readPrivate(file, MAX_BYTES, (what) => new WrapFailure(`${file} ${what}`));
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES || key.toString('base64') !== text.trim())
    throw new WrapFailure(`${file} must hold ${KEY_BYTES} random bytes in base64 (openssl rand -base64 ${KEY_BYTES})`);
  return new Uint8Array(hkdfSync('sha256', key, '', 'lockkeeper wrap', KEY_BYTES));
}

function fileOf(place: CredentialSettings['key']): string {
  if ('file' in place) return place.file;
  const folder = process.env.CREDENTIALS_DIRECTORY;
  if (folder) return join(folder, place.name);
  throw new WrapFailure(
    'there is no $CREDENTIALS_DIRECTORY: start the process by systemd with ' +
      `LoadCredentialEncrypted=${place.name}, or name the file in keyring_wrap.key_file`,
  );
}
