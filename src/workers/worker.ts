import type { Socket } from 'node:net';
import { type Order, type Report, SIGN_OF_LIFE_MS, type Topic, WORKER } from './messages.ts';

/** Status report of a worker. */
export type Tellers = Readonly<Record<Topic, () => unknown>>;

/** Commands that a worker handles. */
export interface Duties {
  reload(): void;
  drain(): void;
  retire(): void;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** This process as one of several workers: its messages from and to the supervisor. */
export class Worker {
  readonly number: number;
  /** Resolves with the configuration at the start command. Rejects if the start is canceled. */
  readonly begun: Promise<unknown>;
  /** Resolves at the stop command, or when the supervisor is gone. */
  readonly stopped: Promise<void>;
  readonly #takers: ((socket: Socket) => void)[] = [];
  readonly #questions = new Map<number, (answers: readonly unknown[]) => void>();
  readonly #begin = Promise.withResolvers<unknown>();
  readonly #stop = Promise.withResolvers<void>();
  #duties: Duties | undefined;
  #tellers: Tellers | undefined;
  #asked = 0;

  /** Worker of this process. Undefined in a process that is not a worker. */
  static ofThisProcess(): Worker | undefined {
    const number = process.env[WORKER];
    delete process.env[WORKER];
    return number !== undefined && process.connected ? new Worker(Number(number)) : undefined;
  }

  private constructor(number: number) {
    this.number = number;
    this.begun = this.#begin.promise;
    this.stopped = this.#stop.promise;
    this.begun.catch(() => {});
    // Signals to the process group are handled by the supervisor.
    for (const signal of SIGNALS) process.on(signal, () => {});
    process.on('message', (order: Order, socket?: Socket) => this.#obey(order, socket));
    process.on('disconnect', () => {
      for (const hear of this.#questions.values()) hear([]);
      this.#end();
    });
  }

  /** Registers the receiver of a listener's connections. */
  incoming(listener: number): (take: (socket: Socket) => void) => void {
    return (take) => {
      this.#takers[listener] = take;
    };
  }

  /** Reports ready and handles commands. */
  ready(duties: Duties, tellers: Tellers): void {
    this.#duties = duties;
    this.#tellers = tellers;
    this.#report({ is: 'ready' });
    const well = () => this.#report({ is: 'well', memory: process.memoryUsage.rss() });
    setInterval(well, SIGN_OF_LIFE_MS).unref();
    well();
  }

  /** Returns status reports of the other workers that respond. */
  request(topic: Topic, own?: unknown): Promise<readonly unknown[]> {
    if (!process.connected) return Promise.resolve([]);
    const question = ++this.#asked;
    const { promise, resolve } = Promise.withResolvers<readonly unknown[]>();
    this.#questions.set(question, resolve);
    this.#report({ is: 'asking', question, topic, own });
    return promise.finally(() => this.#questions.delete(question));
  }

  /** Sends final metrics and history before the exit. */
  async reportFinalMetrics(metrics: unknown, history: unknown): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (process.connected)
      process.send?.({ is: 'leaving', metrics, history } satisfies Report, undefined, {}, () => resolve());
    else resolve();
    await promise;
  }

  /** Releases handles, so that the process can exit. */
  leave(): void {
    if (process.connected) process.disconnect();
  }

  #obey(order: Order, socket: Socket | undefined): void {
    if (order.do === 'take') this.#take(order.listener, socket);
    else if (order.do === 'begin') this.#begin.resolve(order.config);
    else if (order.do === 'stop') this.#end();
    else if (order.do === 'hear') this.#questions.get(order.question)?.(order.answers);
    else if (order.do === 'tell') void this.#tell(order.question, order.topic);
    else this.#duties?.[order.do]();
  }

  #end(): void {
    this.#begin.reject(new Error('no longer needed'));
    this.#stop.resolve();
  }

  #take(listener: number, socket: Socket | undefined): void {
    this.#report({ is: 'took' });
    const take = this.#takers[listener];
    if (take && socket) take(socket);
    else socket?.destroy();
  }

  async #tell(question: number, topic: Topic): Promise<void> {
    this.#report({ is: 'telling', question, answer: await this.#tellers?.[topic]() });
  }

  #report(report: Report): void {
    if (process.connected) process.send?.(report, undefined, {}, () => {});
  }
}
