import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** How a collector is believed, and what it is shown; PEM. Undefined authorities: those of the system. */
export interface PostTls {
  readonly ca?: string[];
  readonly cert?: string;
  readonly key?: string;
  readonly minVersion: 'TLSv1.2';
}

export interface Posted {
  readonly status: number;
  /** What it asks to wait, milliseconds; 0 where it does not say. */
  readonly retryAfterMs: number;
}

/** @limit what is read of the answer of a collector, bytes -> the connection is closed */
const MOST_ANSWER = 65_536;
/** @limit a collector that says nothing while it is asked, ms -> the request has failed */
const LONGEST_SILENCE = 10_000;

/** Posts to one address that the operator has named, over one connection that is kept. No redirect is followed: it could lead a token away. */
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

  /** @throws what the system says; an error with the code ETIMEDOUT for silence */
  async send(body: Uint8Array, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Posted> {
    const ask = this.#isHttps ? httpsRequest : httpRequest;
    const all = { ...headers, 'content-length': body.byteLength, 'user-agent': 'lockkeeper' };
    const request = ask(this.#url, { method: 'POST', agent: this.#agent, headers: all, signal });
    request.setTimeout(LONGEST_SILENCE, () => {
      request.destroy(Object.assign(new Error('it does not answer'), { code: 'ETIMEDOUT' }));
    });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    // What goes wrong with the rest of the answer changes nothing.
    request.on('error', () => {});
    discard(response.on('error', () => {}));
    const { statusCode = 0, headers: answered } = response;
    return { status: statusCode, retryAfterMs: 1_000 * (Number(answered['retry-after']) || 0) };
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The headers that carry a token. One that names no scheme is one of a bearer (RFC 6750). */
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
