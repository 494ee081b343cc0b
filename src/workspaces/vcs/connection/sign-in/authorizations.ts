import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Clock } from '../../../../lib/clock.ts';
import { randomText } from '../../../../lib/ids.ts';
import { type Database, type Keyring, sql } from '../../../../storage/index.ts';
import { tokenIdOf, type UserActor } from '../../../tenancy/index.ts';

/** @limit duration of a sign-in at a VCS provider, ms -> the user has to start again */
const AUTHORIZATION_MS = 10 * 60_000;
const STATE_LENGTH = 32;
/** @limit state in the URL to which a VCS provider sends a user back, characters -> the user has to start again */
const LONGEST_STATE = 128;

/** Purpose of a sign-in. A state for one purpose is not valid for another. */
export type Purpose = 'oauth-client' | 'github-app' | 'github-app-user';

type Row = { hash: string; purpose: Purpose; subjectId: string; sessionId: string; expiresAt: number };
const removeOthers = sql<{ purpose: Purpose; subjectId: string; sessionId: string; now: number }>(
  `DELETE FROM vcs_authorization WHERE expires_at <= :now
     OR (session_id = :sessionId AND purpose = :purpose AND subject_id = :subjectId)`,
);
const insert = sql<Row>(
  `INSERT INTO vcs_authorization (hash, purpose, subject_id, session_id, expires_at)
   VALUES (:hash, :purpose, :subjectId, :sessionId, :expiresAt)`,
);
const takeRow = sql<{ hash: string; purpose: Purpose; sessionId: string }, { subjectId: string; expiresAt: number }>(
  `DELETE FROM vcs_authorization WHERE hash = :hash AND purpose = :purpose AND session_id = :sessionId
   RETURNING subject_id AS "subjectId", expires_at AS "expiresAt"`,
);

/** A sign-in that has started. */
export interface Started {
  readonly state: string;
  /** Challenge of PKCE (RFC 7636 §4.2). */
  readonly challenge: string;
}

/** A sign-in that has come back. */
export interface Returned {
  readonly subjectId: string;
  readonly verifier: string;
}

/**
 * Sign-ins at providers that are in progress. A state belongs to one session of a user, one purpose and one subject, and
 * is valid once.
 */
export class Authorizations {
  readonly #database: Database;
  readonly #keyring: Keyring;
  readonly #clock: Clock;

  constructor(database: Database, keyring: Keyring, clock: Clock) {
    this.#database = database;
    this.#keyring = keyring;
    this.#clock = clock;
  }

  /** Starts a sign-in. It replaces an earlier one of the session for the same subject. */
  async start(actor: UserActor, purpose: Purpose, subjectId: string): Promise<Started> {
    const state = randomText(STATE_LENGTH);
    const now = this.#clock();
    const common = { purpose, subjectId, sessionId: tokenIdOf(actor) };
    await this.#database.transaction(async (tx) => {
      await tx.run(removeOthers, { ...common, now });
      await tx.run(insert, { ...common, hash: this.#hash(state), expiresAt: now + AUTHORIZATION_MS });
    });
    return { state, challenge: createHash('sha256').update(this.#verifier(state)).digest('base64url') };
  }

  /** Ends a sign-in. Returns undefined for a state that is unknown, used, expired or of another session. */
  async take(actor: UserActor, purpose: Purpose, state: string): Promise<Returned | undefined> {
    if (state === '' || state.length > LONGEST_STATE) return undefined;
    const row = await this.#database.one(takeRow, { purpose, hash: this.#hash(state), sessionId: tokenIdOf(actor) });
    if (row === undefined || row.expiresAt <= this.#clock()) return undefined;
    return { subjectId: row.subjectId, verifier: this.#verifier(state) };
  }

  /** The verifier follows from the state, so it is stored nowhere. */
  #verifier(state: string): string {
    return Buffer.from(this.#keyring.hash(state, 'vcs-verifier')).toString('base64url');
  }

  #hash(state: string): string {
    return Buffer.from(this.#keyring.hash(state, 'vcs-authorization')).toString('base64url');
  }
}
