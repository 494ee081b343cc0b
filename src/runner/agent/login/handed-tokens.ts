import { untilStopped } from '../../../lib/until-stopped.ts';
import type { ObtainedToken, TokenSource } from './token-source.ts';

/** Tokens that the parent program passes to the agent, each before the previous one expires. */
export class HandedTokens implements TokenSource {
  readonly what = 'the token that was handed over';
  readonly hint = 'the agent waits for another one';
  #next: string | undefined;
  #handed = Promise.withResolvers<void>();

  /** Replaces all earlier tokens. */
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
