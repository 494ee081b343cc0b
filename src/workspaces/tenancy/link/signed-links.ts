import type { Clock } from '../../../lib/clock.ts';
import type { Keyring } from '../../../storage/index.ts';

/** A text that begins like a token of ours is hashed wherever it would be recorded. */
const PREFIX = 'lkl.';
/**
 * Of the name of whom a link was made for, characters: with it a link still fits into one part of a path.
 * @limit whom a signed link is for, characters -> it opens nothing
 */
const MAX_HOLDER = 800;
// 43 characters of base64url hold two bits more than the 32 bytes: only those that are zero there are ours.
const TEXT = new RegExp(
  `^lkl\\.([A-Za-z0-9-]{1,64})\\.([A-Za-z0-9_~-]{1,${MAX_HOLDER}})\\.([0-9a-z]{1,12})\\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$`,
);

/** How long links of one kind open what they name, and how often that moves: in between a link stays the same. */
export interface LinkLife {
  /** Milliseconds. */
  readonly life: number;
  /** Milliseconds. */
  readonly step: number;
}

/** What a link says. */
export interface Link {
  /** Of the one thing that it opens. What that belongs to never changes, so the id names its workspace too. */
  readonly id: string;
  /** Whom it was made for: the credential of an actor. */
  readonly holder: string;
}

/**
 * Addresses that open one thing to whoever holds them, without a token: clients move states, archives and logs with nothing else.
 * They say in whose name: whether they, today, may do that with the thing is asked at each use. The text is the id, the holder,
 * the end of its life, and a keyed hash of all three.
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

  sign({ id, holder }: Link): string {
    const { life, step } = this.#life;
    const expires = (Math.ceil((this.#clock() + life) / step) * step).toString(36);
    const said = `${id}.${holder}.${expires}`;
    return `${PREFIX}${said}.${Buffer.from(this.#keyring.hash(said, this.#purpose)).toString('base64url')}`;
  }

  /** Undefined for a text that was not signed here, or whose time is over. */
  open(text: string): Link | undefined {
    const [, id = '', holder = '', expires = '', signature = ''] = TEXT.exec(text) ?? [];
    if (id === '' || Number.parseInt(expires, 36) <= this.#clock()) return undefined;
    const hash = Buffer.from(signature, 'base64url');
    return this.#keyring.matches(`${id}.${holder}.${expires}`, this.#purpose, hash) ? { id, holder } : undefined;
  }
}
