import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { LINK_GRACE_MS } from '../../../lib/link-grace.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { tokenIdOf } from '../authentication/credential.ts';
import type { Actor } from '../permissions/actor.ts';
import type { IssuedToken, TokenIssuer } from '../token/issuer.ts';
import type { Origin, ProviderSession, Session } from './store.ts';
import * as store from './store.ts';

export type { Origin, ProviderSession, Session, SignedInBy } from './store.ts';

/** @limit sessions of one user, sessions -> the oldest ends */
const MOST_SESSIONS = 50;
/** @limit what a browser calls itself, characters -> cut */
const LONGEST_BROWSER = 200;

/** How long sessions last, milliseconds. */
export interface SessionTimes {
  /** Without a request. */
  readonly idleMs: number;
  /** At most. */
  readonly lifetimeMs: number;
  /** Since somebody has proved to their provider who they are: for what cannot be undone. Infinity: it does not matter. */
  readonly recentMs: number;
}

/** Where a session comes from, and the id of the token that was shown for it. */
type Begun = Origin & Partial<ProviderSession> & { readonly shown?: string };
const UNSAID: ProviderSession = { providerSession: null, authenticatedAt: null };

/** What the service works with. */
export interface SessionsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly issuer: TokenIssuer;
  readonly times: SessionTimes;
}

/**
 * Where people are signed in with a browser. A session is a token that no one is shown: what it may do, that it was ended, and that
 * nobody has used it for too long are read with the token, so no request costs more for it, and all nodes know.
 */
export class Sessions {
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get times(): SessionTimes {
    return this.#options.times;
  }

  /**
   * Starts a session for a user who has just authenticated. It is deleted with the token that they used, if any.
   * @throws 403 where that token was revoked meanwhile
   */
  async begin(userId: string, { shown, ...origin }: Begun): Promise<IssuedToken> {
    const { clock, database, issuer, times } = this.#options;
    const browser = origin.browser.slice(0, LONGEST_BROWSER);
    return database.transaction(async (tx) => {
      const until = shown === undefined ? null : await endOf(tx, shown);
      const expiresAt = Math.min(clock() + times.lifetimeMs, until ?? Number.POSITIVE_INFINITY);
      // Links that a session made hold a little longer than it.
      await store.removeExpiredSessions(tx, userId, clock() - LINK_GRACE_MS, MOST_SESSIONS - 1);
      const issued = await issuer.issue(tx, { userId, createdBy: userId }, { description: 'console', expiresAt });
      const derived = { id: issued.token.id, idleMs: times.idleMs, derivedFrom: shown ?? null };
      await store.insertSession(tx, { ...UNSAID, ...origin, browser, ...derived });
      return issued;
    });
  }

  /** Whether somebody may do what cannot be undone: of whom a provider vouches for, once they have proved lately who they are. */
  async isRecent(actor: Actor): Promise<boolean> {
    const { clock, database, times } = this.#options;
    const id = tokenIdOf(actor);
    if (id === '' || times.recentMs === Number.POSITIVE_INFINITY) return true;
    const proof = await store.proofOf(database, id);
    return proof?.signedInBy !== 'oidc' || (proof.authenticatedAt ?? 0) + times.recentMs > clock();
  }

  /** @throws 404 for those of somebody else, unless a site administrator asks */
  async list(actor: Actor, userId: string, page: Page): Promise<Slice<Session>> {
    assertMay(actor, userId);
    return store.listSessionsOfUser(this.#options.database, userId, this.#options.clock(), page);
  }

  /** With the next request. @throws 404 for one that is over, and as above */
  async end(actor: Actor, id: string): Promise<void> {
    const { clock, database } = this.#options;
    const session = await store.findSession(database, id, clock());
    if (session === undefined) throw notFound();
    assertMay(actor, session.userId);
    await store.removeSession(database, id);
  }

  /** All but the one that asks. @throws 404 as above */
  async endAll(actor: Actor, userId: string): Promise<void> {
    assertMay(actor, userId);
    await store.removeSessionsOfUser(this.#options.database, userId, tokenIdOf(actor));
  }

  /** With the next request, as their provider says: of a user, of a name there, or of both. @returns which there were */
  async endProviders(userId: string | undefined, name: string | undefined) {
    return store.endProvidersSessions(this.#options.database, userId, name);
  }

  /** For the commands of the operator. @returns how many there were */
  endAllOf(userId: string): Promise<number> {
    return store.removeSessionsOfUser(this.#options.database, userId, '');
  }
}

/**
 * Returns the expiry of a token; null for never. Reads the row in the transaction that derives a credential from the
 * token.
 * @throws 403 if the token was revoked
 */
export async function endOf(tx: Transaction, id: string): Promise<number | null> {
  const token = await store.findTokenExpiry(tx, id);
  if (token === undefined) throw new AppError('forbidden', 'That token has been revoked. Sign in with another one');
  return token.expiresAt;
}

function assertMay(actor: Actor, userId: string): void {
  if (actor.kind !== 'user' || (actor.id !== userId && !actor.siteAdmin)) throw notFound();
}
