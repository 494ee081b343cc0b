import { hash } from 'node:crypto';
import { tooMany } from './evict.ts';

/**
 * @limit credentials that are known to be somebody's, in one API, credentials -> the one that was used longest ago is forgotten: its next request counts for its address until it is answered
 */
const MOST_CREDENTIALS = 50_000;
/** @limit credentials of one caller that are known, credentials -> the one that was learned first is forgotten */
const MOST_OF_A_CALLER = 50;

/**
 * Whose a credential is, as the last request with it has shown: so a request can be counted for its caller before anything is looked
 * up. Only what was let in gets here; no credential is kept, only its hash.
 */
export class KnownCredentials {
  readonly #most: number;
  /** The one that was used last is last. */
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

  /** It lets nobody in any more. */
  forget(digest: string): void {
    const caller = this.#callers.get(digest);
    if (caller === undefined) return;
    this.#callers.delete(digest);
    const own = this.#ofCaller.get(caller);
    own?.delete(digest);
    if (own?.size === 0) this.#ofCaller.delete(caller);
  }
}
