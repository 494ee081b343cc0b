import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { type Database, type Transaction, UniqueViolation } from '../../../storage/index.ts';
import { attributeIssue, conflict, notFound, unprocessable } from '../../jsonapi/errors.ts';
import { type Actor, userOf } from '../permissions/actor.ts';
import type { Origin, Sessions } from '../session/sessions.ts';
import type { IssuedToken } from '../token/issuer.ts';
import type { User, Users } from '../user/users.ts';
import {
  CEREMONY_MS,
  CeremonyFault,
  creationOptions,
  type NewCredential,
  namedIn,
  newChallenge,
  type Place,
  requestOptions,
  verifyCreation,
  verifyUse,
} from './ceremony.ts';
import type { Passkey } from './store.ts';
import * as store from './store.ts';

export type { Place } from './ceremony.ts';
export type { Passkey } from './store.ts';

/** @limit passkeys of one user, passkeys -> 409 */
const MOST_PASSKEYS = 20;
/** @limit name of a passkey, characters -> 422 */
const LONGEST_NAME = 60;

/** Challenge that the browser has to answer. The caller stores it, encrypted, with the browser. */
export interface Ceremony {
  /** Options for the browser. */
  readonly options: object;
  readonly challenge: string;
}

/** Reasons why a passkey does not sign its user in, for the log. */
export class PasskeyRefusal extends Error {
  /** `unknown`, `replayed`, `cloned`, `suspended`, `provider`, or a check of `CeremonyFault`. */
  readonly reason: string;
  /** The user, if the signature was valid. */
  readonly user: User | undefined;

  constructor(reason: string, user?: User) {
    super(`a passkey was refused: ${reason}`);
    this.reason = reason;
    this.user = user;
  }
}

export interface PasskeysOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly users: Users;
  readonly sessions: Sessions;
}

/** Manages the passkeys of users, and signs users in with them. Nothing is kept in memory: each node accepts each one. */
export class Passkeys {
  readonly #options: PasskeysOptions;

  constructor(options: PasskeysOptions) {
    this.#options = options;
  }

  /**
   * Lists the passkeys of a user.
   * @throws 404 for those of another user, unless the actor is a site administrator
   */
  async list(actor: Actor, userId: string): Promise<readonly Passkey[]> {
    assertMay(actor, userId);
    return store.listPasskeys(this.#options.database, userId);
  }

  /**
   * Renames a passkey of the actor.
   * @throws 404 for any other; 422 for an invalid name
   */
  async rename(actor: Actor, id: string, name: string): Promise<Passkey> {
    const { database } = this.#options;
    const passkey = await store.findPasskey(database, id);
    if (passkey === undefined || userOf(actor).id !== passkey.userId) throw notFound();
    const changed = { ...passkey, name: nameFrom(name) };
    await store.renamePasskey(database, id, changed.name);
    return changed;
  }

  /**
   * Removes a passkey, and ends the sessions that started with it.
   * @throws 404 as `list`
   */
  async remove(actor: Actor, id: string): Promise<void> {
    const { database } = this.#options;
    const passkey = await store.findPasskey(database, id);
    if (passkey === undefined) throw notFound();
    assertMay(actor, passkey.userId);
    await database.transaction((tx) => store.removePasskey(tx, id));
  }

  /**
   * Starts the registration of a passkey for the actor, who has just signed in: a passkey outlives the session and the
   * token with which it started, so a session that somebody else has found must not be enough.
   * @throws 403 for a session that is older; 404 unless the actor is a user; 409 for the user of an identity provider, and
   * beyond MOST_PASSKEYS
   */
  async beginRegistration(actor: Actor, place: Place): Promise<Ceremony> {
    const { database, sessions } = this.#options;
    const { id, username: name } = userOf(actor);
    if (await store.hasProvider(database, id)) throw conflict(OF_PROVIDER);
    if (!(await sessions.isNew(actor))) throw signInAgain();
    const known = await store.listPasskeys(database, id);
    if (known.length >= MOST_PASSKEYS) throw tooMany();
    return this.ceremonyFor({ id, name }, place, known);
  }

  /** Starts the registration of a passkey for a user who may not exist yet. */
  async ceremonyFor(
    user: { readonly id: string; readonly name: string },
    place: Place,
    known: readonly Passkey[] = [],
  ): Promise<Ceremony> {
    const challenge = newChallenge();
    const ids = known.filter(({ host }) => host === place.host).map(({ credentialId }) => credentialId);
    return { challenge, options: await creationOptions(place, challenge, user, ids) };
  }

  /**
   * Registers a passkey for the actor.
   * @param given response of the authenticator, its challenge, and the name of the passkey
   * @throws 403 for a response that is not valid; 409 as `beginRegistration`; 422 for an invalid name
   */
  async register(
    actor: Actor,
    place: Place,
    given: { readonly response: unknown; readonly challenge: string; readonly name: string },
  ): Promise<Passkey> {
    const { id } = userOf(actor);
    const name = nameFrom(given.name);
    const credential = await verified(() => verifyCreation(given.response, given.challenge, place));
    return this.#options.database.transaction((tx) => this.add(tx, id, place, { ...given, credential, name }));
  }

  /**
   * Stores a verified passkey, in the caller's transaction.
   * @throws 403 for an answered challenge; 409 for the user of an identity provider, beyond MOST_PASSKEYS, and for a
   * passkey that is registered already
   */
  async add(
    tx: Transaction,
    userId: string,
    { host }: Place,
    { challenge, credential, name }: { challenge: string; credential: NewCredential; name: string },
  ): Promise<Passkey> {
    const now = this.#options.clock();
    await this.#answerOnce(tx, challenge);
    if (!(await store.claimUser(tx, userId))) throw notFound();
    if (await store.hasProvider(tx, userId)) throw conflict(OF_PROVIDER);
    if ((await store.listPasskeys(tx, userId)).length >= MOST_PASSKEYS) throw tooMany();
    const { isSyncable, isSynced, transports, ...key } = credential;
    const passkey: Passkey = {
      ...{ id: prefixedId('pk', now), userId, ...key, host, name, transports: transports.join() },
      ...{ isSyncable: Number(isSyncable), isSynced: Number(isSynced), createdAt: now, lastUsedAt: null },
    };
    await store.insertPasskey(tx, passkey).catch((error: unknown) => {
      throw error instanceof UniqueViolation
        ? conflict('This passkey is registered already. Use it to sign in')
        : error;
    });
    return passkey;
  }

  /** Starts a sign-in. */
  async beginSignIn(place: Place): Promise<Ceremony> {
    const challenge = newChallenge();
    return { challenge, options: await requestOptions(place, challenge) };
  }

  /**
   * Signs a user in.
   * @throws PasskeyRefusal
   */
  async signIn(
    place: Place,
    { response, challenge }: { readonly response: unknown; readonly challenge: string },
    from: Omit<Origin, 'signedInBy'>,
  ): Promise<{ readonly user: User; readonly session: IssuedToken }> {
    const { clock, database, sessions, users } = this.#options;
    const { credentialId, userId } = namedIn(response);
    const passkey = await store.findByCredential(database, credentialId);
    if (passkey === undefined || passkey.host !== place.host || passkey.userId !== userId)
      throw new PasskeyRefusal('unknown');
    const use = await verifyUse(response, challenge, place, passkey).catch((error: unknown) => {
      throw error instanceof CeremonyFault ? new PasskeyRefusal(error.check) : error;
    });
    const user = await users.present(database, userId);
    if (user.suspendedAt !== null) throw new PasskeyRefusal('suspended', user);
    if (await store.hasProvider(database, userId)) throw new PasskeyRefusal('provider', user);
    const { counter, id } = passkey;
    // A copy of a key that counts its uses reports a number that was used before (WebAuthn §6.1.1).
    if ((use.counter > 0 || counter > 0) && use.counter <= counter) throw new PasskeyRefusal('cloned', user);
    const check = async (tx: Transaction) => {
      const now = clock();
      if (!(await store.answerOnce(tx, challenge, now + CEREMONY_MS, now))) throw new PasskeyRefusal('replayed', user);
      const noted = { id, before: counter, counter: use.counter, isSynced: Number(use.isSynced), now };
      if (!(await store.noteUse(tx, noted))) throw new PasskeyRefusal('cloned', user);
    };
    return { user, session: await sessions.begin(userId, { ...from, signedInBy: 'passkey', passkeyId: id, check }) };
  }

  async #answerOnce(tx: Transaction, challenge: string): Promise<void> {
    const now = this.#options.clock();
    if (!(await store.answerOnce(tx, challenge, now + CEREMONY_MS, now))) throw refused('challenge');
  }
}

/**
 * Runs a check of a new passkey.
 * @throws 403
 */
export async function verified<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    throw error instanceof CeremonyFault ? refused(error.check) : error;
  }
}

/** @throws 422 */
export function nameFrom(given: string): string {
  const name = given.trim();
  if (name !== '' && name.length <= LONGEST_NAME) return name;
  throw unprocessable([attributeIssue('name', `Name must have 1 to ${LONGEST_NAME} characters`)]);
}

const SIGN_IN_AGAIN = 'Your sign-in is too long ago to register a passkey. Sign in again, then repeat the action';
const signInAgain = () =>
  new AppError('forbidden', SIGN_IN_AGAIN, { issues: [{ detail: SIGN_IN_AGAIN, code: 'sign-in-page' }] });
const OF_PROVIDER = 'Your identity provider signs you in. Passkeys are for users without one';
const tooMany = () => conflict(`A user may have at most ${MOST_PASSKEYS} passkeys. Remove one first`);
const OTHER_ADDRESS =
  'The browser and this server see different addresses of this page. Ask the operator to set workspaces.address, or to let the proxy keep the Host header';
const refused = (check: string) => {
  const remedy = check === 'origin' ? OTHER_ADDRESS : 'Start again, on the page of this server';
  return new AppError('forbidden', `The passkey was not accepted (${check}). ${remedy}`);
};

function assertMay(actor: Actor, userId: string): void {
  if (actor.kind !== 'user' || (actor.id !== userId && !actor.siteAdmin)) throw notFound();
}
