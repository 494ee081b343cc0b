import { untilStopped } from '../../until-stopped.ts';
import type { ObtainedToken, TokenSource } from './token-source.ts';

/** Tokens that whoever started the agent hands over, each in time before the one before it ends. */
export class HandedTokens implements TokenSource {
  readonly what = 'the token that was handed over';
  readonly hint = 'another one is waited for';
  #next: string | undefined;
  #handed = Promise.withResolvers<void>();

  /** Takes the place of all before it. */
  hand(token: string): void {
    this.#next = token;
    this.#handed.resolve();
  }

  async obtain(signal: AbortSignal): Promise<ObtainedToken> {
    await untilStopped(this.#handed.promise, signal);
    this.#handed = Promise.withResolvers();
    return { token: this.#next ?? '', seconds: 0 };
  }
}
