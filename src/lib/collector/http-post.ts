import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

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

/**
 * Sends POST requests to one URL of the operator, over one keep-alive connection. Redirects are not followed, because a
 * redirect could send the token to another host.
 */
export class HttpPost {
  readonly #url: string;
  readonly #isHttps: boolean;
  readonly #agent: HttpAgent;

  constructor(url: string, tls?: PostTls) {
    this.#url = url;
    this.#isHttps = url.startsWith('https:');
    const keeping = { keepAlive: true, maxSockets: 1 };
    this.#agent = this.#isHttps ? new HttpsAgent({ ...keeping, ...tls }) : new HttpAgent(keeping);
  }

  /** @throws the error of the system; an error with the code ETIMEDOUT if the collector is silent */
  async send(body: Uint8Array, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Posted> {
    const ask = this.#isHttps ? httpsRequest : httpRequest;
    const all = { ...headers, 'content-length': body.byteLength, 'user-agent': 'lockkeeper' };
    const request = ask(this.#url, { method: 'POST', agent: this.#agent, headers: all, signal });
    request.setTimeout(LONGEST_SILENCE, () => {
      request.destroy(Object.assign(new Error('the collector does not answer'), { code: 'ETIMEDOUT' }));
    });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    // An error while the rest of the response is read changes nothing.
    request.on('error', () => {});
    discard(response.on('error', () => {}));
    const { statusCode = 0, headers: answered } = response;
    return { status: statusCode, retryAfterMs: 1_000 * (Number(answered['retry-after']) || 0) };
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Returns the headers that carry a token. A token without a scheme becomes a bearer token (RFC 6750). */
export function tokenHeaders(name: string, token: string | undefined): Record<string, string> {
  if (token === undefined) return {};
  const isBearer = name.toLowerCase() === 'authorization' && !token.includes(' ');
  return { [name]: isBearer ? `Bearer ${token}` : token };
}

function discard(response: IncomingMessage): void {
  let read = 0;
  response.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read > MOST_ANSWER) response.destroy();
  });
}
