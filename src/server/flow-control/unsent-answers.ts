import type { Socket } from 'node:net';
import type { AnyIncoming } from '../../lib/request.ts';
import type { Limits } from '../connection/listener-limits.ts';
import { rawSocket } from '../peer/raw-socket.ts';
import type { RequestContext } from '../request/request-context.ts';

/** Limits of this module. */
export type AnswerLimits = Pick<Limits, 'answerMs' | 'answerIdleMs' | 'unsentBytes'>;

/**
 * Maximum interval of checks for unread responses, milliseconds.
 * @limit interval between checks for connections with unread responses, ms -> blocked connections are found at the next
 * check
 */
const LONGEST_LOOK_MS = 1_000;

/**
 * Overhead of an unread response: request, response and stream objects. Makes many small responses count too.
 * @limit memory counted for each unread response in addition to its bytes, bytes -> counts towards the two limits of
 * unread responses
 */
export const ANSWER_BYTES = 8_192;

/** Native handle, for which Node.js has no public API. */
interface Handle {
  readonly bytesWritten: number;
  /** Bytes that the kernel has not accepted. */
  readonly writeQueueSize: number;
}
type Raw = Socket & { readonly _handle?: Handle | null };

interface Answer {
  readonly bytes: number;
  readonly at: number;
}

/** A connection with unread responses. */
interface Backlog {
  readonly connection: object;
  readonly raw: Raw;
  readonly limits: AnswerLimits;
  readonly answers: Map<RequestContext, Answer>;
  bytes: number;
  /** Size of responses that HTTP/2 has released and the kernel has not accepted. */
  passed: number;
  /** Bytes that the kernel has accepted, and the time of the last progress. */
  moved: number;
  movedAt: number;
  readonly waiting: (() => void)[];
}

/**
 * Back-pressure for unread responses. Ends connections without progress and connections whose responses take too long.
 * HTTP/2 requests wait while too much is unsent on their connection. If the total is too large, the connection that is
 * blocked longest is ended. Streams are limited by `TransferTimes`.
 */
export class UnsentAnswers {
  readonly #most: number;
  readonly #now: () => number;
  /** Connections by HTTP/2 session or HTTP/1.1 socket. */
  readonly #backlogs = new Map<object, Backlog>();
  readonly #ofContext = new WeakMap<RequestContext, Backlog>();
  /** HTTP/1.1 responses since the last check. Nearly all are sent before the next one. */
  readonly #fresh = new Map<RequestContext, { readonly bytes: number; readonly limits: AnswerLimits }>();
  #timer: NodeJS.Timeout | undefined;
  #bytes = 0;

  /** @param most maximum bytes on all connections */
  constructor(most: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#now = now;
  }

  /** Total of unread responses, bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Registers a response that is about to be sent. Call it once for each.
   * @param length of the response, bytes; 0 for streams
   */
  add(context: RequestContext, length: number, limits: AnswerLimits): void {
    if (this.#fresh.has(context) || this.#ofContext.has(context)) return;
    const bytes = length > 0 ? length + ANSWER_BYTES : 0;
    this.#bytes += bytes;
    if ('stream' in context.request) this.#file(context, bytes, limits);
    else this.#fresh.set(context, { bytes, limits });
    this.#timer ??= this.#lookSoon(limits);
    if (this.#bytes <= this.#most) return;
    this.#fileFresh();
    while (this.#bytes > this.#most) this.#end(this.#slowest());
  }

  /** Removes a finished response. */
  remove(context: RequestContext): void {
    const fresh = this.#fresh.get(context);
    if (fresh) {
      this.#fresh.delete(context);
      this.#bytes -= fresh.bytes;
      return;
    }
    const backlog = this.#ofContext.get(context);
    const answer = backlog?.answers.get(context);
    if (!backlog || !answer) return;
    backlog.answers.delete(context);
    if (this.#backlogs.get(backlog.connection) !== backlog) return;
    // Data that HTTP/2 reports as sent may still wait for a blocked socket.
    if (answer.bytes > 0 && !backlog.raw.destroyed && unsentBelow(backlog.raw) > 0) backlog.passed += answer.bytes;
    else this.#count(backlog, -answer.bytes);
    this.#settle(backlog);
  }

  /** Runs a request when its HTTP/2 connection has capacity for another response. */
  whenRoom(request: AnyIncoming, limits: AnswerLimits, run: () => void): void {
    const session = 'stream' in request ? request.stream.session : undefined;
    const backlog = session && this.#backlogs.get(session);
    if (backlog) this.#settlePassed(backlog);
    if (backlog && backlog.bytes > limits.unsentBytes) backlog.waiting.push(run);
    else run();
  }

  #fileFresh(): void {
    for (const [context, { bytes, limits }] of this.#fresh) this.#file(context, bytes, limits);
    this.#fresh.clear();
  }

  /** Assigns a counted response to its connection. */
  #file(context: RequestContext, bytes: number, limits: AnswerLimits): void {
    const backlog = this.#backlogOf(context.request, limits);
    if (!backlog) {
      this.#bytes -= bytes;
      return;
    }
    this.#ofContext.set(context, backlog);
    backlog.answers.set(context, { bytes, at: this.#now() });
    backlog.bytes += bytes;
  }

  #backlogOf(request: AnyIncoming, limits: AnswerLimits): Backlog | undefined {
    const connection = connectionOf(request);
    if (!connection) return undefined;
    const known = this.#backlogs.get(connection);
    if (known) return known;
    const raw = rawSocketOf(request);
    const now = this.#now();
    const fresh: Backlog = {
      connection,
      raw,
      limits,
      answers: new Map(),
      bytes: 0,
      passed: 0,
      moved: taken(raw),
      movedAt: now,
      waiting: [],
    };
    this.#backlogs.set(connection, fresh);
    return fresh;
  }

  #count(backlog: Backlog, bytes: number): void {
    backlog.bytes += bytes;
    this.#bytes += bytes;
  }

  /** Resumes waiting requests up to the limit, and forgets connections without unread responses. */
  #settle(backlog: Backlog): void {
    this.#settlePassed(backlog);
    if (backlog.raw.destroyed) backlog.waiting.length = 0;
    while (backlog.bytes <= backlog.limits.unsentBytes) {
      const run = backlog.waiting.shift();
      if (!run) break;
      run();
    }
    const isDone = backlog.answers.size === 0 && backlog.passed === 0 && backlog.waiting.length === 0;
    if (isDone) this.#backlogs.delete(backlog.connection);
  }

  #settlePassed(backlog: Backlog): void {
    if (backlog.passed === 0 || unsentBelow(backlog.raw) > 0) return;
    this.#count(backlog, -backlog.passed);
    backlog.passed = 0;
  }

  #look(): void {
    this.#timer = undefined;
    this.#fileFresh();
    const now = this.#now();
    for (const backlog of this.#backlogs.values()) {
      if (backlog.raw.destroyed || isLate(backlog, now)) this.#end(backlog);
      else this.#settle(backlog);
    }
    const [first] = this.#backlogs.values();
    if (first) this.#timer = this.#lookSoon(first.limits);
  }

  #lookSoon({ answerIdleMs, answerMs }: AnswerLimits): NodeJS.Timeout {
    return setTimeout(() => this.#look(), Math.min(answerIdleMs / 4, answerMs / 4, LONGEST_LOOK_MS)).unref();
  }

  /** Returns the connection that is blocked longest, and the largest of equals. */
  #slowest(): Backlog | undefined {
    let found: Backlog | undefined;
    for (const one of this.#backlogs.values()) {
      if (one.bytes === 0) continue;
      const isSlower =
        !found || one.movedAt < found.movedAt || (one.movedAt === found.movedAt && one.bytes > found.bytes);
      if (isSlower) found = one;
    }
    return found;
  }

  #end(backlog: Backlog | undefined): void {
    if (!backlog) {
      this.#bytes = 0;
      return;
    }
    this.#backlogs.delete(backlog.connection);
    this.#bytes -= backlog.bytes;
    const { connection, raw } = backlog;
    if ('destroy' in connection && typeof connection.destroy === 'function') connection.destroy();
    // A session waits for its socket to drain.
    raw.destroy();
  }
}

/** Returns whether a connection made no progress for too long, or has a response that is too old. */
function isLate(backlog: Backlog, now: number): boolean {
  const { answers, limits, raw } = backlog;
  const moved = taken(raw);
  if (moved !== backlog.moved) {
    backlog.moved = moved;
    backlog.movedAt = now;
  }
  let since = backlog.movedAt;
  for (const [context, { at }] of answers) {
    if (context.isTransfer) continue;
    if (now - at >= limits.answerMs) return true;
    since = Math.max(since, at);
    return now - since >= limits.answerIdleMs;
  }
  return backlog.passed > 0 && now - since >= limits.answerIdleMs;
}

/** Returns the HTTP/2 session or the HTTP/1.1 socket. */
function connectionOf(request: AnyIncoming): object | undefined {
  return 'stream' in request ? request.stream.session : request.socket;
}

function rawSocketOf(request: AnyIncoming): Raw {
  // The socket of an HTTP/2 session is a proxy object.
  return rawSocket(('stream' in request ? request.stream.session?.socket : request.socket) as Socket);
}

function unsentBelow({ _handle }: Raw): number {
  return _handle?.writeQueueSize ?? 0;
}

function taken({ _handle }: Raw): number {
  return _handle ? _handle.bytesWritten - _handle.writeQueueSize : 0;
}
