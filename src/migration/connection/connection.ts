import { setTimeout as pause } from 'node:timers/promises';
import { type FetchError, reasonOf } from '../../lib/http/fetch-error.ts';
import { HttpClient } from '../../lib/http/http-client.ts';
import type { HttpResponse, Upload } from '../../lib/http/http-request.ts';
import { MigrationError, Refused } from '../model/errors.ts';
import { retryAfter } from './retry-after.ts';

export interface ConnectionSettings {
  /** URL such as `https://app.terraform.io`. */
  readonly address: string;
  readonly token?: string | undefined;
  /** CA certificates (PEM) that verify the server. Default: the CAs that Node.js trusts. */
  readonly ca?: string | undefined;
  /** Headers of each request besides the token, such as the namespace of Vault. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Waits between attempts, milliseconds. Tests replace it. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** @limit time without data from a server during a migration, ms -> the request is repeated */
const IDLE_MS = 60_000;
/** @limit one JSON response during a migration, bytes -> the migration stops */
const MAX_ANSWER = 33_554_432;
/** @limit a state file that a migration copies, bytes -> the report says that it was not taken */
const MAX_STATE = 4_294_967_296;
/** @limit attempts of a request during a migration, attempts -> the migration stops, and may be repeated */
const ATTEMPTS = 8;
/** @limit time that a server may ask a migration to wait, ms -> it waits for this time */
const MAX_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 500;

/** Statuses with which a server says that it has done nothing. */
const UNDONE: ReadonlySet<number> = new Set([429, 503]);
const isTemporary = (status: number): boolean => UNDONE.has(status) || status >= 500;

export interface SendOptions {
  /** Maximum number of attempts. */
  readonly attempts?: number;
}

interface Sent extends SendOptions {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Upload;
  readonly maxBytes: number;
}

/**
 * A server that a migration reads or writes. Repeats requests after a broken connection, 429 and 5xx. A POST is repeated
 * only if the server says that it did nothing: otherwise it may have created something, which the next migration finds.
 */
export class Connection {
  readonly #settings: ConnectionSettings;
  readonly #base: URL;
  readonly #client: HttpClient;

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
    this.#base = baseOf(settings.address);
    const { ca } = settings;
    this.#client = new HttpClient({ connections: 'process', ...(ca !== undefined && { tls: { ca } }) });
  }

  /** Host of the server, for messages. */
  get host(): string {
    return this.#base.host;
  }

  /**
   * Sends a request with the token. Returns the parsed JSON; undefined without a body.
   * @throws Refused for a status of 400 or above, 401 and 403 excepted
   */
  async send(method: string, path: string, body?: unknown, options: SendOptions = {}): Promise<unknown> {
    const { token, headers } = this.#settings;
    const response = await this.#attempt({
      method,
      url: new URL(path, this.#base),
      headers: {
        accept: 'application/vnd.api+json, application/json',
        ...headers,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/vnd.api+json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      maxBytes: MAX_ANSWER,
      ...options,
    });
    const { status, text } = response;
    if (status < 300) return parsed(text, `${this.#base.origin}${path}`);
    throw refusal(status, text, `${method} ${path}`, this.host);
  }

  /** Like `send` with GET, but returns undefined for 404. */
  async find(path: string): Promise<unknown> {
    return this.send('GET', path).catch((error: unknown) => {
      if (error instanceof Refused && error.status === 404) return undefined;
      throw error;
    });
  }

  /**
   * Opens a file. The token is sent only to the server itself: URLs of files at other hosts are signed.
   * @throws Refused for a status of 400 or above
   */
  async download(address: string): Promise<AsyncIterable<Uint8Array>> {
    const url = this.#fileUrl(address);
    const response = await this.#open({ method: 'GET', url, headers: this.#credentials(url), maxBytes: MAX_STATE });
    if (response.status === 200) return response.body;
    response.discard();
    throw new Refused(response.status, `${url.host} answered ${response.status} to the download of a file`);
  }

  /** Uploads a file to a signed URL of this server, without the token. */
  async upload(address: string, body: Upload): Promise<void> {
    const headers = { 'content-type': 'application/octet-stream' };
    const url = this.#fileUrl(address);
    const { status, text } = await this.#attempt({ method: 'PUT', url, headers, body, maxBytes: MAX_ANSWER });
    if (status >= 300) throw refusal(status, text, 'the upload of a file', url.host);
  }

  #credentials(url: URL): Record<string, string> {
    const { token, headers } = this.#settings;
    if (url.origin !== this.#base.origin) return {};
    return { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  }

  #fileUrl(address: string): URL {
    const url = URL.parse(address, this.#base.href);
    if (url === null || (url.protocol !== 'https:' && url.origin !== this.#base.origin)) {
      throw new MigrationError('failed', `${this.host} names a file at an address that is neither HTTPS nor its own`);
    }
    return url;
  }

  async #attempt(sent: Sent): Promise<{ readonly status: number; readonly text: string }> {
    const read = async () => {
      const response = await this.#once(sent);
      return { ...response, text: (await response.bytes()).toString() };
    };
    return this.#repeat(sent, read);
  }

  #open(sent: Sent): Promise<HttpResponse> {
    return this.#repeat(sent, () => this.#once(sent));
  }

  async #repeat<T extends { readonly status: number; readonly headers: HttpResponse['headers'] }>(
    { url, method, attempts = ATTEMPTS }: Sent,
    attempt: () => Promise<T>,
  ): Promise<T> {
    const wait = this.#settings.wait ?? pause;
    for (let count = 1; ; count++) {
      const result = await attempt().catch((error: FetchError) => error);
      if (!(result instanceof Error) && !isTemporary(result.status)) return result;
      const isUndone = !(result instanceof Error) && UNDONE.has(result.status);
      if (count === attempts || (method === 'POST' && !isUndone)) throw unavailable(url.host, result);
      if (result instanceof Error && !['network', 'timeout'].includes((result as FetchError).kind))
        throw unavailable(url.host, result);
      const asked = result instanceof Error ? undefined : retryAfter(result.headers);
      await wait(Math.min(asked ?? FIRST_WAIT_MS * 2 ** (count - 1), MAX_WAIT_MS));
    }
  }

  #once({ url, maxBytes, attempts: _, ...request }: Sent): Promise<HttpResponse> {
    return this.#client.send(url, { ...request, limits: { idleMs: IDLE_MS, maxBytes } });
  }
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

function baseOf(address: string): URL {
  const url = URL.parse(address);
  if (url === null || !['https:', 'http:'].includes(url.protocol) || url.username !== '') {
    throw new MigrationError('invalid', `${JSON.stringify(address)} is not a URL; expected https://HOST`);
  }
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) {
    throw new MigrationError('invalid', `${address} has no TLS, and secrets would cross the network unencrypted`);
  }
  return url;
}

function parsed(text: string, where: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new MigrationError('failed', `${where} answered with something other than JSON. Check the address`);
  }
}

function refusal(status: number, text: string, request: string, host: string): Error {
  const reason = `${textsOf(text)} (${status})`;
  if (status === 401) {
    return new MigrationError('refused', `${host} does not accept the token: ${reason}. Create a new token`);
  }
  return new Refused(status, `${host} refused ${request}: ${reason}`);
}

function unavailable(host: string, result: Error | { readonly status: number }): MigrationError {
  const reason = result instanceof Error ? reasonOf(result) : `it answered ${result.status}`;
  return new MigrationError(
    'unavailable',
    `${host} is not available: ${reason}. Run the same command again; it continues where it stopped`,
  );
}

const SHOWN_LENGTH = 500;

/** Returns the error texts of a response of either API, shortened. */
function textsOf(text: string): string {
  const { errors } = jsonOf(text);
  const texts = Array.isArray(errors) ? errors.map(textOf).filter((one) => one !== '') : [];
  return (texts.join('; ') || 'the server gave no reason').slice(0, SHOWN_LENGTH);
}

function jsonOf(text: string): { readonly errors?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as { errors?: unknown };
  } catch {
    return {};
  }
}

/** Error as text (access API) or as a JSON:API error object. */
function textOf(error: unknown): string {
  if (typeof error === 'string') return error.trim();
  const { title, detail } = (error ?? {}) as { title?: unknown; detail?: unknown };
  return String(detail ?? title ?? '');
}
