import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Keyring } from '../../storage/index.ts';
import { sessionCookie } from './cookie.ts';
import { isOwnRequest } from './own-request.ts';
import { type Held, openSession, type Session, SIDES, type SideName, sealSession } from './session.ts';

/**
 * How long a session lasts, milliseconds; never longer than its tokens.
 * @limit a session of the console, ms -> it ends: sign in again
 */
export const SESSION_MS = 8 * 3_600_000;

/** Who holds a token. */
export interface Who {
  /** `user`, `team`, `token` … */
  readonly kind: string;
  readonly name: string;
  /** Milliseconds; null: never. */
  readonly expiresAt: number | null;
}

/** One of the two APIs, as sessions know it. */
export interface Side {
  /**
   * What a session holds in place of a token that somebody has shown: one that ends with the session, where that may be made,
   * else the very token. Undefined for a text that is no token here.
   */
  exchange(text: string, request: FastifyRequest): Promise<Held | undefined>;
  /** Undefined for a token that has ended. */
  whoIs(token: string, request: FastifyRequest): Promise<Who | undefined>;
  /** Ends a token that `exchange` or a login made. One that is no more is no error. */
  end(token: string, request: FastifyRequest): Promise<void>;
}

/** What sessions work with. A side is absent where it is not served. */
export interface SessionsOptions {
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly sides: Readonly<Partial<Record<SideName, Side>>>;
}

/** Sessions of people in a browser: kept in their cookie, and nowhere here, so that any node knows any session. */
export class Sessions {
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get sides(): SessionsOptions['sides'] {
    return this.#options.sides;
  }

  /** That of the cookie, whoever made the browser send it: to be shown, never to act by. */
  shown({ headers }: Pick<FastifyRequest, 'headers'>): Session | undefined {
    const text = sessionCookie(headers.cookie);
    return text === undefined ? undefined : openSession(this.#options.keyring, text, this.#options.clock());
  }

  /** The token that a request of our own pages acts with; undefined for requests of anybody else. */
  tokenOf(request: FastifyRequest, side: SideName): string | undefined {
    return isOwnRequest(request) ? this.shown(request)?.held[side]?.token : undefined;
  }

  /**
   * Signs somebody in by a token, beside what the session holds already.
   * @param made by a login of ours, a moment ago
   * @throws 403 for a text that is a token of neither side
   */
  async signIn(request: FastifyRequest, text: string, made = false): Promise<Session> {
    const before = this.shown(request);
    const found = await this.#exchanged(text, request, made);
    if (found.length === 0) throw new AppError('forbidden', 'That token is unknown or has ended. Try another one');
    const held = Object.fromEntries(found);
    await this.#end(request, Object.entries(before?.held ?? {}).filter(([side]) => side in held) as Entry[]);
    return { endsAt: this.#options.clock() + SESSION_MS, held: { ...before?.held, ...held } };
  }

  /** Ends every token that was made for it. */
  async signOut(request: FastifyRequest): Promise<void> {
    await this.#end(request, Object.entries(this.shown(request)?.held ?? {}) as Entry[]);
  }

  /** Who is signed in where; undefined for sides where nobody is, or no more. */
  async who(request: FastifyRequest, session: Session | undefined): Promise<Partial<Record<SideName, Who>>> {
    const asked = SIDES.map(async (side) => {
      const token = session?.held[side]?.token;
      const who = token === undefined ? undefined : await this.sides[side]?.whoIs(token, request);
      return [side, who] as const;
    });
    return Object.fromEntries((await Promise.all(asked)).filter(([, who]) => who !== undefined));
  }

  /** @throws 422 for one that is too long to be kept */
  sealed(session: Session): { readonly text: string; readonly seconds: number } {
    const text = sealSession(this.#options.keyring, session);
    if (text === undefined) {
      throw new AppError('unprocessable', 'That token is too long to be kept in a cookie. Use one that is stored here');
    }
    return { text, seconds: Math.floor((session.endsAt - this.#options.clock()) / 1000) };
  }

  async #exchanged(text: string, request: FastifyRequest, made: boolean): Promise<Entry[]> {
    const found: Entry[] = [];
    for (const side of SIDES) {
      const held = await this.sides[side]?.exchange(text, request);
      if (held) found.push([side, { ...held, made: made || held.made }]);
    }
    return found;
  }

  async #end(request: FastifyRequest, entries: readonly Entry[]): Promise<void> {
    for (const [side, { token, made }] of entries) if (made) await this.sides[side]?.end(token, request);
  }
}

type Entry = readonly [side: SideName, held: Held];
