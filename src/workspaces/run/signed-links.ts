import type { Clock } from '../../lib/clock.ts';
import type { Keyring } from '../../storage/index.ts';

/** A text that begins like a token of ours is hashed wherever it would be recorded. */
const PREFIX = 'lkl.';
// 43 characters of base64url hold two bits more than the 32 bytes: only those that are zero there are ours.
const TOKEN = /^lkl\.([A-Za-z0-9-]{1,64})\.([0-9a-z]{1,12})\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/;

/** How long links of one kind open what they name, and how often that moves: in between a link stays the same. */
export interface LinkLife {
  /** Milliseconds. */
  readonly life: number;
  /** Milliseconds. */
  readonly step: number;
}

/**
 * Addresses that open one thing to whoever holds them, without a token: clients fetch logs and upload archives with
 * nothing else. The last part of such an address is the id, the end of its life, and a keyed hash of both.
 */
export class SignedLinks {
  readonly #keyring: Keyring;
  readonly #clock: Clock;
  readonly #purpose: string;
  readonly #life: LinkLife;

  /** `purpose` keeps the links of one kind from opening another. */
  constructor(keyring: Keyring, clock: Clock, purpose: string, life: LinkLife) {
    this.#keyring = keyring;
    this.#clock = clock;
    this.#purpose = `link ${purpose}`;
    this.#life = life;
  }

  sign(id: string): string {
    const { life, step } = this.#life;
    const expires = (Math.ceil((this.#clock() + life) / step) * step).toString(36);
    const signature = this.#keyring.hash(`${id}.${expires}`, this.#purpose);
    return `${PREFIX}${id}.${expires}.${Buffer.from(signature).toString('base64url')}`;
  }

  /** The id; undefined for a text that was not signed here, or whose time is over. */
  open(text: string): string | undefined {
    const [, id = '', expires = '', signature = ''] = TOKEN.exec(text) ?? [];
    if (id === '' || Number.parseInt(expires, 36) <= this.#clock()) return undefined;
    const hash = Buffer.from(signature, 'base64url');
    return this.#keyring.matches(`${id}.${expires}`, this.#purpose, hash) ? id : undefined;
  }
}
