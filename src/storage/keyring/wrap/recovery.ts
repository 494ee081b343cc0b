import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { StorageError } from '../../errors.ts';
import { writeDraft } from '../keyring-text.ts';
import { readPrivate } from '../private-file.ts';
import { WrapFailure } from './key-wrapper.ts';

/** Made once and kept away from the servers: it opens what was sealed to its public part. */
export interface RecoveryKey {
  /** SPKI, base64: what the configuration names. */
  readonly recipient: string;
  /** PKCS #8, PEM. */
  readonly privateKey: string;
}

/** X25519 (RFC 7748). */
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

/** For its owner alone. @throws StorageError where there is one already */
export async function writeRecoveryFile(file: string, privateKey: string): Promise<void> {
  await writeDraft(file, privateKey).catch((cause: NodeJS.ErrnoException) => {
    const what = cause.code === 'EEXIST' ? 'exists already: it is never replaced' : `cannot be written: ${cause.code}`;
    throw new StorageError(`the recovery key ${file} ${what}`, { cause });
  });
}

/** Undefined for what is no private key of X25519. */
export function readRecoveryKey(pem: string): { readonly recipient: string; readonly key: KeyObject } | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'x25519' ? { key, recipient: recipientOf(createPublicKey(key)) } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Seals a data key to a public key: a JWE (RFC 7516, RFC 8037) that any library of its kind opens.
 * @throws WrapFailure for a point that no private key belongs to
 */
export async function sealTo(recipient: string, dataKey: Uint8Array): Promise<string> {
  try {
    const key = createPublicKey({ key: Buffer.from(recipient, 'base64'), format: 'der', type: 'spki' });
    return await new CompactEncrypt(dataKey).setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM' }).encrypt(key);
  } catch {
    throw new WrapFailure(`nothing can be sealed to the recovery recipient ${recipient}: it is no public key`);
  }
}

/** Undefined for what was sealed to another key, or was changed. */
export async function openSealed(sealed: string, key: KeyObject): Promise<Uint8Array | undefined> {
  const options = { keyManagementAlgorithms: ['ECDH-ES'], contentEncryptionAlgorithms: ['A256GCM'] };
  const opened = await compactDecrypt(sealed, key, options).catch(() => undefined);
  return opened?.plaintext;
}

function recipientOf(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}
