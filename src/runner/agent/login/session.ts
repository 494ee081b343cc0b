import { untilStopped } from '../../../lib/until-stopped.ts';
import type { AgentLog } from '../agent-log.ts';
import { isPassing, Refusal } from '../http/failures.ts';
import { pauseAfter, rest } from '../http/retry.ts';
import type { TokenSource } from './token-source.ts';

/** @limit maximum time between two logins of an agent, for any lifetime of its token, seconds -> it logs in again */
const LONGEST_LOGIN = 3600;
/** @limit pause between two failed logins, ms -> the next attempt follows */
const LONGEST_PAUSE = 60_000;
/** Fraction of a token's lifetime after which the next one is fetched. */
const SHARE = 2 / 3;

/** Login of an agent, shared by all of its slots. Renews the token before it expires. */
export class Session {
  readonly #source: TokenSource;
  readonly #log: AgentLog;
  readonly #listeners = new Set<() => void>();
  #current: string | null = null;
  /** Resolves with the current token. Pending while the login is refused. */
  #good = Promise.withResolvers<string>();
  #isGood = false;
  #refused = '';
  #refusal = new AbortController();
  #rejections = 0;
  #said = '';

  constructor(source: TokenSource, log: AgentLog) {
    this.#source = source;
    this.#log = log;
  }

  /** Current token, which may have expired; null for none. */
  get current(): string | null {
    return this.#current;
  }

  /** Calls the listener after each login. @returns a function that removes the listener */
  onLogin(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns a token to start new work with. Waits while the login is refused. */
  async token(signal: AbortSignal): Promise<string> {
    return await untilStopped(this.#good.promise, signal);
  }

  /** Records that the server accepted a token. */
  accepted(): void {
    this.#rejections = 0;
    if (this.#said !== '') this.#log.info('the server accepts this agent again');
    this.#said = '';
  }

  /** Records that the server rejected a token. */
  refused(token: string): void {
    if (token !== this.#current) return;
    this.#rejections += 1;
    // A refused login is already in the log.
    if (this.#isGood) {
      this.#say(`The server rejected ${this.#source.what}: ${this.#source.hint}. The agent takes no jobs until then`);
    }
    this.#current = null;
    this.#refused = token;
    this.#noGood();
    this.#refusal.abort();
  }

  /** Logs in again before each token expires, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      try {
        const { token, seconds } = await this.#source.obtain(signal);
        if (token === this.#refused) throw new Refusal(401, 'the server rejected it');
        failures = 0;
        this.#take(token);
        await this.#untilDue(seconds ?? Number.POSITIVE_INFINITY, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#failed(error as Error);
        await rest(pauseAfter(failures++, LONGEST_PAUSE), signal).catch(() => {});
      }
    }
  }

  #take(token: string): void {
    this.#current = token;
    this.#refusal = new AbortController();
    if (this.#isGood) this.#good = Promise.withResolvers();
    this.#isGood = true;
    this.#good.resolve(token);
    for (const listener of this.#listeners) listener();
  }

  /** Waits until the next token is due, or until the current one is rejected. */
  async #untilDue(seconds: number, signal: AbortSignal): Promise<void> {
    const due = Math.min(seconds * SHARE, LONGEST_LOGIN) * (0.9 + Math.random() * 0.1);
    const refusal = this.#refusal.signal;
    await rest(due * 1000, AbortSignal.any([signal, refusal])).catch(() => {});
    // After the first rejection the agent logs in immediately, because the token may just have expired.
    if (refusal.aborted && this.#rejections > 1) await rest(pauseAfter(this.#rejections, LONGEST_PAUSE), signal);
  }

  #failed(error: Error): void {
    if (isPassing(error)) {
      this.#say(`Login failed: ${error.message}. Retrying`);
      return;
    }
    this.#noGood();
    this.#say(
      `The login with ${this.#source.what} failed: ${error.message}; ${this.#source.hint}. The agent takes no jobs until it succeeds`,
    );
  }

  #noGood(): void {
    if (this.#isGood) this.#good = Promise.withResolvers();
    this.#isGood = false;
  }

  /** Logs a warning unless it is the same as the last one. */
  #say(text: string): void {
    if (text !== this.#said) this.#log.warn(text);
    this.#said = text;
  }
}
