import * as client from 'openid-client';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { type ClaimPaths, type Person, personOf } from './claims.ts';
import { OidcError } from './oidc-error.ts';

/**
 * Accepted signature algorithms of ID tokens: only those with a private key. `none` and shared-secret algorithms are
 * left out on purpose.
 */
export const ALGORITHMS: ReadonlySet<string> = new Set(['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']);
const CLOCK_TOLERANCE_SECONDS = 30;
/** OAuth error codes for an unknown client or a wrong secret. */
const NOT_THE_CLIENT: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);
/** @limit size of one response of an OIDC provider, bytes -> the provider counts as unreachable */
const MAX_ANSWER_BYTES = 1024 * 1024;
/**
 * @limit total time for the responses of an OIDC provider in one step of a sign-in, ms -> the provider counts as
 * unreachable
 */
const TIMEOUT_MS = 10_000;
/**
 * Maximum age of the provider's session, seconds. A provider must send `auth_time` only if the request has a `max_age`
 * (OpenID Connect Core §2).
 */
const A_YEAR = '31536000';
/** How long the discovery document is cached. The keys are fetched for each sign-in. */
const DISCOVERY_MS = 10 * 60_000;

/** Configuration of a provider and of the client at it. */
export interface OidcProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Client secret. Absent for a public client. */
  readonly clientSecret?: string;
  readonly scopes: readonly string[];
  readonly claims: ClaimPaths;
  /** Whether to request the time of the person's authentication (`auth_time`). */
  readonly asksWhen: boolean;
  /** Maximum number of concurrent sign-in steps. Above it the provider counts as unreachable. */
  readonly mostAtOnce: number;
  readonly fetch: GuardedFetch;
  /** CA certificates (PEM) that verify the provider's server, in addition to those of the system. */
  readonly authorities: readonly string[];
}

/** Values of one sign-in that the redirect back is checked against. The browser keeps them, encrypted. */
export interface Flow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Present if the person must authenticate again: the start of the sign-in, in milliseconds since 1970. */
  readonly since?: number;
}

/** Authorization code flow with PKCE (RFC 7636), through a certified client library. */
export class OidcProvider {
  readonly #options: OidcProviderOptions;
  #asked = 0;
  #finding: Promise<client.ServerMetadata> | undefined;
  #known: { readonly metadata: client.ServerMetadata; readonly until: number } | undefined;

  constructor(options: OidcProviderOptions) {
    this.#options = options;
  }

  /**
   * Starts a sign-in. Returns the URL to redirect the browser to.
   * @param again whether the person must authenticate again even if the provider has a session
   * @throws OidcError
   */
  begin(redirectUri: string, again = false): Promise<{ readonly address: string; readonly flow: Flow }> {
    return this.#asking(async (configuration) => {
      const flow = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        ...(again && { since: Date.now() }),
      };
      const address = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: this.#options.scopes.join(' '),
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
        // Some providers support only one of these two (OpenID Connect Core §3.1.2.1).
        ...(again ? { max_age: '0', prompt: 'login' } : this.#options.asksWhen && { max_age: A_YEAR }),
      });
      return { address: address.href, flow };
    });
  }

  /**
   * Completes a sign-in.
   * @param callback the URL that the provider redirected the browser to
   * @throws OidcError
   */
  finish(callback: URL, { state, nonce, verifier, since }: Flow): Promise<Person> {
    return this.#asking(async (configuration) => {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const answer = await client.authorizationCodeGrant(configuration, callback, checks);
      const claims = answer.claims();
      if (claims === undefined) throw new OidcError('invalid');
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore ? await client.fetchUserInfo(configuration, answer.access_token, claims.sub) : {};
      const person = personOf(claims.iss, this.#options.claims, [claims, more]);
      // `auth_time` is required here. Without it the provider may have reused its session.
      const isLate = since !== undefined && !((person.authenticatedAt ?? 0) + CLOCK_TOLERANCE_SECONDS * 1000 >= since);
      if (isLate) throw new OidcError('stale');
      return person;
    });
  }

  /**
   * Checks client id and secret with an invented code, so that the request has no effect. A provider that accepts the
   * client refuses the code; otherwise it refuses the client (RFC 6749 §5.2).
   * @returns undefined if the response says neither
   * @throws OidcError
   */
  takesClient(redirectUri: string): Promise<boolean | undefined> {
    return this.#asking(async (configuration) => {
      const code = { code: client.randomState(), code_verifier: client.randomPKCECodeVerifier() };
      try {
        await client.genericGrantRequest(configuration, 'authorization_code', { ...code, redirect_uri: redirectUri });
      } catch (error) {
        if (!(error instanceof client.ResponseBodyError)) throw error;
        if (error.error === 'invalid_grant') return true;
        if (NOT_THE_CLIENT.has(error.error)) return false;
      }
      return undefined;
    });
  }

  async #asking<T>(ask: (configuration: client.Configuration) => Promise<T>): Promise<T> {
    if (this.#asked >= this.#options.mostAtOnce) throw new OidcError('away');
    this.#asked++;
    const line = new Line(this.#options);
    try {
      return await line.explain(async () => ask(this.#configured(await this.#metadata(), line)));
    } finally {
      this.#asked--;
    }
  }

  /** Returns the cached metadata, or fetches it once for all concurrent callers. */
  async #metadata(): Promise<client.ServerMetadata> {
    if (this.#known && this.#known.until > Date.now()) return this.#known.metadata;
    const line = new Line(this.#options);
    this.#finding ??= line
      .explain(() => this.#discover(line))
      .finally(() => {
        this.#finding = undefined;
      });
    return this.#finding;
  }

  async #discover(line: Line): Promise<client.ServerMetadata> {
    const { issuer, clientId } = this.#options;
    const found = await client.discovery(new URL(issuer), clientId, undefined, undefined, {
      [client.customFetch]: line.fetch,
    });
    const { supportsPKCE: _asked, ...metadata } = found.serverMetadata();
    const signing = (metadata.id_token_signing_alg_values_supported ?? ['RS256']).filter((one) => ALGORITHMS.has(one));
    const ours = { ...metadata, id_token_signing_alg_values_supported: signing };
    this.#known = { metadata: ours, until: Date.now() + DISCOVERY_MS };
    return ours;
  }

  /** A new configuration for each use has no cached keys, so that a withdrawn key is not accepted. */
  #configured(metadata: client.ServerMetadata, line: Line): client.Configuration {
    const { clientId, clientSecret } = this.#options;
    const proof = clientSecret === undefined ? client.None() : this.#proof(metadata, clientSecret);
    const configuration = new client.Configuration(
      metadata,
      clientId,
      { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      proof,
    );
    configuration[client.customFetch] = line.fetch;
    client.enableNonRepudiationChecks(configuration);
    return configuration;
  }

  /** Sends the secret in a header, the OpenID Connect default, unless the provider supports only the body. */
  #proof({ token_endpoint_auth_methods_supported: methods }: client.ServerMetadata, secret: string) {
    const isBody = methods !== undefined && !methods.includes('client_secret_basic');
    return isBody ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret);
  }
}

/** Connection to the provider for one step of a sign-in, with limits for size, time and destinations. */
class Line {
  readonly #options: Pick<OidcProviderOptions, 'fetch' | 'authorities'>;
  readonly #until = Date.now() + TIMEOUT_MS;
  #isDown = false;

  constructor(options: Pick<OidcProviderOptions, 'fetch' | 'authorities'>) {
    this.#options = options;
  }

  /**
   * Runs a request.
   * @throws OidcError instead of any other error
   */
  async explain<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof OidcError) throw error;
      if (this.#isDown) throw new OidcError('away');
      throw new OidcError(error instanceof client.AuthorizationResponseError ? 'denied' : 'invalid');
    }
  }

  readonly fetch: client.CustomFetch = async (url, { method, headers, body }) => {
    try {
      const answer = await this.#options.fetch(url, {
        method: method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(new Headers(headers)),
        ...(body !== undefined && body !== null && { body: Buffer.from(`${body}`) }),
        timeoutMs: Math.max(1, this.#until - Date.now()),
        maxBytes: MAX_ANSWER_BYTES,
        authorities: this.#options.authorities,
      });
      const bytes = await answer.bytes();
      const type = answer.headers['content-type'];
      if (answer.status >= 500) this.#isDown = true;
      const init = { status: answer.status, headers: type === undefined ? {} : { 'content-type': type } };
      return new Response(answer.status === 204 ? null : new Uint8Array(bytes), init);
    } catch (error) {
      this.#isDown = true;
      throw error;
    }
  };
}
