import { hash } from 'node:crypto';
import { tooMany } from './evict.ts';

/**
 * @limit credentials with a known caller, in one API, credentials -> the least recently used one is forgotten; its
 * next request counts for its IP address until its response
 */
const MOST_CREDENTIALS = 50_000;
/** @limit known credentials of one caller, credentials -> the oldest one is forgotten */
const MOST_OF_A_CALLER = 50;

/**
 * Maps hashes of credentials to callers, from earlier authenticated requests, so that a request can be counted for its
 * caller before any look-up. Credentials themselves are not kept.
 */
export class KnownCredentials {
  readonly #most: number;
  /** Known credentials, ordered by last use. */
  readonly #callers = new Map<string, string>();
  readonly #ofCaller = new Map<string, Set<string>>();

  constructor(most = MOST_CREDENTIALS) {
    this.#most = most;
  }

  static digest(credential: string): string {
    return hash('sha256', credential, 'base64');
  }

  callerOf(digest: string): string | undefined {
    const caller = this.#callers.get(digest);
    if (caller === undefined) return undefined;
    this.#callers.delete(digest);
    this.#callers.set(digest, caller);
    return caller;
  }

  learn(digest: string, caller: string): void {
    if (this.#callers.get(digest) === caller) return;
    this.forget(digest);
    const own = this.#ofCaller.get(caller) ?? new Set();
    const [first] = own;
    if (own.size >= MOST_OF_A_CALLER && first !== undefined) this.forget(first);
    this.#callers.set(digest, caller);
    this.#ofCaller.set(caller, own.add(digest));
    for (const oldest of tooMany(this.#callers, this.#most)) this.forget(oldest);
  }

  /** Forgets a credential that is no longer valid. */
  forget(digest: string): void {
    const caller = this.#callers.get(digest);
    if (caller === undefined) return;
    this.#callers.delete(digest);
    const own = this.#ofCaller.get(caller);
    own?.delete(digest);
    if (own?.size === 0) this.#ofCaller.delete(caller);
  }
}
