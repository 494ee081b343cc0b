import { HttpClient } from '../http/http-client.ts';
import type { HttpResponse } from '../http/http-request.ts';

/** TLS settings of a connection to a collector, PEM. Without `ca` the CAs of the system are used. */
export interface PostTls {
  readonly ca?: string[];
  readonly cert?: string;
  readonly key?: string;
  readonly minVersion: 'TLSv1.2';
}

export interface Posted {
  readonly status: number;
  /** Delay that the collector requests (`Retry-After`), milliseconds; 0 if it sends none. */
  readonly retryAfterMs: number;
}

/** @limit size of a response of a collector, bytes -> the connection is closed */
const MOST_ANSWER = 65_536;
/** @limit time without data from a collector during a request, ms -> the request fails */
const LONGEST_SILENCE = 10_000;
/** @limit request to a collector, the rest of its response included, ms -> the connection is closed */
const LONGEST_EXCHANGE = 60_000;

/**
 * Sends POST requests to one URL of the operator, over one keep-alive connection. Redirects are not followed, because a
 * redirect could send the token to another host.
 */
export class HttpPost {
  readonly #url: URL;
  readonly #client: HttpClient;

  constructor(url: string, tls: PostTls = { minVersion: 'TLSv1.2' }) {
    this.#url = new URL(url);
    this.#client = new HttpClient({ connections: { maxIdle: 1, maxOpen: 1 }, tls });
  }

  /** @throws FetchError with the code of the system; ETIMEDOUT if the collector is silent */
  async send(body: Uint8Array, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Posted> {
    const response = await this.#client.send(this.#url, {
      method: 'POST',
      headers: { ...headers, 'user-agent': 'lockkeeper' },
      limits: { idleMs: LONGEST_SILENCE, timeoutMs: LONGEST_EXCHANGE, maxBytes: MOST_ANSWER },
      ...{ body, signal },
    });
    const { status, headers: answered } = response;
    void discard(response);
    return { status, retryAfterMs: 1_000 * (Number(answered['retry-after']) || 0) };
  }

  close(): void {
    this.#client.close();
  }
}

/** Returns the headers that carry a token. A token without a scheme becomes a bearer token (RFC 6750). */
export function tokenHeaders(name: string, token: string | undefined): Record<string, string> {
  if (token === undefined) return {};
  const isBearer = name.toLowerCase() === 'authorization' && !token.includes(' ');
  return { [name]: isBearer ? `Bearer ${token}` : token };
}

/** Reads the rest, so that the connection can be used again. An error of it changes nothing. */
async function discard(response: HttpResponse): Promise<void> {
  await response.bytes().catch(() => {});
}
