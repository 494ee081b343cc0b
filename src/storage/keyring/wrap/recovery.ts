import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { StorageError } from '../../errors.ts';
import { writeDraft } from '../keyring-text.ts';
import { readPrivate } from '../private-file.ts';
import { WrapFailure } from './key-wrapper.ts';

/**
 * Recovery key pair. It is created once and stored offline; its private part opens whatever was encrypted to its public
 * part.
 */
export interface RecoveryKey {
  /** Public key: SPKI in base64, for the configuration. */
  readonly recipient: string;
  /** Private key: PKCS #8 in PEM. */
  readonly privateKey: string;
}

/** Creates an X25519 key pair (RFC 7748). */
export function makeRecoveryKey(): RecoveryKey {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return {
    recipient: recipientOf(publicKey),
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

/** @limit the file of a recovery key, bytes -> it is refused */
const MAX_BYTES = 4096;

/** @throws StorageError */
export function readRecoveryFile(file: string): Promise<string> {
  return readPrivate(file, MAX_BYTES, (what, cause) => new StorageError(`the recovery key ${file} ${what}`, { cause }));
}

/**
 * Writes a file for its owner only.
 * @throws StorageError if it already exists
 */
export async function writeRecoveryFile(file: string, privateKey: string): Promise<void> {
  await writeDraft(file, privateKey).catch((cause: NodeJS.ErrnoException) => {
    const what = cause.code === 'EEXIST' ? 'already exists: it is never replaced' : `cannot be written: ${cause.code}`;
    throw new StorageError(`the recovery key ${file} ${what}`, { cause });
  });
}

/** Returns undefined if the text is not an X25519 private key. */
export function readRecoveryKey(pem: string): { readonly recipient: string; readonly key: KeyObject } | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'x25519' ? { key, recipient: recipientOf(createPublicKey(key)) } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Encrypts a data key to a public key: a JWE (RFC 7516, RFC 8037) that any JOSE library can open.
 * @throws WrapFailure for a point without a private key
 */
export async function sealTo(recipient: string, dataKey: Uint8Array): Promise<string> {
  try {
    const key = createPublicKey({ key: Buffer.from(recipient, 'base64'), format: 'der', type: 'spki' });
    return await new CompactEncrypt(dataKey).setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM' }).encrypt(key);
  } catch {
    throw new WrapFailure(`nothing can be encrypted to the recovery recipient ${recipient}: it is not a public key`);
  }
}

/** Returns undefined if the data was encrypted to another key, or was changed. */
export async function openSealed(sealed: string, key: KeyObject): Promise<Uint8Array | undefined> {
  const options = { keyManagementAlgorithms: ['ECDH-ES'], contentEncryptionAlgorithms: ['A256GCM'] };
  const opened = await compactDecrypt(sealed, key, options).catch(() => undefined);
  return opened?.plaintext;
}

function recipientOf(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}
