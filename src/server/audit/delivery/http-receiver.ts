import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Receiver, Refused } from './courier.ts';
import type { ReceiverSecrets } from './receiver-secrets.ts';

const compress = promisify(gzip);
/** @limit what is read of the answer of a collector, bytes -> the connection is closed */
const MOST_ANSWER = 65_536;
const CONNECT_MS = 10_000;

export interface HttpReceiverOptions {
  /** `https://logs.example.com/ingest` */
  readonly url: string;
  /** What carries the token: `authorization`. */
  readonly tokenHeader: string;
  readonly gzip: boolean;
  /** Read at the start, and when files are opened anew. */
  readonly secrets: () => Promise<ReceiverSecrets>;
}

/** A collector that takes JSON lines by POST, and says with 2xx that it has them. */
export class HttpReceiver implements Receiver {
  readonly #options: HttpReceiverOptions;
  readonly #isHttps: boolean;
  #secrets: ReceiverSecrets = {};
  #agent: HttpAgent | undefined;

  constructor(options: HttpReceiverOptions) {
    this.#options = options;
    this.#isHttps = options.url.startsWith('https:');
  }

  async reload(): Promise<void> {
    this.#secrets = await this.#options.secrets();
    this.close();
    const keeping = { keepAlive: true, maxSockets: 1 };
    this.#agent = this.#isHttps ? new HttpsAgent({ ...keeping, ...this.#secrets.tls }) : new HttpAgent(keeping);
  }

  async deliver(lines: readonly string[], signal: AbortSignal): Promise<void> {
    const text = Buffer.from(lines.join(''));
    const body = this.#options.gzip ? await compress(text) : text;
    const ask = this.#isHttps ? httpsRequest : httpRequest;
    const request = ask(this.#options.url, { ...this.#asked(body.length), signal });
    request.setTimeout(CONNECT_MS, () => request.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })));
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const { statusCode = 0, headers } = response;
    // What goes wrong with the rest of the answer changes nothing.
    request.on('error', () => {});
    discard(response.on('error', () => {}));
    if (statusCode >= 200 && statusCode < 300) return;
    throw new Refused(`answered with ${statusCode}`, {
      isTooMuch: statusCode === 413,
      retryAfterMs: 1_000 * (Number(headers['retry-after']) || 0),
    });
  }

  close(): void {
    this.#agent?.destroy();
    this.#agent = undefined;
  }

  #asked(length: number): RequestOptions {
    const { tokenHeader, gzip: isCompressed } = this.#options;
    const { token } = this.#secrets;
    return {
      method: 'POST',
      ...(this.#agent && { agent: this.#agent }),
      headers: {
        'content-type': 'application/x-ndjson',
        'content-length': length,
        'user-agent': 'lockkeeper',
        ...(isCompressed && { 'content-encoding': 'gzip' }),
        ...(token !== undefined && { [tokenHeader]: headerOf(tokenHeader, token) }),
      },
    };
  }
}

/** A token that names no scheme is one of a bearer (RFC 6750). */
function headerOf(header: string, token: string): string {
  return header.toLowerCase() === 'authorization' && !token.includes(' ') ? `Bearer ${token}` : token;
}

function discard(response: IncomingMessage): void {
  let read = 0;
  response.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read > MOST_ANSWER) response.destroy();
  });
}
