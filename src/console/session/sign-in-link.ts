import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { randomText } from '../../lib/ids.ts';

/** @limit sign-in link of a demo server, ms -> it expires: sign in with a token */
const LINK_MS = 15 * 60_000;
/** Characters of the code, about six bits each. */
const CODE_LENGTH = 40;

interface Issued {
  readonly digest: Buffer;
  readonly endsAt: number;
  readonly tokens: readonly string[];
}

/**
 * A link that signs a browser in with these tokens: once, for a quarter of an hour. Only in memory of one process, so
 * only for a server that is one process.
 */
export class SignInLink {
  readonly #clock: Clock;
  #issued: Issued | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Replaces an earlier link. @returns the code, a secret */
  issue(tokens: readonly string[]): string {
    const code = randomText(CODE_LENGTH);
    this.#issued = { digest: digestOf(code), endsAt: this.#clock() + LINK_MS, tokens };
    return code;
  }

  /** Returns the tokens; undefined for a code that is wrong, expired or used. */
  redeem(code: string): readonly string[] | undefined {
    const issued = this.#issued;
    if (issued === undefined || !timingSafeEqual(issued.digest, digestOf(code))) return undefined;
    this.#issued = undefined;
    return issued.endsAt > this.#clock() ? issued.tokens : undefined;
  }
}

const digestOf = (code: string): Buffer => createHash('sha256').update(code).digest();

/** Path below `/app` of the link with this code. */
export const linkPath = (code: string): string => `/~session/link/${code}`;
