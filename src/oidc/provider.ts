import * as client from 'openid-client';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { type ClaimPaths, type Person, personOf } from './claims.ts';
import { OidcError } from './oidc-error.ts';

/** Who signs an ID token holds a private key: neither nobody nor whoever knows our secret. */
export const ALGORITHMS: ReadonlySet<string> = new Set(['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']);
const CLOCK_TOLERANCE_SECONDS = 30;
/** Said of a client with the wrong secret, or of none. */
const NOT_THE_CLIENT: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);
/** @limit an answer of an OIDC provider, bytes -> it counts as away */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** @limit all that an OIDC provider answers of one step of a sign-in, ms -> it counts as away */
const TIMEOUT_MS = 10_000;
/** Seconds. Only whoever is given a greatest age has to say how old a proof is (OpenID Connect Core §2, `auth_time`). */
const A_YEAR = '31536000';
/** How long its discovery document is believed; its keys are fetched for each sign-in. */
const DISCOVERY_MS = 10 * 60_000;

/** How a provider is reached, and what is asked of it. */
export interface OidcProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client. */
  readonly clientSecret?: string;
  readonly scopes: readonly string[];
  readonly claims: ClaimPaths;
  /** Whether it is to say when people have proved who they are. */
  readonly asksWhen: boolean;
  /** Steps of sign-ins that wait for it; for more than that it is away. */
  readonly mostAtOnce: number;
  readonly fetch: GuardedFetch;
  /** PEM of authorities that vouch for it, beside those of the system. */
  readonly authorities: readonly string[];
}

/** What has to come back with the person; it is kept by their browser, sealed. */
export interface Flow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** They were to prove who they are once more: since then, milliseconds. */
  readonly since?: number;
}

/** Authorization code flow with proof key (RFC 7636), by a certified client. */
export class OidcProvider {
  readonly #options: OidcProviderOptions;
  #asked = 0;
  #finding: Promise<client.ServerMetadata> | undefined;
  #known: { readonly metadata: client.ServerMetadata; readonly until: number } | undefined;

  constructor(options: OidcProviderOptions) {
    this.#options = options;
  }

  /** Where to send a browser. @param again whether they prove who they are even if the provider knows them. @throws OidcError */
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
        // Either is enough for some provider (OpenID Connect Core §3.1.2.1).
        ...(again ? { max_age: '0', prompt: 'login' } : this.#options.asksWhen && { max_age: A_YEAR }),
      });
      return { address: address.href, flow };
    });
  }

  /** @param callback the address that the browser came back to. @throws OidcError */
  finish(callback: URL, { state, nonce, verifier, since }: Flow): Promise<Person> {
    return this.#asking(async (configuration) => {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const answer = await client.authorizationCodeGrant(configuration, callback, checks);
      const claims = answer.claims();
      if (claims === undefined) throw new OidcError('invalid');
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore ? await client.fetchUserInfo(configuration, answer.access_token, claims.sub) : {};
      const person = personOf(claims.iss, this.#options.claims, [claims, more]);
      // Whoever is asked has to say it: else the provider may have let them through as it knows them.
      const isLate = since !== undefined && !((person.authenticatedAt ?? 0) + CLOCK_TOLERANCE_SECONDS * 1000 >= since);
      if (isLate) throw new OidcError('stale');
      return person;
    });
  }

  /**
   * Whether it takes the id and the secret, tried with a code that it has never given, so that nothing comes of it: whoever knows the
   * client refuses the code, others refuse the client (RFC 6749 §5.2).
   * @returns undefined where its answer is neither
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

  /** Asked for once, however many wait for it. */
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

  /** A new one each time knows no keys, so one that the provider has withdrawn is not believed. */
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

  /** In a header, the default of OpenID Connect, unless it takes it in the body alone. */
  #proof({ token_endpoint_auth_methods_supported: methods }: client.ServerMetadata, secret: string) {
    const isBody = methods !== undefined && !methods.includes('client_secret_basic');
    return isBody ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret);
  }
}

/** To the provider, for one step of a sign-in: within bounds of size and time, and to where it may lead. */
class Line {
  readonly #options: Pick<OidcProviderOptions, 'fetch' | 'authorities'>;
  readonly #until = Date.now() + TIMEOUT_MS;
  #isDown = false;

  constructor(options: Pick<OidcProviderOptions, 'fetch' | 'authorities'>) {
    this.#options = options;
  }

  /** @throws OidcError in place of whatever goes wrong */
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
