import { Buffer } from 'node:buffer';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { randomText } from '../../../lib/ids.ts';
import type { Database, Keyring } from '../../../storage/index.ts';
import type { Authentication } from '../authentication/authentication.ts';
import { credentialText, tokenIdOf } from '../authentication/credential.ts';
import type { UserActor } from '../permissions/actor.ts';
import { endOf } from '../session/sessions.ts';
import type { IssuedToken, Tokens } from '../token/tokens.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { provesChallenge } from './proof-key.ts';
import * as store from './store.ts';

/**
 * Lifetime of an authorization code.
 * @limit time to exchange an authorization code for a token, ms -> 400, log in again
 */
const CODE_TTL = 60_000;
const CODE_LENGTH = 32;
const HASH_PURPOSE = 'login-code';

/** Token that a user wants to create. */
export interface TokenRequest {
  readonly description: string;
  /** Lifetime in milliseconds. */
  readonly ttl: number;
}

/** Parameters that `tofu` and `terraform` send to get their token (RFC 6749 §4.1.3, RFC 7636 §4.5). */
export interface Redemption {
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

/** Token for `tofu` or `terraform`. */
export interface Redeemed extends IssuedToken {
  readonly userId: string;
  /** Lifetime in milliseconds, a multiple of 1000. */
  readonly ttl: number;
}

export interface LoginsOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly authentication: Authentication;
  readonly tokens: Tokens;
}

/**
 * Logins of `tofu` and `terraform` through the browser. There are no passwords: a user proves who they are with an
 * existing token or a session. The login creates a token that expires earlier and can be revoked separately.
 */
export class Logins {
  readonly #options: LoginsOptions;

  constructor(options: LoginsOptions) {
    this.#options = options;
  }

  /** Returns the user of a token. Returns undefined if the token is unknown, expired or not a user's. */
  async userOf(token: string, remoteAddress: string): Promise<UserActor | undefined> {
    const actor = await this.#options.authentication.authenticate(token, remoteAddress);
    return actor?.kind === 'user' ? actor : undefined;
  }

  /** Creates a token that the page shows at once. */
  issue(user: UserActor, { description, ttl }: TokenRequest): Promise<IssuedToken> {
    const { tokens, clock } = this.#options;
    return tokens.issue(user.id, { description, expiresAt: clock() + ttl });
  }

  /**
   * Returns an authorization code (PKCE). Only the client that sent the request can exchange it for a token: once,
   * within a minute, and while the token of the user is valid.
   * @throws 403 if that token was revoked meanwhile
   */
  async authorize(user: UserActor, request: AuthorizationRequest, { description, ttl }: TokenRequest): Promise<string> {
    const { database, clock } = this.#options;
    const { challenge, redirectUri } = request;
    const code = randomText(CODE_LENGTH);
    const now = clock();
    const derivedFrom = tokenIdOf(user);
    const fields = {
      hash: this.#hash(code),
      userId: user.id,
      derivedFrom,
      challenge,
      redirectUri,
      description,
      tokenTtl: ttl,
    };
    await database.transaction(async (tx) => {
      await endOf(tx, derivedFrom);
      await store.removeExpiredLoginCodes(tx, now);
      await store.insertLoginCode(tx, { ...fields, expiresAt: now + CODE_TTL });
    });
    return code;
  }

  /**
   * Exchanges a code for a token. The code is deleted at the first attempt, even if the other parameters are wrong.
   * @throws 400 `invalid_grant`
   */
  async redeem({ code, redirectUri, verifier }: Redemption): Promise<Redeemed> {
    const { database, clock, tokens } = this.#options;
    const granted = await store.takeLoginCode(database, this.#hash(code));
    const now = clock();
    const holds = granted && granted.expiresAt > now && granted.redirectUri === redirectUri;
    if (!holds || !(await this.#isThere(granted.derivedFrom, now)) || !provesChallenge(verifier, granted.challenge)) {
      throw new AppError('bad-request', 'the code is unknown, used, expired or from another request; log in again', {
        title: 'invalid_grant',
      });
    }
    const { userId, description, tokenTtl: ttl } = granted;
    return { ...(await tokens.issue(userId, { description, expiresAt: now + ttl })), userId, ttl };
  }

  /** Returns whether the user's token is still valid. The user may have been suspended since the code was created. */
  async #isThere(tokenId: string | null, now: number): Promise<boolean> {
    if (tokenId === null) return false;
    const actor = await this.#options.authentication.recall(credentialText({ kind: 'token', id: tokenId }), '', now);
    return actor !== undefined;
  }

  #hash(code: string): string {
    return Buffer.from(this.#options.keyring.hash(code, HASH_PURPOSE)).toString('base64url');
  }
}
