import { createHash, createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { PeriodicTask } from '../../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../../lib/background/task-definition.ts';
import type { Clock } from '../../../lib/clock.ts';
import { SharedWork } from '../../../lib/shared-work.ts';
import type { Database, Keyring } from '../../../storage/index.ts';
import * as store from './key-store.ts';
import { isPublished, nextOf, type SigningKey, signerOf } from './signing-key.ts';

const HOUR = 3_600_000;
/** Cache time of keys, milliseconds. Much shorter than the publication period before a key signs. */
const KEPT_FOR = 60_000;
const MODULUS_LENGTH = 2048;

const ROTATION: TaskDefinition = {
  name: 'signing-keys',
  description: 'Creates the next key that signs workload identity tokens, and removes expired keys.',
  runsOn: 'leader',
  period: HOUR,
};

const generate = promisify(generateKeyPair);

/** Public key for verifiers (RFC 7517). */
export interface PublishedKey {
  readonly kty: 'RSA';
  readonly n: string;
  readonly e: string;
  readonly kid: string;
  readonly alg: 'RS256';
  readonly use: 'sig';
}

/** Private key for signing. */
export interface Signer {
  readonly id: string;
  readonly privateKey: KeyObject;
}

interface OpenKey extends SigningKey, Signer {
  readonly published: PublishedKey;
}

/**
 * Signing keys, encrypted in the database and shared by all nodes. A new key is published a week before it signs, and
 * stays published while its tokens are valid.
 */
export class SigningKeys {
  readonly #database: Database;
  readonly #keyring: Keyring;
  readonly #clock: Clock;
  readonly #work = new SharedWork<readonly OpenKey[]>();
  #kept: { readonly keys: readonly OpenKey[]; readonly until: number } | undefined;
  /** Creates the next key when it is due, and removes unneeded keys. */
  readonly background: PeriodicTask;

  constructor(database: Database, keyring: Keyring, clock: Clock, report: (error: unknown) => void) {
    this.#database = database;
    this.#keyring = keyring;
    this.#clock = clock;
    this.background = PeriodicTask.every(ROTATION, () => this.rotate(), report);
  }

  /** Returns the published keys. */
  async published(): Promise<PublishedKey[]> {
    const [keys, now] = [await this.#keys(), this.#clock()];
    return keys.filter((key) => isPublished(key, keys, now)).map(({ published }) => published);
  }

  /**
   * Returns the key that signs now.
   * @param until expiry of the token, milliseconds since 1970; the key stays published until then
   */
  async signer(until: number): Promise<Signer> {
    const signer = signerOf(await this.#keys(), this.#clock());
    if (signer === undefined) throw new Error('no signing key exists');
    if (signer.tokensUntil < until) await this.#prolong(signer, until);
    return signer;
  }

  /** Creates and removes keys as needed. Only the leader runs this. */
  async rotate(): Promise<void> {
    const keys = await store.listKeys(this.#database);
    // The first key is created when a token needs it.
    if (keys.length === 0) return;
    const now = this.#clock();
    for (const { id } of keys.filter((key) => !isPublished(key, keys, now))) await store.removeKey(this.#database, id);
    const next = nextOf(keys, now);
    if (next !== undefined) await this.#make(next);
    this.#kept = undefined;
  }

  async #keys(): Promise<readonly OpenKey[]> {
    const now = this.#clock();
    if (this.#kept !== undefined && now < this.#kept.until) return this.#kept.keys;
    const keys = await this.#work.once('keys', async () => {
      const found = await store.listKeys(this.#database);
      if (found.length > 0) return found.map((key) => this.#open(key));
      const first = nextOf([], now);
      if (first !== undefined) await this.#make(first);
      return (await store.listKeys(this.#database)).map((key) => this.#open(key));
    });
    this.#kept = { keys, until: now + KEPT_FOR };
    return keys;
  }

  /** The key is decrypted at once, because the keyring may lose the encryption key later. */
  #open(stored: store.StoredKey): OpenKey {
    const { id, generation, signsFrom, tokensUntil, publicKey } = stored;
    const key = Buffer.from(store.decryptKey(this.#keyring, stored));
    const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
    return { id, generation, signsFrom, tokensUntil, privateKey, published: JSON.parse(publicKey) };
  }

  async #make(next: Pick<SigningKey, 'generation' | 'signsFrom'>): Promise<void> {
    const { publicKey, privateKey } = await generate('rsa', { modulusLength: MODULUS_LENGTH });
    const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
    const id = createHash('sha256')
      .update(JSON.stringify({ e, kty: 'RSA', n }))
      .digest('base64url');
    const published: PublishedKey = { kty: 'RSA', n, e, kid: id, alg: 'RS256', use: 'sig' };
    const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
    await store.insertKey(this.#database, {
      ...next,
      id,
      tokensUntil: 0,
      publicKey: JSON.stringify(published),
      privateKey: store.encryptKey(this.#keyring, id, pkcs8),
    });
  }

  /** The time is rounded up, so that not each token causes a write. */
  async #prolong(key: OpenKey, until: number): Promise<void> {
    const rounded = (Math.floor(until / HOUR) + 1) * HOUR;
    await store.prolongKey(this.#database, key.id, rounded);
    const prolonged = (one: OpenKey) => (one.id === key.id ? { ...one, tokensUntil: rounded } : one);
    if (this.#kept !== undefined) this.#kept = { ...this.#kept, keys: this.#kept.keys.map(prolonged) };
  }
}
