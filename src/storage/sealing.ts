import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { type Clock, systemClock } from '../lib/clock.ts';
import { type Keyring, KeyringError } from './keyring.ts';

/** Length of each key, bytes. */
export const KEY_BYTES = 32;

/** Raw keys. */
export interface Keys {
  /** Keys by version, 1 to 2^32 - 1. The highest active one encrypts, and all decrypt. */
  readonly encryption: ReadonlyMap<number, Uint8Array>;
  readonly hash: Uint8Array;
  /**
   * Time from which a key encrypts, milliseconds; absent for a key that encrypts at once. Before this time it only
   * decrypts, so that all nodes can load it first.
   */
  readonly sealsFrom?: ReadonlyMap<number, number>;
}

const CIPHER = 'aes-256-gcm';
const FORMAT = 1;
/** Format (1 byte), version of the key (4), nonce (12); then the ciphertext, then the tag (16). */
export const HEADER_BYTES = 5;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Creates a keyring. The keys themselves are never used directly: each purpose has a derived key (HKDF, RFC 5869). */
export function createKeyringOf(keys: Keys, clock: Clock = systemClock): Keyring {
  const current = () => sealingVersion(keys, clock());
  const sealing = new Map([...keys.encryption].map(([version, key]) => [version, derive(key, 'encrypt')]));
  // Cached key objects: an HMAC with plain bytes creates one each time, which costs ten times as much as the HMAC.
  const hashing = new Map<string, KeyObject>();

  function sealingKey(version: number): Uint8Array {
    const key = sealing.get(version);
    if (!key) throw new KeyringError(`the keyring has no encryption key ${version}`);
    return key;
  }

  function hash(secret: string, purpose: string): Uint8Array {
    let key = hashing.get(purpose);
    if (!key) {
      key = createSecretKey(derive(keys.hash, `hash ${purpose}`));
      hashing.set(purpose, key);
    }
    return new Uint8Array(createHmac('sha256', key).update(secret).digest());
  }

  return {
    fingerprint: fingerprintOf(keys),
    versions: [...keys.encryption.keys()].toSorted((a, b) => a - b),
    get version() {
      return current();
    },
    hash,
    matches: (secret, purpose, stored) => {
      const expected = hash(secret, purpose);
      return stored.length === expected.length && timingSafeEqual(stored, expected);
    },
    encrypt: (plaintext, context) => {
      const version = current();
      return seal(plaintext, context, version, sealingKey(version));
    },
    decrypt: (sealed, context) => open(sealed, context, sealingKey),
  };
}

/** Returns an identifier of a keyring that does not reveal it: 16 bytes, hex. */
export function fingerprintOf({ hash }: Pick<Keys, 'hash'>): string {
  return Buffer.from(derive(hash, 'fingerprint')).toString('hex', 0, 16);
}

/** Returns the version of the key that encrypts at a time. The oldest key is always active. */
export function sealingVersion({ encryption, sealsFrom }: Keys, now: number): number {
  const versions = [...encryption.keys()];
  const ready = versions.filter((version) => (sealsFrom?.get(version) ?? 0) <= now);
  return ready.length > 0 ? Math.max(...ready) : Math.min(...versions);
}

/** Returns the first bytes of all values that the key of a version encrypted. */
export function headerOf(version: number): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  view.setUint8(0, FORMAT);
  view.setUint32(1, version);
  return header;
}

/** Returns the version of the key that encrypted a value; undefined for other bytes. */
export function versionOf(sealed: Uint8Array): number | undefined {
  if (sealed.length < HEADER_BYTES || sealed[0] !== FORMAT) return undefined;
  return new DataView(sealed.buffer, sealed.byteOffset).getUint32(1);
}

function derive(key: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `lockkeeper ${purpose}`, KEY_BYTES));
}

/** Returns the additional authenticated data: the key and the purpose of a value. */
function associatedData(header: Uint8Array, context: string): Uint8Array {
  return Buffer.concat([header, Buffer.from(context)]);
}

function seal(plaintext: Uint8Array, context: string, version: number, key: Uint8Array): Uint8Array {
  const header = headerOf(version);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(header, context));
  const sealed = [header, nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()];
  return new Uint8Array(Buffer.concat(sealed));
}

function open(sealed: Uint8Array, context: string, keyOf: (version: number) => Uint8Array): Uint8Array {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes.length < HEADER_BYTES + NONCE_BYTES + TAG_BYTES || bytes.readUInt8() !== FORMAT) {
    throw new KeyringError('this is not a value that a keyring has encrypted');
  }
  const header = bytes.subarray(0, HEADER_BYTES);
  const nonce = bytes.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
  const key = keyOf(header.readUInt32BE(1));
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData(header, context));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const plaintext = decipher.update(bytes.subarray(HEADER_BYTES + NONCE_BYTES, -TAG_BYTES));
    return new Uint8Array(Buffer.concat([plaintext, decipher.final()]));
  } catch {
    throw new KeyringError('an encrypted value was changed, or belongs to something else');
  }
}
