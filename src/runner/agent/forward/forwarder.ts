import type { IncomingHttpHeaders } from 'node:http';
import { FetchError } from '../../../lib/http/fetch-error.ts';
import type { HttpResponse } from '../../../lib/http/http-request.ts';
import type { AgentLog } from '../agent-log.ts';
import { isRefusal, Unanswered } from '../http/failures.ts';
import { pauseAfter, persistently, rest } from '../http/retry.ts';
import type { Registration } from '../registration.ts';
import { type RequestToForward, readRequest } from './forward-document.ts';

/** @limit requests that one agent forwards at the same time, requests -> further ones wait for it or another agent */
const PARALLEL = 8;
/** Size of the parts of a response, bytes. */
const PART = 262_144;
/** @limit time to send a part of a response, ms -> the request is dropped, and the server reports a timeout */
const LONGEST_RETRY = 30_000;
/** Pause while the agent is not registered, ms. */
const UNREGISTERED_PAUSE = 500;
/** Headers that describe the connection, or an encoding that is already removed. */
const DROPPED = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'set-cookie',
]);
/** @limit headers of a response that an agent forwards, headers -> further ones are dropped */
const MOST_HEADERS = 100;
/** @limit length of a header that an agent forwards, characters -> the header is dropped */
const LONGEST_HEADER = 8_192;

/** Client that reaches only the hosts that the operator of the agent allows. Rejects only with `FetchError`. */
export type ForwardingFetch = (
  url: string,
  options: {
    readonly method: RequestToForward['method'];
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: Uint8Array;
    readonly authorities: readonly string[];
    readonly timeoutMs: number;
    readonly maxBytes: number;
    readonly maxRedirects: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<HttpResponse>;

export interface ForwarderOptions {
  readonly fetch: ForwardingFetch;
  /** Returns the registration of the agent; null while it has none. */
  readonly registration: () => Registration | null;
  readonly log: AgentLog;
}

/**
 * Forwards requests of the server to VCS providers in the network of this agent. Redirects are returned, not followed.
 * Neither URLs nor headers are logged, because they may have credentials.
 */
export class Forwarder {
  readonly #options: ForwarderOptions;
  #isFailing = false;

  constructor(options: ForwarderOptions) {
    this.#options = options;
  }

  /**
   * Forwards requests until `noMore` aborts and those in progress have ended.
   * @param stop aborts requests in progress
   */
  async run(noMore: AbortSignal, stop: AbortSignal): Promise<void> {
    this.#options.log.info('forwarding requests to VCS providers');
    await Promise.all(Array.from({ length: PARALLEL }, () => this.#loop(noMore, stop)));
  }

  async #loop(noMore: AbortSignal, stop: AbortSignal): Promise<void> {
    for (let failures = 0; !noMore.aborted; ) {
      const registration = this.#options.registration();
      if (registration === null) {
        await rest(UNREGISTERED_PAUSE, noMore).catch(() => {});
        continue;
      }
      try {
        const answer = await registration.claimRequest(noMore);
        this.#isFailing = false;
        failures = 0;
        if (answer !== null) await this.#forward(registration, readRequest(answer), stop);
      } catch (error) {
        if (noMore.aborted) break;
        this.#failed(error as Error);
        await rest(pauseAfter(failures++), noMore).catch(() => {});
      }
    }
  }

  async #forward(registration: Registration, request: RequestToForward, stop: AbortSignal): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([stop, over.signal, AbortSignal.timeout(request.timeoutMs)]);
    let number = 0;
    const send = (part: object) =>
      persistently(() => registration.respond(request.id, { part: number, ...part }, signal), {
        ...{ signal, timeout: LONGEST_RETRY },
      }).then(() => void number++);
    try {
      for await (const part of this.#parts(request, signal)) await send(part);
    } catch (error) {
      // The server no longer waits for the response.
      if (!signal.aborted && !isRefusal(error, 404)) throw error;
    } finally {
      over.abort();
    }
  }

  /** Sends the request, and yields the response in parts; as its last part a failure, if there was one. */
  async *#parts(request: RequestToForward, signal: AbortSignal): AsyncGenerator<object> {
    const { url, method, headers, body, authorities, maxBytes, timeoutMs } = request;
    const options = { method, headers, authorities, maxBytes, timeoutMs, signal, maxRedirects: 'manual' } as const;
    try {
      const response = await this.#options.fetch(url, body === null ? options : { ...options, body });
      yield { status: response.status, headers: flat(response.headers) };
      for await (const piece of pieces(response.body)) yield { content: piece.toString('base64') };
      yield { last: true };
    } catch (error) {
      if (!(error instanceof FetchError) || error.kind === 'aborted') throw error;
      yield { failure: error.kind, last: true };
    }
  }

  #failed(error: Error): void {
    // The session logs failed logins, and the slot that the server is away.
    if (isRefusal(error, 401) || error instanceof Unanswered) return;
    if (!this.#isFailing) {
      this.#options.log.warn(`cannot forward requests: ${error.message}. Does the server support it?`);
    }
    this.#isFailing = true;
  }
}

/** Cuts a body into parts of one size. */
async function* pieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; ) {
      const piece = Buffer.from(chunk.subarray(at, at + PART - size));
      held.push(piece);
      size += piece.length;
      at += piece.length;
      if (size < PART) continue;
      yield Buffer.concat(held);
      [held, size] = [[], 0];
    }
  }
  if (size > 0) yield Buffer.concat(held);
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const text = [value ?? []].flat().join(', ');
    return DROPPED.has(name) || text === '' || text.length > LONGEST_HEADER ? [] : [[name, text]];
  });
  return Object.fromEntries(entries.slice(0, MOST_HEADERS));
}
