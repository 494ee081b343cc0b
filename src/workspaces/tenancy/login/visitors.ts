import type { FastifyRequest } from 'fastify';
import type { UserActor } from '../permissions/actor.ts';
import type { Sessions } from '../session/sessions.ts';
import { fieldOf } from './form.ts';
import type { Logins } from './logins.ts';

/** Session of a browser, as the login pages use it. */
export interface PageSession {
  /**
   * Returns the token for a form that this server created. Returns undefined for any other form and without a session.
   */
  tokenOf(request: FastifyRequest): string | undefined;
  /**
   * Returns the sign-in link that needs no token. Returns undefined without single sign-on. The page to return to is
   * added as `to`.
   */
  wayIn(request: FastifyRequest): Promise<WayIn | undefined>;
  /**
   * Returns whether organizations have their own identity providers. The sign-in page then has a field for the
   * organization.
   */
  hasOrganizations(): Promise<boolean>;
  /** Returns the token of the user who opens a page, only to show their name. */
  shownTokenOf(request: FastifyRequest): string | undefined;
}

/** Sign-in without a token that returns to the page. */
export interface WayIn {
  readonly name: string;
  readonly address: string;
}

const OF_ORGANIZATIONS: WayIn = { name: "your organization's identity provider", address: '/app/~sign-in' };

/** Authenticates users who open a page or send a form, by their session or by a token that they enter. */
export class Visitors {
  readonly #logins: Logins;
  readonly #sessions: Sessions;
  readonly #session: PageSession | undefined;

  /** @param session absent if there are no sessions */
  constructor(logins: Logins, sessions: Sessions, session: PageSession | undefined) {
    this.#logins = logins;
    this.#sessions = sessions;
    this.#session = session;
  }

  /**
   * Returns the user of the session if the session is recent enough to create tokens. The page shows their name. Also
   * returns links to sign in another way, or again, and to return.
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

  /**
   * Like `signIn`, but only for a user whose identity provider has authenticated them recently. Required to create
   * tokens.
   */
  async signInRecently(request: FastifyRequest): Promise<UserActor | undefined> {
    const user = await this.signIn(request);
    return user && (await this.#sessions.isRecent(user)) ? user : undefined;
  }

  /** Returns the user of the token in the form, or of the session. Records them in the log and the audit log. */
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
