import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { HttpPost, tokenHeaders } from '../../../lib/collector/http-post.ts';
import { type Receiver, Refused } from './batch-sender.ts';
import type { ReceiverSecrets } from './receiver-secrets.ts';

/** What is said of what was sent: it is not as it should be, or too much (RFC 9110 §15.5). */
const OF_LINES: ReadonlySet<number> = new Set([400, 413, 422]);

const compress = promisify(gzip);

export interface HttpReceiverOptions {
  /** `https://logs.example.com/ingest` */
  readonly url: string;
  /** What carries the token: `Authorization`. */
  readonly tokenHeader: string;
  readonly gzip: boolean;
  /** Read at the start, and when files are opened anew. */
  readonly secrets: () => Promise<ReceiverSecrets>;
}

/** A collector that takes JSON lines by POST, and says with 2xx that it has them. */
export class HttpReceiver implements Receiver {
  readonly #options: HttpReceiverOptions;
  #secrets: ReceiverSecrets = {};
  #post: HttpPost | undefined;

  constructor(options: HttpReceiverOptions) {
    this.#options = options;
  }

  async reload(): Promise<void> {
    this.#secrets = await this.#options.secrets();
    this.#post?.close();
    this.#post = new HttpPost(this.#options.url, this.#secrets.tls);
  }

  async deliver(lines: readonly string[], signal: AbortSignal): Promise<void> {
    const { gzip: isCompressed, tokenHeader, url } = this.#options;
    const text = Buffer.from(lines.join(''));
    const body = isCompressed ? await compress(text) : text;
    this.#post ??= new HttpPost(url, this.#secrets.tls);
    const headers = {
      'content-type': 'application/x-ndjson',
      ...(isCompressed && { 'content-encoding': 'gzip' }),
      ...tokenHeaders(tokenHeader, this.#secrets.token),
    };
    const { status, retryAfterMs } = await this.#post.send(body, headers, signal);
    if (status >= 200 && status < 300) return;
    throw new Refused(`answered with ${status}`, { isOfLines: OF_LINES.has(status), retryAfterMs });
  }

  close(): void {
    this.#post?.close();
    this.#post = undefined;
  }
}
