import type { IncomingHttpHeaders } from 'node:http';
import { FetchError } from '../../../lib/http/fetch-error.ts';
import type { HttpResponse } from '../../../lib/http/http-request.ts';
import type { AgentLog } from '../agent-log.ts';
import { isRefusal, Unanswered } from '../http/failures.ts';
import { pauseAfter, persistently, rest } from '../http/retry.ts';
import type { Registration } from '../registration.ts';
import { type RequestToForward, readRequest } from './forward-document.ts';
import { pieces } from './pieces.ts';

/** @limit requests that one agent forwards at the same time, requests -> further ones wait for it or another agent */
const PARALLEL = 8;
/** Size of the parts of a response, bytes. */
const PART = 262_144;
/** @limit time to send a part of a response, ms -> the request is dropped, and the server reports a timeout */
const LONGEST_RETRY = 30_000;
/** Pause before the next attempt while the agent is not registered, or while the server does not wait, ms. */
const PAUSE = 500;
/** Time after which a part of a response is sent although more is to come, so that the server knows that it comes, ms. */
const FLUSH = 10_000;
/** Highest status of HTTP. Servers can send others, which the server does not accept. */
const HIGHEST_STATUS = 599;
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
/** Names of headers that the server accepts. */
const HEADER_NAME = /^[a-z0-9!#$%&*+.^_|~-]{1,100}$/;
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
    const inProgress = new Set<Promise<void>>();
    // One request of the agent waits at the server, however many it forwards.
    for (let failures = 0; !noMore.aborted; ) {
      try {
        const claimed = await this.#claim(noMore);
        failures = 0;
        if (claimed === null) continue;
        const work = this.#forward(claimed.registration, claimed.request, stop)
          .catch((error: Error) => this.#failed(error))
          .finally(() => inProgress.delete(work));
        inProgress.add(work);
        if (inProgress.size >= PARALLEL) await Promise.race(inProgress);
      } catch (error) {
        if (noMore.aborted) break;
        this.#failed(error as Error);
        await rest(pauseAfter(failures++), noMore).catch(() => {});
      }
    }
    await Promise.all(inProgress);
  }

  /** Claims a request. Returns null if there was none. */
  async #claim(noMore: AbortSignal) {
    const registration = this.#options.registration();
    if (registration === null) {
      await rest(PAUSE, noMore);
      return null;
    }
    const from = performance.now();
    const answer = await registration.claimRequest(noMore);
    this.#isFailing = false;
    if (answer !== null) return { registration, request: readRequest(answer) };
    // A server at its limit of waiting requests does not wait.
    if (performance.now() - from < PAUSE) await rest(PAUSE, noMore);
    return null;
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
      const { status } = response;
      if (status > HIGHEST_STATUS) {
        response.discard();
        throw new FetchError('status', `the provider answered with status ${status}`);
      }
      yield { status, headers: flat(response.headers) };
      for await (const piece of pieces(response.body, { size: PART, patience: FLUSH }))
        yield { content: piece.toString('base64') };
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

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const text = [value ?? []].flat().join(', ');
    return DROPPED.has(name) || !HEADER_NAME.test(name) || text === '' || text.length > LONGEST_HEADER
      ? []
      : [[name, text]];
  });
  return Object.fromEntries(entries.slice(0, MOST_HEADERS));
}
