import { type IssuerKeys, KeysError, memberOf, type ParsedToken, parseToken, verifySignature } from '../jwt/index.ts';
import type { Clock } from '../lib/clock.ts';
import { lruCache } from '../lib/lru-cache.ts';
import { isSessionId, isSubject } from './claims.ts';
import { OidcError } from './oidc-error.ts';

/** Accepted signature algorithms, as for ID tokens (`provider.ts`). */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const CLOCK_TOLERANCE_SECONDS = 30;
/** @limit the age of a logout token, seconds -> the token is refused */
const LONGEST_AGE_SECONDS = 300;
/** @limit the id of a logout token, characters -> the token is refused */
const LONGEST_ID = 255;
/** @limit ids of logout tokens in memory, tokens -> the oldest id is forgotten */
const MOST_IDS = 10_000;

/** A logout at the provider: of one session, or of all sessions of a subject. */
export interface EndedSession {
  readonly issuer: string;
  readonly subject: string | undefined;
  readonly session: string | undefined;
}

export interface LogoutTokensOptions {
  readonly issuer: string;
  readonly clientId: string;
  /**
   * Cached keys with a minimum interval between fetches, so that forged tokens do not cause more requests to the
   * provider.
   */
  readonly keys: IssuerKeys;
  readonly clock: Clock;
}

/** Verifier of one provider's logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.4 and §2.6). */
export class LogoutTokens {
  readonly #options: LogoutTokensOptions;
  /**
   * Replay protection: ids of verified tokens. Only tokens with a valid signature are added, so no other client can
   * fill the cache. The cache is local to this process: another node accepts the same token once more while it is
   * valid. A replay there revokes sessions that are already revoked and, for a token without a session id, the
   * sessions that the person has started since.
   */
  readonly #seen = lruCache<string, true>(MOST_IDS);

  constructor(options: LogoutTokensOptions) {
    this.#options = options;
  }

  /**
   * Verifies a token. Checks the claims before the signature, so that no keys are fetched for a token that would be
   * refused anyway.
   * @throws OidcError
   */
  async verify(text: string): Promise<EndedSession> {
    const token = parseToken(text, isLogout);
    if (typeof token === 'string') throw new OidcError('invalid');
    const { ended, id } = this.#read(token.claims);
    await this.#verifySignature(token);
    // Check and insert happen without an `await` between them, so that one of two concurrent copies is refused.
    if (this.#seen.has(id)) throw new OidcError('invalid');
    this.#seen.set(id, true);
    return ended;
  }

  async #verifySignature(token: ParsedToken): Promise<void> {
    const { keys } = this.#options;
    const findings = await verifySignature(token, [keys], ALGORITHMS);
    if (findings.every(({ outcome }) => outcome === 'passed')) return;
    const why = await keys.candidates(token.algorithm, token.keyId).catch((error: unknown) => error);
    throw new OidcError(why instanceof KeysError ? 'away' : 'invalid');
  }

  #read(claims: ParsedToken['claims']): { readonly ended: EndedSession; readonly id: string } {
    const { issuer, clientId } = this.#options;
    const claim = (name: string) => memberOf(claims, name);
    const [subject, session, id] = [claim('sub'), claim('sid'), claim('jti')];
    const holds =
      claim('iss') === issuer &&
      [claim('aud')].flat().includes(clientId) &&
      this.#isTimely(claim('iat'), claim('exp')) &&
      isObject(claim('events')) &&
      isObject(memberOf(claim('events'), EVENT)) &&
      !Object.hasOwn(claims, 'nonce') &&
      (subject === undefined || isSubject(subject)) &&
      (session === undefined || isSessionId(session)) &&
      (subject !== undefined || session !== undefined) &&
      typeof id === 'string' &&
      id !== '' &&
      id.length <= LONGEST_ID;
    if (!holds) throw new OidcError('invalid');
    return { ended: { issuer, subject, session }, id };
  }

  #isTimely(issued: unknown, ends: unknown): boolean {
    const now = this.#options.clock() / 1000;
    const age = typeof issued === 'number' ? now - issued : Number.NaN;
    return (
      age >= -CLOCK_TOLERANCE_SECONDS &&
      age <= LONGEST_AGE_SECONDS &&
      (ends === undefined || (typeof ends === 'number' && ends > now - CLOCK_TOLERANCE_SECONDS))
    );
  }
}

/** The final specification defines the type `logout+jwt`. Older providers send `JWT` or no type. */
const isLogout = (kind: string): boolean => kind === 'logout+jwt' || kind === 'jwt';

const isObject = (value: unknown): value is ParsedToken['claims'] =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
