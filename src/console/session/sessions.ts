import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Keyring } from '../../storage/index.ts';
import { sessionCookie } from './cookie.ts';
import { isOwnRequest } from './own-request.ts';
import { type Held, openSession, SESSION_APIS, type Session, type SessionApiName, sealSession } from './session.ts';

/**
 * Lifetime of a session that is not stored on the server, milliseconds; never longer than that of its tokens.
 * @limit console session opened with a non-user token, ms -> the session expires
 */
export const SESSION_MS = 8 * 3_600_000;

/** The owner of a token. */
export interface SessionOwner {
  /** Kind of the owner, such as `user`, `team` or `token`. */
  readonly kind: string;
  readonly name: string;
  /** Expiry of the token, milliseconds since 1970; null if it never expires. */
  readonly expiresAt: number | null;
  /** Policies of a token of the access API. */
  readonly policies?: readonly string[];
  /** First organizations of a user of the workspace API, by name. */
  readonly organizations?: readonly string[];
  /** Whether a user of the workspace API is a site administrator. */
  readonly siteAdmin?: boolean;
}

/** One of the two APIs as sessions use it. */
export interface SessionApi {
  /**
   * Exchanges a token that a user enters for one that ends with the session, if the API can create such a token;
   * otherwise returns the same token. Returns undefined for a text that is not a token of this API.
   */
  exchange(text: string, request: FastifyRequest): Promise<Held | undefined>;
  /** Returns undefined for an expired or revoked token. */
  whoIs(token: string, request: FastifyRequest): Promise<SessionOwner | undefined>;
  /** Returns whether a stored session is still open. Absent if the API stores no sessions. */
  isOpen?(token: string, request: FastifyRequest): Promise<boolean>;
  /** Revokes a token that `exchange` or a login created. A token that no longer exists is not an error. */
  end(token: string, request: FastifyRequest): Promise<void>;
}

/** Dependencies of the sessions. The side of an API is absent if the API is not served. */
export interface SessionsOptions {
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly sides: Readonly<Partial<Record<SessionApiName, SessionApi>>>;
}

/** Browser sessions. They are stored only in their cookie, so that every node accepts every session. */
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

  /**
   * Returns the session of the cookie, without checking which site sent the request: for display only, never for
   * authorization.
   */
  shown({ headers }: Pick<FastifyRequest, 'headers'>): Session | undefined {
    const text = sessionCookie(headers.cookie);
    return text === undefined ? undefined : openSession(this.#options.keyring, text, this.#options.clock());
  }

  /**
   * Returns the token with which a request of a console page acts; undefined for any other request. If the session of
   * the other API is stored and was revoked, the whole session is over; the caller checks the token of its own API
   * itself.
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
   * Signs a user in with a token, in addition to the tokens that the session already holds.
   * @param made whether a login of this server has just created the token
   * @throws 403 for a text that is not a token of either API
   */
  async signIn(request: FastifyRequest, text: string, made = false): Promise<Session> {
    const before = this.shown(request);
    const found = await this.#exchanged(text, request, made);
    if (found.length === 0) throw new AppError('forbidden', 'That token is unknown or has expired. Try another one');
    const held = Object.fromEntries(found);
    return this.#replace(request, before, held);
  }

  /**
   * Signs in a user whom another service has authenticated.
   * @param held the tokens that were created for the user
   * @param before the earlier session, if the browser does not send its cookie with this request
   */
  async signInAs(request: FastifyRequest, held: Session['held'], before = this.shown(request)): Promise<Session> {
    return this.#replace(request, before, held);
  }

  /** Revokes every token that was created for the session. */
  async signOut(request: FastifyRequest): Promise<void> {
    await this.#end(request, Object.entries(this.shown(request)?.held ?? {}) as Entry[]);
  }

  /** Revokes those of the tokens that were created for an earlier session. The new session keeps its own. */
  async endEarlier(request: FastifyRequest, earlier: Session['held'], current?: Session): Promise<void> {
    const entries = Object.entries(earlier) as Entry[];
    await this.#end(
      request,
      entries.filter(([side, { token }]) => token !== current?.held[side]?.token),
    );
  }

  /** Returns the owner of the session's token for each API; undefined for an API without a valid token. */
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

  /** @throws 422 for a session that is too long for a cookie */
  sealed(session: Session): { readonly text: string; readonly seconds: number } {
    const text = sealSession(this.#options.keyring, session);
    if (text === undefined) {
      throw new AppError(
        'unprocessable',
        'That token is too long for a cookie. Use a service token instead of a batch token',
      );
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

  /** Revokes the tokens that new ones replace. A token that groups gave goes with the user to whom they gave it. */
  async #replace(request: FastifyRequest, before: Session | undefined, held: Session['held']): Promise<Session> {
    const entries = Object.entries(before?.held ?? {}) as Entry[];
    const isReplaced = ([side, { byGroups }]: Entry) => side in held || (byGroups === true && 'workspaces' in held);
    await this.#end(request, entries.filter(isReplaced));
    const kept = Object.fromEntries(entries.filter((entry) => !isReplaced(entry)));
    return this.#with(before && { ...before, held: kept }, held);
  }

  /** The session expires when the last of its tokens does. */
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
