import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Keyring } from '../../storage/index.ts';
import { sessionCookie } from './cookie.ts';
import { isOwnRequest } from './own-request.ts';
import { type Held, openSession, SESSION_APIS, type Session, type SessionApiName, sealSession } from './session.ts';

/**
 * How long a session lasts that is on record nowhere, milliseconds; never longer than its tokens.
 * @limit a session of the console by a token that is no user's, ms -> it ends: sign in again
 */
export const SESSION_MS = 8 * 3_600_000;

/** Who holds a token. */
export interface SessionOwner {
  /** `user`, `team`, `token` … */
  readonly kind: string;
  readonly name: string;
  /** Milliseconds; null: never. */
  readonly expiresAt: number | null;
}

/** One of the two APIs, as sessions know it. */
export interface SessionApi {
  /**
   * What a session holds in place of a token that somebody has shown: one that ends with the session, where that may be made,
   * else the very token. Undefined for a text that is no token here.
   */
  exchange(text: string, request: FastifyRequest): Promise<Held | undefined>;
  /** Undefined for a token that has ended. */
  whoIs(token: string, request: FastifyRequest): Promise<SessionOwner | undefined>;
  /** Whether a session that is on record was not ended meanwhile. Absent: none is here. */
  isOpen?(token: string, request: FastifyRequest): Promise<boolean>;
  /** Ends a token that `exchange` or a login made. One that is no more is no error. */
  end(token: string, request: FastifyRequest): Promise<void>;
}

/** What sessions work with. A side is absent where it is not served. */
export interface SessionsOptions {
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly sides: Readonly<Partial<Record<SessionApiName, SessionApi>>>;
}

/** Sessions of people in a browser: kept in their cookie, and nowhere here, so that any node knows any session. */
export class Sessions {
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get keyring(): Keyring {
    return this.#options.keyring;
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  get sides(): SessionsOptions['sides'] {
    return this.#options.sides;
  }

  /** That of the cookie, whoever made the browser send it: to be shown, never to act by. */
  shown({ headers }: Pick<FastifyRequest, 'headers'>): Session | undefined {
    const text = sessionCookie(headers.cookie);
    return text === undefined ? undefined : openSession(this.#options.keyring, text, this.#options.clock());
  }

  /**
   * The token that a request of our own pages acts with; undefined for requests of anybody else. Where the other half of the session
   * is on record, and was ended there, all of it is over; of its own half whoever looks the token up finds that out.
   */
  async tokenOf(request: FastifyRequest, side: SessionApiName): Promise<string | undefined> {
    if (!isOwnRequest(request)) return undefined;
    const held = this.shown(request)?.held;
    const token = held?.[side]?.token;
    if (held === undefined || token === undefined) return undefined;
    const others = SESSION_APIS.filter((other) => other !== side && held[other]?.endsAt !== undefined);
    for (const other of others) if (!(await this.#isOpen(held[other] as Held, other, request))) return undefined;
    return token;
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
    return this.#with(before, held);
  }

  /**
   * Signs somebody in who has proved who they are elsewhere.
   * @param held the session that was begun for them
   * @param before the one that they had, where their browser keeps it back
   */
  async signInAs(
    request: FastifyRequest,
    side: SessionApiName,
    held: Held,
    before = this.shown(request),
  ): Promise<Session> {
    await this.#end(request, Object.entries(before?.held ?? {}).filter(([one]) => one === side) as Entry[]);
    return this.#with(before, { [side]: held });
  }

  /** Ends every token that was made for it. */
  async signOut(request: FastifyRequest): Promise<void> {
    await this.#end(request, Object.entries(this.shown(request)?.held ?? {}) as Entry[]);
  }

  /** Who is signed in where; undefined for sides where nobody is, or no more. */
  async who(
    request: FastifyRequest,
    session: Session | undefined,
  ): Promise<Partial<Record<SessionApiName, SessionOwner>>> {
    const asked = SESSION_APIS.map(async (side) => {
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
    for (const side of SESSION_APIS) {
      const held = await this.sides[side]?.exchange(text, request);
      if (held) found.push([side, { ...held, made: made || held.made }]);
    }
    return found;
  }

  /** It ends when the last of its halves does. */
  #with(before: Session | undefined, added: Session['held']): Session {
    const held = { ...before?.held, ...added };
    const ends = Object.values(held).map(({ endsAt }) => endsAt ?? this.#options.clock() + SESSION_MS);
    return { endsAt: Math.max(...ends), held };
  }

  async #isOpen({ token }: Held, side: SessionApiName, request: FastifyRequest): Promise<boolean> {
    return (await this.sides[side]?.isOpen?.(token, request)) ?? true;
  }

  async #end(request: FastifyRequest, entries: readonly Entry[]): Promise<void> {
    for (const [side, { token, made }] of entries) if (made) await this.sides[side]?.end(token, request);
  }
}

type Entry = readonly [side: SessionApiName, held: Held];
