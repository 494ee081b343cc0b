import type { Clock } from '../../../../lib/clock.ts';
import { FetchError } from '../../../../lib/http/fetch-error.ts';
import type { HttpResponse } from '../../../../lib/http/http-request.ts';
import type { GuardedFetch } from '../../../../outbound/guarded-fetch.ts';
import type { ProviderHttp, ProviderRequest, ProviderResponse } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { connectionError, MAX_BYTES, statusError, TIMEOUT_MS, unreadable } from './failures.ts';
import { limitOfRefusal, limitOfSuccess } from './rate-limit.ts';
import type { RequestBudget } from './request-budget.ts';
import { parseResponse } from './untrusted.ts';

/** @limit redirects of one request to a provider, redirects -> the request fails */
const MAX_REDIRECTS = 3;
/** Redirects of a write that is sent again as it is: old names of repositories, 307 of GitHub and 301 of Gitea. */
const SAME_METHOD: ReadonlySet<number> = new Set([301, 307, 308]);
const GET_REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const NOT_MODIFIED = 304;
const NOT_FOUND = 404;

export interface ConnectionHttpOptions {
  readonly fetch: GuardedFetch;
  /** Origins to which requests may go, such as `https://api.github.com`. */
  readonly origins: ReadonlySet<string>;
  readonly budget: RequestBudget;
  readonly clock: Clock;
  /** PEM of CAs that are trusted besides those of the system. */
  readonly authorities: readonly string[];
}

interface Received {
  readonly response: HttpResponse;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** HTTP client of one connection. A message to its owner has the host of a URL, but neither its path nor a header. */
export class ConnectionHttp implements ProviderHttp {
  readonly #options: ConnectionHttpOptions;

  constructor(options: ConnectionHttpOptions) {
    this.#options = options;
  }

  async send(request: ProviderRequest): Promise<ProviderResponse> {
    return await this.#options.budget.run(request.method !== 'GET', () => this.#follow(request));
  }

  async #follow(request: ProviderRequest): Promise<ProviderResponse> {
    let url = this.#checked(request.url, undefined);
    for (let redirects = 0; ; redirects++) {
      const received = await this.#exchange(url, request);
      const target = redirectOf(request, received);
      if (target === undefined) return this.#read(url, request, received);
      if (redirects === MAX_REDIRECTS)
        throw new ProviderError('invalid', `${url.host} redirects the request more than ${MAX_REDIRECTS} times`);
      url = this.#checked(target, url);
    }
  }

  /** Another origin would get the credential, so it is refused. */
  #checked(text: string, from: URL | undefined): URL {
    const url = URL.parse(text, from?.href);
    const isKnown =
      url !== null && (from === undefined ? this.#options.origins.has(url.origin) : url.origin === from.origin);
    if (isKnown && url.username === '' && url.password === '') return url;
    if (from === undefined) throw new ProviderError('invalid', "A URL is not on the server of the connection's API");
    throw new ProviderError('invalid', `${from.host} redirects to another server. Check the API URL of the connection`);
  }

  async #exchange(url: URL, request: ProviderRequest): Promise<Received> {
    const { fetch, authorities } = this.#options;
    const { headers, body } = encoded(request);
    try {
      const response = await fetch(url.href, {
        ...{ method: request.method, headers, authorities, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES },
        maxRedirects: 'manual',
        ...(body && { body }),
      });
      return { response, headers: flat(response), bytes: await response.bytes() };
    } catch (error) {
      if (error instanceof FetchError) throw connectionError(url.host, error);
      throw error;
    }
  }

  #read(url: URL, request: ProviderRequest, { response: { status }, headers, bytes }: Received): ProviderResponse {
    const now = this.#options.clock();
    if (status === NOT_MODIFIED && request.etag !== undefined) return this.#noted({ status, headers, json: undefined });
    const json = parseResponse(bytes);
    if (status === NOT_FOUND) return this.#noted({ status, headers, json });
    if (status >= 200 && status < 300) {
      if (json === undefined && bytes.length > 0) throw unreadable(url.host, headers);
      return this.#noted({ status, headers, json });
    }
    const error = statusError({ host: url.host, status, headers, json, secrets: secretsOf(request) }, now);
    const limit = limitOfRefusal({ status, headers, message: error.message }, now);
    if (limit === undefined) throw error;
    throw new ProviderError('limited', error.message, { retryAfterMs: this.#options.budget.limit(limit.until) });
  }

  #noted(response: ProviderResponse): ProviderResponse {
    const { budget, clock } = this.#options;
    budget.succeeded();
    const limit = limitOfSuccess(response.headers, clock());
    if (limit !== undefined) budget.limit(limit.until);
    return response;
  }
}

function redirectOf({ method }: ProviderRequest, { response: { status }, headers }: Received): string | undefined {
  return (method === 'GET' ? GET_REDIRECTS : SAME_METHOD).has(status) ? headers.location : undefined;
}

function encoded({ headers, etag, body, form }: ProviderRequest): {
  readonly headers: Record<string, string>;
  readonly body: Buffer | undefined;
} {
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const text = form ? new URLSearchParams(form).toString() : body !== undefined && JSON.stringify(body);
  const bytes = typeof text === 'string' ? Buffer.from(text) : undefined;
  return {
    headers: {
      accept: 'application/json',
      ...headers,
      ...(etag !== undefined && { 'if-none-match': etag }),
      ...(bytes && { 'content-type': type, 'content-length': String(bytes.length) }),
    },
    body: bytes,
  };
}

/** Returns texts of a request that its error must not repeat. */
function secretsOf({ headers, form, body }: ProviderRequest): string[] {
  return [...credentialsOf(headers.authorization ?? ''), ...Object.values(form ?? {}), ...secretMembers(body)];
}

function credentialsOf(authorization: string): string[] {
  const text = authorization.replace(/^\S+ /, '');
  return /^basic /i.test(authorization) ? [text, ...Buffer.from(text, 'base64').toString().split(':')] : [text];
}

/** Returns the secrets in a body, such as that of a new hook. */
function secretMembers(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'string' && /secret|token|password/i.test(name) ? [value] : secretMembers(value),
  );
}

function flat({ headers }: HttpResponse): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
}
