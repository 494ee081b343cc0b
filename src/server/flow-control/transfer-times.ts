import { type AnyIncoming, type AnyResponse, hasBody } from '../../lib/request.ts';
import type { Limits } from '../connection/listener-limits.ts';
import type { ContentTime } from '../request/request-context.ts';

/** Limits of this module, milliseconds. */
export type TransferLimits = Pick<Limits, 'requestMs' | 'transferMs' | 'transferIdleMs'>;

/**
 * Timeouts of request bodies and of large responses. Node.js has only one timeout for all requests of a server, and
 * none for responses.
 */
export class TransferTimes implements ContentTime {
  readonly #request: AnyIncoming;
  readonly #response: AnyResponse;
  readonly #limits: TransferLimits;
  readonly #cut: () => void;
  #end: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #moved = -1;

  /** @param cut ends the request; called at the timeout */
  constructor(request: AnyIncoming, response: AnyResponse, limits: TransferLimits, cut: () => void) {
    this.#request = request;
    this.#response = response;
    this.#limits = limits;
    this.#cut = cut;
    if (!hasBody(request)) return;
    this.#end = this.#cutAfter(limits.requestMs);
    request.once('end', () => this.#clearWhenDone());
  }

  /** Allows large content while it makes progress, up to a maximum. */
  extend(): void {
    if (this.#idle) return;
    clearTimeout(this.#end);
    this.#end = this.#cutAfter(this.#limits.transferMs);
    this.#idle = setInterval(() => this.#look(), this.#limits.transferIdleMs).unref();
    this.#response.once('close', () => this.#clearWhenDone());
  }

  get #isUnderWay(): boolean {
    const { headersSent, writableFinished } = this.#response;
    return !isComplete(this.#request) || (headersSent && !writableFinished);
  }

  #cutAfter(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      if (this.#isUnderWay) this.#cut();
    }, milliseconds).unref();
  }

  /** Progress of other requests on the HTTP/2 connection counts too. The total limit applies to all. */
  #look(): void {
    const { bytesRead, bytesWritten } = this.#request.socket;
    const moved = bytesRead + bytesWritten;
    if (moved === this.#moved && this.#isUnderWay) this.#cut();
    this.#moved = moved;
  }

  #clearWhenDone(): void {
    if (isComplete(this.#request) && (!this.#idle || this.#response.closed)) this.#clear();
  }

  #clear(): void {
    clearTimeout(this.#end);
    clearInterval(this.#idle);
  }
}

/** An unread body may still be arriving. */
function isComplete(request: AnyIncoming): boolean {
  return request.complete || request.socket.destroyed || ('stream' in request && request.stream.destroyed);
}
