import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import { randomText } from '../../../lib/ids.ts';
import type { Database } from '../../../storage/index.ts';
import type { Credential, OAuthApp, OAuthFlow, OAuthGrant, ProviderHttp } from '../provider/port.ts';
import { ProviderError } from '../provider/provider-error.ts';
import type { HttpPlace } from './connection.ts';
import * as store from './credential-store.ts';
import { failedCheck } from './health/health.ts';
import { storeHealth } from './health/health-store.ts';
import type { ConnectionSealing } from './sealing.ts';

/** Time before its end at which a token is refreshed, ms: longer than any request with it takes. */
const MARGIN_MS = 5 * 60_000;
/**
 * Duration of a claim in milliseconds. It is longer than a request to a provider takes.
 * @limit time until another node refreshes a token whose node has crashed, ms
 */
const LEASE_MS = 30_000;
/** Times that a process looks whether another has refreshed a token, and the pause between them in milliseconds. */
const LOOKS = 40;
const LOOK_PAUSE_MS = 250;

/** Sign-in of a provider, and the client for its requests. */
export interface OAuthParts {
  readonly flow: OAuthFlow;
  readonly app: OAuthApp;
  readonly http: ProviderHttp;
}

export interface CredentialsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly sealing: ConnectionSealing;
  /** Returns the sign-in of a service provider; undefined if it has none. */
  readonly flowOf: (serviceProvider: string) => OAuthFlow | undefined;
  readonly httpFor: (place: HttpPlace) => ProviderHttp;
}

/** The tokens of connections. Tokens that expire are refreshed before, by one process at a time. */
export class Credentials {
  readonly #options: CredentialsOptions;

  constructor(options: CredentialsOptions) {
    this.#options = options;
  }

  /**
   * Returns the credential of a token, valid for some minutes.
   * @param held claim of the row that the caller has already
   * @throws ProviderError `refused` if the token was deleted or can no longer be refreshed
   */
  async current(tokenId: string, held?: string): Promise<Credential> {
    const { clock, database } = this.#options;
    for (let looks = 0; ; looks++) {
      const stored = await store.findStoredToken(database, tokenId);
      if (stored === undefined) throw new ProviderError('refused', 'The connection was deleted');
      const now = clock();
      if (!isEnding(stored, now)) return this.#credential(tokenId, stored);
      if (held !== undefined) return this.#refresh(tokenId, stored, held);
      const claim = randomText(16);
      const claimed = await store.claimToken(database, tokenId, { claim, now, until: now + LEASE_MS });
      if (claimed !== undefined) return await this.#refreshAndRelease(tokenId, claimed, claim);
      // Another process refreshes it. The present token may be valid meanwhile.
      if ((stored.expiresAt ?? 0) - now > LEASE_MS) return this.#credential(tokenId, stored);
      if (looks === LOOKS) throw new ProviderError('unreachable', 'The token of the connection is being refreshed');
      await sleep(LOOK_PAUSE_MS);
    }
  }

  /** Converts a grant to its stored form. */
  sealed(tokenId: string, { accessToken, refreshToken, expiresIn }: OAuthGrant, now: number): store.StoredToken {
    const { sealing } = this.#options;
    return {
      kind: 'oauth',
      token: sealing.sealToken(tokenId, accessToken),
      refreshToken: refreshToken === null ? null : sealing.sealRefreshToken(tokenId, refreshToken),
      expiresAt: expiresIn === null ? null : now + Math.floor(expiresIn * 1000),
    };
  }

  async #refreshAndRelease(tokenId: string, stored: store.StoredToken, claim: string): Promise<Credential> {
    try {
      // Another process may have refreshed it between the look and the claim.
      if (!isEnding(stored, this.#options.clock())) return this.#credential(tokenId, stored);
      return await this.#refresh(tokenId, stored, claim);
    } finally {
      await store.releaseToken(this.#options.database, tokenId, claim);
    }
  }

  async #refresh(tokenId: string, stored: store.StoredToken, claim: string): Promise<Credential> {
    const { clock, database, sealing } = this.#options;
    const refreshToken = sealing.openRefreshToken(tokenId, stored.refreshToken as Uint8Array);
    try {
      const { flow, app, http } = await this.#partsOf(tokenId);
      const grant = await flow.refresh(app, refreshToken, http);
      // Providers that do not rotate refresh tokens send none.
      const next = this.sealed(tokenId, { ...grant, refreshToken: grant.refreshToken ?? refreshToken }, clock());
      if (await store.replaceToken(database, tokenId, claim, next)) return { kind: 'oauth', token: grant.accessToken };
      throw new ProviderError('unreachable', 'The token of the connection was changed meanwhile');
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return await this.#withoutRefresh(tokenId, stored, error);
    }
  }

  /** The present token may be valid for some minutes. A refresh that is refused is the status of the connection. */
  async #withoutRefresh(tokenId: string, stored: store.StoredToken, error: ProviderError): Promise<Credential> {
    const { clock, database } = this.#options;
    const now = clock();
    const failure = new ProviderError(error.kind, `The token cannot be refreshed: ${error.message}`, { cause: error });
    if (error.isTemporary && (stored.expiresAt ?? 0) > now) return this.#credential(tokenId, stored);
    await storeHealth(database, tokenId, failedCheck(failure), now);
    throw failure;
  }

  async #partsOf(tokenId: string): Promise<OAuthParts> {
    const { database, sealing, flowOf, httpFor } = this.#options;
    const found = await store.findAppOf(database, tokenId);
    const flow = found && flowOf(found.serviceProvider);
    if (found === undefined || flow === undefined) throw new ProviderError('refused', 'The connection was deleted');
    const { secret = '' } = sealing.openSecrets(found.clientId, found.secrets);
    const { httpUrl, apiUrl, serviceProvider, agentPoolId, key, tenant } = found;
    return {
      flow,
      app: { httpUrl, apiUrl, key: key ?? '', secret, ...(tenant && { tenant }) },
      http: httpFor({ id: tokenId, apiUrl, httpUrl, serviceProvider, agentPoolId }),
    };
  }

  #credential(tokenId: string, { kind, token }: store.StoredToken): Credential {
    return { kind, token: this.#options.sealing.openToken(tokenId, token) };
  }
}

/** Returns when a token should be refreshed, milliseconds since 1970; null if it cannot be, or does not expire. */
export const refreshTime = ({ expiresAt, refreshToken }: Pick<store.StoredToken, 'expiresAt' | 'refreshToken'>) =>
  expiresAt === null || refreshToken === null ? null : expiresAt - MARGIN_MS;

function isEnding(stored: store.StoredToken, now: number): boolean {
  const time = refreshTime(stored);
  return time !== null && time <= now;
}
