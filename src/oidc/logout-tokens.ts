import { type IssuerKeys, KeysError, memberOf, type ParsedToken, parseToken, verifySignature } from '../jwt/index.ts';
import type { Clock } from '../lib/clock.ts';
import { lruCache } from '../lib/lru-cache.ts';
import { isSessionId, isSubject } from './claims.ts';
import { OidcError } from './oidc-error.ts';

/** Those of ID tokens (provider.ts). */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const CLOCK_TOLERANCE_SECONDS = 30;
/** @limit a logout token, seconds since it was issued -> it is refused */
const LONGEST_AGE_SECONDS = 300;
/** @limit the id of a logout token, characters -> it is refused */
const LONGEST_ID = 255;
/** @limit logout tokens whose ids are in memory, tokens -> the one of longest ago is forgotten */
const MOST_IDS = 10_000;

/** What a provider has ended: a session by its name there, or all of somebody. */
export interface EndedSession {
  readonly issuer: string;
  readonly subject: string | undefined;
  readonly session: string | undefined;
}

/** What the verifier works with. */
export interface LogoutTokensOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Fetched once for all who wait, with a pause between: whoever makes tokens up does not make us ask the provider more often. */
  readonly keys: IssuerKeys;
  readonly clock: Clock;
}

/** Logout tokens of one provider (OpenID Connect Back-Channel Logout 1.0 §2.4 and §2.6). */
export class LogoutTokens {
  readonly #options: LogoutTokensOptions;
  /**
   * Of those that were believed, so nobody else can fill it. Of this process alone: on another node a token counts once more, for as
   * long as it is good: it ends what is ended, and of a person without a session what they have begun in these minutes.
   */
  readonly #seen = lruCache<string, true>(MOST_IDS);

  constructor(options: LogoutTokensOptions) {
    this.#options = options;
  }

  /** What it says is looked at before its signature, so keys are fetched for nothing that would be refused anyway. @throws OidcError */
  async verify(text: string): Promise<EndedSession> {
    const token = parseToken(text, isLogout);
    if (typeof token === 'string') throw new OidcError('invalid');
    const { ended, id } = this.#read(token.claims);
    await this.#verifySignature(token);
    // Looked up and noted in one go: of two at once one counts.
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

/** The kind is named since the final text of the specification; providers of before say that it is a token, or nothing. */
const isLogout = (kind: string): boolean => kind === 'logout+jwt' || kind === 'jwt';

const isObject = (value: unknown): value is ParsedToken['claims'] =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
