import type { FastifyRequest } from 'fastify';
import type { UserActor } from '../permissions/actor.ts';
import type { Sessions } from '../session/sessions.ts';
import { fieldOf } from './form.ts';
import type { Logins } from './logins.ts';

/** What a session in the browser says of a request. */
export interface PageSession {
  /** The token that a form of ours acts with; undefined for a form of anybody else, and without a session. */
  tokenOf(request: FastifyRequest): string | undefined;
  /** Where people sign in without a token; undefined: nowhere. A place to come back to is added as `to`. */
  wayIn(request: FastifyRequest): Promise<WayIn | undefined>;
  /** Whether organizations have providers of their own, which the sign-in page asks for. */
  hasOrganizations(): Promise<boolean>;
  /** The token of whoever opens a page: to show who that is, and for nothing else. */
  shownTokenOf(request: FastifyRequest): string | undefined;
}

/** Where people sign in without a token, and come back from. */
export interface WayIn {
  readonly name: string;
  readonly address: string;
}

const OF_ORGANIZATIONS: WayIn = { name: 'the provider of your organization', address: '/app/~sign-in' };

/** Who opens a page or sends a form: somebody with a session, or with a token that they type. */
export class Visitors {
  readonly #logins: Logins;
  readonly #sessions: Sessions;
  readonly #session: PageSession | undefined;

  /** @param session absent: there are none here */
  constructor(logins: Logins, sessions: Sessions, session: PageSession | undefined) {
    this.#logins = logins;
    this.#sessions = sessions;
    this.#session = session;
  }

  /**
   * The user who has a session, where it is good enough to make tokens; their name is shown, so that they know who is about to do
   * something. And where somebody signs in otherwise, or once more, and comes back from.
   */
  async shown(request: FastifyRequest): Promise<{ readonly user?: UserActor; readonly waysIn: readonly WayIn[] }> {
    const user = await this.#named(request, this.#session?.shownTokenOf(request));
    const isRecent = user === undefined || (await this.#sessions.isRecent(user));
    const query = { to: request.url.slice('/app'.length), ...(!isRecent && { again: '1' }) };
    const ways = [
      await this.#session?.wayIn(request),
      user === undefined && (await this.#session?.hasOrganizations()) ? OF_ORGANIZATIONS : undefined,
    ];
    return {
      ...(user && isRecent && { user }),
      waysIn: ways.flatMap((way) =>
        way ? [{ name: way.name, address: `${way.address}?${new URLSearchParams(query)}` }] : [],
      ),
    };
  }

  /** The same for what makes a token: nobody whose provider has not seen them lately. */
  async signInRecently(request: FastifyRequest): Promise<UserActor | undefined> {
    const user = await this.signIn(request);
    return user && (await this.#sessions.isRecent(user)) ? user : undefined;
  }

  /** The user behind the token in a form, or else behind the session. They are named in the log and the audit record. */
  signIn(request: FastifyRequest): Promise<UserActor | undefined> {
    return this.#named(request, fieldOf(request, 'token') || this.#session?.tokenOf(request));
  }

  async #named(request: FastifyRequest, token: string | undefined): Promise<UserActor | undefined> {
    const user = token ? await this.#logins.userOf(token, request.peer.address) : undefined;
    if (user) nameUser(request, user);
    return user;
  }
}

export function nameUser(request: FastifyRequest, user: UserActor): void {
  request.event.add({ actor_kind: 'user', actor_id: user.id, actor_name: user.username });
}
