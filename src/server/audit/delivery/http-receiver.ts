import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { HttpPost, tokenHeaders } from '../../../lib/collector/http-post.ts';
import { type Receiver, Refused } from './batch-sender.ts';
import type { ReceiverSecrets } from './receiver-secrets.ts';

/** Status codes that concern the content or its size (RFC 9110 §15.5). */
const OF_LINES: ReadonlySet<number> = new Set([400, 413, 422]);

const compress = promisify(gzip);

export interface HttpReceiverOptions {
  /** URL such as `https://logs.example.com/ingest`. */
  readonly url: string;
  /** Header of the token, such as `Authorization`. */
  readonly tokenHeader: string;
  readonly gzip: boolean;
  /** Reads the credentials, at start and on reopen. */
  readonly secrets: () => Promise<ReceiverSecrets>;
}

/** HTTP collector: takes JSON lines by POST and acknowledges them with 2xx. */
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
