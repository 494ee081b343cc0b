import type { Socket } from 'node:net';
import type { AnyIncoming } from '../../lib/request.ts';
import type { Limits } from '../connection/listener-limits.ts';
import { rawSocket } from '../peer/raw-socket.ts';
import type { RequestContext } from '../request/request-context.ts';

/** What is asked of a listener's limits here. */
export type AnswerLimits = Pick<Limits, 'answerMs' | 'answerIdleMs' | 'unsentBytes'>;

/**
 * Longest time between two looks at the answers that are not taken, milliseconds.
 * @limit the time between two looks at answers that are not taken, ms -> what is late is found then
 */
const LONGEST_LOOK_MS = 1_000;

/**
 * What an answer takes beside its text while it is not taken: request, response and stream. So many small ones count too.
 * @limit what an answer that is not taken counts for beside its text, bytes -> the two bounds on such answers
 */
export const ANSWER_BYTES = 8_192;

/** The handle under everything. Node has no public name for it. */
interface Handle {
  readonly bytesWritten: number;
  /** Bytes that the kernel has not taken. */
  readonly writeQueueSize: number;
}
type Raw = Socket & { readonly _handle?: Handle | null };

interface Answer {
  readonly bytes: number;
  readonly at: number;
}

/** A connection with answers that its client has not taken. */
interface Backlog {
  readonly connection: object;
  readonly raw: Raw;
  readonly limits: AnswerLimits;
  readonly answers: Map<RequestContext, Answer>;
  bytes: number;
  /** Of answers that HTTP/2 has let go of and that the kernel has not taken. */
  passed: number;
  /** How much the kernel has taken, and since when no more. */
  moved: number;
  movedAt: number;
  readonly waiting: (() => void)[];
}

/**
 * Answers that were made and that their clients do not take. A connection on which nothing moves is ended, and so is one whose
 * answers take forever; over HTTP/2 requests wait while too much is unsent on their connection; and when there is too much for
 * all, the connection that has stood still longest is ended. What streams is bounded by itself, and has `TransferTimes`.
 */
export class UnsentAnswers {
  readonly #most: number;
  readonly #now: () => number;
  /** By session of HTTP/2, or socket of HTTP/1.1. */
  readonly #backlogs = new Map<object, Backlog>();
  readonly #ofContext = new WeakMap<RequestContext, Backlog>();
  /** Of HTTP/1.1, made since the last look: nearly all of them are gone before the next one. */
  readonly #fresh = new Map<RequestContext, { readonly bytes: number; readonly limits: AnswerLimits }>();
  #timer: NodeJS.Timeout | undefined;
  #bytes = 0;

  /** @param most bytes on all connections */
  constructor(most: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#now = now;
  }

  /** All that waits, bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * An answer is about to be sent. To be told once of each.
   * @param length of it, bytes; 0 when it streams
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

  /** It is over, however. */
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
    // What HTTP/2 calls sent may stand before a socket that takes nothing.
    if (answer.bytes > 0 && !backlog.raw.destroyed && unsentBelow(backlog.raw) > 0) backlog.passed += answer.bytes;
    else this.#count(backlog, -answer.bytes);
    this.#settle(backlog);
  }

  /** Runs a request once its HTTP/2 connection has room for another answer. */
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

  /** Puts an answer, which is counted already, to its connection. */
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

  /** Lets requests go on that there is room for, and forgets a connection that owes nothing. */
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

  /** What has stood still longest, and of those the one that holds most. */
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
    // A session waits for its socket to send what it has.
    raw.destroy();
  }
}

/** Nothing has moved for too long, or an answer that does not stream was made too long ago. */
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

/** One session of HTTP/2, one socket of HTTP/1.1. */
function connectionOf(request: AnyIncoming): object | undefined {
  return 'stream' in request ? request.stream.session : request.socket;
}

function rawSocketOf(request: AnyIncoming): Raw {
  // The socket of an HTTP/2 session is a stand-in that passes properties through.
  return rawSocket(('stream' in request ? request.stream.session?.socket : request.socket) as Socket);
}

function unsentBelow({ _handle }: Raw): number {
  return _handle?.writeQueueSize ?? 0;
}

function taken({ _handle }: Raw): number {
  return _handle ? _handle.bytesWritten - _handle.writeQueueSize : 0;
}
