import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { LINK_GRACE_MS } from '../../../lib/signed-links/index.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { tokenIdOf } from '../authentication/credential.ts';
import type { Actor } from '../permissions/actor.ts';
import type { IssuedToken, TokenIssuer } from '../token/issuer.ts';
import { organizationTimes } from './organization-times.ts';
import type { Origin, ProviderSession, Session } from './store.ts';
import * as store from './store.ts';

export type { Origin, ProviderSession, Session, SignedInBy } from './store.ts';

/** @limit sessions of one user, sessions -> the oldest session ends */
const MOST_SESSIONS = 50;
/** @limit browser name in a session, characters -> the text is cut */
const LONGEST_BROWSER = 200;

/** Durations of sessions in milliseconds. */
export interface SessionTimes {
  /** Maximum time without a request. */
  readonly idleMs: number;
  /** Maximum lifetime. */
  readonly lifetimeMs: number;
  /** Maximum age of the sign-in at the identity provider, for sensitive actions. Infinity disables the check. */
  readonly recentMs: number;
}

/** Start of a session. */
type Begun = Origin &
  Partial<ProviderSession> & {
    /** Id of the token that the user entered. */
    readonly shown?: string;
    /** Id of the passkey that the user has used. */
    readonly passkeyId?: string;
    /** Further conditions, in the transaction of the session. Throws if one does not hold. */
    readonly check?: (tx: Transaction) => Promise<void>;
  };
const UNSAID = { providerSession: null, authenticatedAt: null, passkeyId: null } as const;

export interface SessionsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly issuer: TokenIssuer;
  readonly times: SessionTimes;
}

/**
 * Manages console sessions. A session is a token that is never shown. Expiry, idle time and permissions are read
 * together with the token, so a session costs no further query and is valid on all nodes.
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
  async begin(userId: string, { shown, check, ...origin }: Begun): Promise<IssuedToken> {
    const { clock, database, issuer, times } = this.#options;
    const browser = origin.browser.slice(0, LONGEST_BROWSER);
    return database.transaction(async (tx) => {
      await check?.(tx);
      const until = shown === undefined ? null : await endOf(tx, shown);
      const limits = await organizationTimes(tx, userId);
      const lifetimeMs = Math.min(times.lifetimeMs, limits.lifetimeMs);
      const expiresAt = Math.min(clock() + lifetimeMs, until ?? Number.POSITIVE_INFINITY);
      // Links that a session made are valid a little longer than the session.
      await store.removeExpiredSessions(tx, userId, clock() - LINK_GRACE_MS, MOST_SESSIONS - 1);
      const issued = await issuer.issue(tx, { userId, createdBy: userId }, { description: 'console', expiresAt });
      const derived = {
        id: issued.token.id,
        idleMs: Math.min(times.idleMs, limits.idleMs),
        derivedFrom: shown ?? null,
      };
      await store.insertSession(tx, { ...UNSAID, ...origin, browser, ...derived });
      return issued;
    });
  }

  /**
   * Returns whether the actor may do sensitive actions. A user of an identity provider needs a recent sign-in there.
   */
  async isRecent(actor: Actor): Promise<boolean> {
    const { clock, database, times } = this.#options;
    const id = tokenIdOf(actor);
    if (id === '' || times.recentMs === Number.POSITIVE_INFINITY) return true;
    const proof = await store.proofOf(database, id);
    return proof?.signedInBy !== 'oidc' || (proof.authenticatedAt ?? 0) + times.recentMs > clock();
  }

  /**
   * Returns whether the session of the actor has just started, however the user signed in. False for an actor without a
   * session.
   */
  async isNew(actor: Actor): Promise<boolean> {
    const { clock, database, times } = this.#options;
    const startedAt = await store.startOf(database, tokenIdOf(actor));
    return startedAt !== undefined && startedAt + times.recentMs > clock();
  }

  /**
   * Lists the sessions of a user.
   * @throws 404 for sessions of another user, unless the actor is a site administrator
   */
  async list(actor: Actor, userId: string, page: Page): Promise<Slice<Session>> {
    assertMay(actor, userId);
    return store.listSessionsOfUser(this.#options.database, userId, this.#options.clock(), page);
  }

  /**
   * Ends a session; its next request is refused.
   * @throws 404 if the session is over, and as `list`
   */
  async end(actor: Actor, id: string): Promise<void> {
    const { clock, database } = this.#options;
    const session = await store.findSession(database, id, clock());
    if (session === undefined) throw notFound();
    assertMay(actor, session.userId);
    await store.removeSession(database, id);
  }

  /**
   * Ends all sessions except the caller's.
   * @throws 404 as `list`
   */
  async endAll(actor: Actor, userId: string): Promise<void> {
    assertMay(actor, userId);
    await store.removeSessionsOfUser(this.#options.database, userId, tokenIdOf(actor));
  }

  /**
   * Ends sessions when the identity provider reports a logout: of a user, of a provider session, or of both. The next
   * request of each is refused.
   * @returns the sessions that ended
   */
  async endProviders(userId: string | undefined, name: string | undefined) {
    return store.endProvidersSessions(this.#options.database, userId, name);
  }

  /**
   * Ends all sessions of a user, for the operator's commands.
   * @returns their number
   */
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
  if (token === undefined) throw new AppError('forbidden', 'This token was revoked. Sign in with another one');
  return token.expiresAt;
}

function assertMay(actor: Actor, userId: string): void {
  if (actor.kind !== 'user' || (actor.id !== userId && !actor.siteAdmin)) throw notFound();
}
