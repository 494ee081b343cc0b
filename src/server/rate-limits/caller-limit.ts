import { KnownCredentials } from './known-credentials.ts';
import type { RateState, Taken } from './pace.ts';
import { Paces } from './paces.ts';

const SECOND_MS = 1_000;

/** What one request was counted for, until it is known who asked. */
export interface Counted {
  /** Hash of what was presented; undefined for nothing. */
  readonly digest: string | undefined;
  /** Whom that was known to be. */
  readonly caller: string | undefined;
  /** Of whom the address is counted; undefined where it says nothing of the client. */
  readonly network: string | undefined;
}

/**
 * How often each caller may ask one API. Whose a credential is, is known from requests before; one that is not known counts for its
 * address until it has let somebody in. So nothing is looked up for a request too many, and credentials that somebody makes up keep
 * nobody else out and fill no memory.
 */
export class CallerLimit {
  readonly perSecond: number;
  readonly #credentials: KnownCredentials;
  readonly #callers: Paces;
  readonly #addresses: Paces;
  readonly #now: () => number;

  constructor(perSecond: number, now: () => number, most?: number) {
    this.perSecond = perSecond;
    this.#now = now;
    this.#credentials = new KnownCredentials(most);
    this.#callers = new Paces(perSecond, SECOND_MS, most);
    this.#addresses = new Paces(perSecond, SECOND_MS, most);
  }

  /** @param network undefined for a client behind a trusted proxy, whose address would be everybody's */
  count(credential: string | undefined, network: string | undefined): Counted & { readonly taken: Taken | undefined } {
    const digest = credential === undefined ? undefined : KnownCredentials.digest(credential);
    const caller = digest === undefined ? undefined : this.#credentials.callerOf(digest);
    const now = this.#now();
    if (caller !== undefined) return { digest, caller, network, taken: this.#callers.take(caller, now) };
    return { digest, caller, network, taken: network === undefined ? undefined : this.#addresses.take(network, now) };
  }

  /**
   * It was this one who asked: from now on the credential counts for them, and this request too. What is beyond their number stays with the
   * address: whoever spells one credential in ever new ways, or has more than are remembered, is never known beforehand.
   */
  asked({ digest, caller: before, network }: Counted, caller: string): RateState {
    if (digest !== undefined) this.#credentials.learn(digest, caller);
    if (before === undefined) {
      const { isLetIn } = this.#callers.take(caller, this.#now());
      if (isLetIn && network !== undefined) this.#addresses.giveBack(network);
    }
    return this.#callers.stateOf(caller, this.#now());
  }

  /** Whoever presents it is nobody (any more). */
  refused({ digest }: Counted): void {
    if (digest !== undefined) this.#credentials.forget(digest);
  }

  get kept(): number {
    return this.#callers.size + this.#addresses.size;
  }
}
