import { KnownCredentials } from './known-credentials.ts';
import type { RateState, Taken } from './pace.ts';
import { Paces } from './paces.ts';

const SECOND_MS = 1_000;

/** Counting of a request until its caller is known. */
export interface Counted {
  /** Hash of the credential. Undefined without one. */
  readonly digest: string | undefined;
  /** Known caller of the credential. */
  readonly caller: string | undefined;
  /** Network to count. Undefined if the address says nothing about the client. */
  readonly network: string | undefined;
}

/**
 * Rate limit of each caller of one API. Maps credentials to callers from earlier requests. An unknown credential
 * counts for its IP address until it has authenticated. So excess requests cause no look-ups, and invented credentials
 * neither block other callers nor fill memory.
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

  /** @param network undefined for a client behind a trusted proxy, whose address all clients share */
  count(credential: string | undefined, network: string | undefined): Counted & { readonly taken: Taken | undefined } {
    const digest = credential === undefined ? undefined : KnownCredentials.digest(credential);
    const caller = digest === undefined ? undefined : this.#credentials.callerOf(digest);
    const now = this.#now();
    if (caller !== undefined) return { digest, caller, network, taken: this.#callers.take(caller, now) };
    return { digest, caller, network, taken: network === undefined ? undefined : this.#addresses.take(network, now) };
  }

  /**
   * Assigns the credential and this request to the authenticated caller. Requests above the caller's limit stay counted
   * for the IP address, because the caller of changing spellings of a credential, or of more credentials than are
   * remembered, is never known before the look-up.
   */
  asked({ digest, caller: before, network }: Counted, caller: string): RateState {
    if (digest !== undefined) this.#credentials.learn(digest, caller);
    if (before === undefined) {
      const { isLetIn } = this.#callers.take(caller, this.#now());
      if (isLetIn && network !== undefined) this.#addresses.giveBack(network);
    }
    return this.#callers.stateOf(caller, this.#now());
  }

  /** Forgets an invalid credential. */
  refused({ digest }: Counted): void {
    if (digest !== undefined) this.#credentials.forget(digest);
  }

  get kept(): number {
    return this.#callers.size + this.#addresses.size;
  }
}
