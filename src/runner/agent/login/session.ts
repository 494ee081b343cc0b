import { untilStopped } from '../../until-stopped.ts';
import type { AgentLog } from '../agent-log.ts';
import { isPassing, Refusal } from '../http/failures.ts';
import { pauseAfter, rest } from '../http/retry.ts';
import type { TokenSource } from './token-source.ts';

/** @limit how long an agent goes without a new login, however long its token lives, seconds -> it logs in again */
const LONGEST_LOGIN = 3600;
/** @limit the pause between two logins that are refused, ms -> the next try */
const LONGEST_PAUSE = 60_000;
/** Of the life of a token, what passes before the next one is fetched. */
const SHARE = 2 / 3;

/** Who an agent is: one login, shared by all of its slots, and made again in time. */
export class Session {
  readonly #source: TokenSource;
  readonly #log: AgentLog;
  readonly #listeners = new Set<() => void>();
  #current: string | null = null;
  /** With the token of the last login, unless that was refused. */
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

  /** The token that was taken last, which may have ended; null for none. */
  get current(): string | null {
    return this.#current;
  }

  /** Told after each login. Returns what ends that. */
  onLogin(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The token to begin something with. While the login is refused nobody gets one. */
  async token(signal: AbortSignal): Promise<string> {
    return await untilStopped(this.#good.promise, signal);
  }

  /** Says that the server has taken a token. */
  accepted(): void {
    this.#rejections = 0;
    if (this.#said !== '') this.#log.info('the server lets this agent in again');
    this.#said = '';
  }

  /** Says that the server does not take a token any more. */
  refused(token: string): void {
    if (token !== this.#current) return;
    this.#rejections += 1;
    // Where the login is refused that was said.
    if (this.#isGood) {
      this.#say(`The server does not take ${this.#source.what}: ${this.#source.hint}. Nothing is begun until it does`);
    }
    this.#current = null;
    this.#refused = token;
    this.#noGood();
    this.#refusal.abort();
  }

  /** Logs in, again and again, until the signal comes. */
  async run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      try {
        const { token, seconds } = await this.#source.obtain(signal);
        if (token === this.#refused) throw new Refusal(401, 'the server does not take it');
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

  /** Until it is time for another token; sooner when this one is refused. */
  async #untilDue(seconds: number, signal: AbortSignal): Promise<void> {
    const due = Math.min(seconds * SHARE, LONGEST_LOGIN) * (0.9 + Math.random() * 0.1);
    const refusal = this.#refusal.signal;
    await rest(due * 1000, AbortSignal.any([signal, refusal])).catch(() => {});
    // The first time at once: it may just have ended.
    if (refusal.aborted && this.#rejections > 1) await rest(pauseAfter(this.#rejections, LONGEST_PAUSE), signal);
  }

  #failed(error: Error): void {
    if (isPassing(error)) {
      this.#say(`Cannot log in: ${error.message}. Trying again`);
      return;
    }
    this.#noGood();
    this.#say(
      `The login with ${this.#source.what} is refused: ${error.message}; ${this.#source.hint}. Nothing is begun until it succeeds`,
    );
  }

  #noGood(): void {
    if (this.#isGood) this.#good = Promise.withResolvers();
    this.#isGood = false;
  }

  /** Once, until it changes. */
  #say(text: string): void {
    if (text !== this.#said) this.#log.warn(text);
    this.#said = text;
  }
}
