import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';

/** Algorithm of a key, and of a signature of a file's BLAKE2b-512 hash. */
const KEY_TYPE = Buffer.from('Ed');
const SIGNATURE_TYPE = Buffer.from('ED');
const RAW_KEY_LENGTH = 32;

/**
 * Reads an Ed25519 key: `openssl genpkey -algorithm ed25519 -aes256 -out release.key` creates one.
 * @param pem PKCS #8
 * @throws Error for another kind of key, or a wrong passphrase
 */
export function releaseKey(pem: string, passphrase?: string): KeyObject {
  const key = createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) });
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new Error(
      `The release key is of type ${key.asymmetricKeyType}. Create one with openssl genpkey -algorithm ed25519.`,
    );
  }
  return key;
}

/** Returns the public key as `minisign -P` takes it. */
export const publicText = (key: KeyObject): string =>
  Buffer.concat([KEY_TYPE, idOf(key), rawKey(key)]).toString('base64');

/**
 * Signs bytes in the format of minisign. Ed25519 signatures of equal bytes are equal.
 * @param comment is signed, too
 * @returns the text of the `.minisig` file
 * @see https://jedisct1.github.io/minisign/#signature-format
 */
export function minisign(key: KeyObject, bytes: Buffer, comment: string): string {
  const signature = sign(null, createHash('blake2b512').update(bytes).digest(), key);
  const whole = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key);
  const lines = [
    'untrusted comment: signature of a Lockkeeper release',
    Buffer.concat([SIGNATURE_TYPE, idOf(key), signature]).toString('base64'),
    `trusted comment: ${comment}`,
    whole.toString('base64'),
  ];
  return `${lines.join('\n')}\n`;
}

const rawKey = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-RAW_KEY_LENGTH);

/** Eight bytes that tell keys apart. */
const idOf = (key: KeyObject): Buffer => createHash('sha256').update(rawKey(key)).digest().subarray(0, 8);
