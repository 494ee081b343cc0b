import type { Socket } from 'node:net';
import { type Order, type Report, SIGN_OF_LIFE_MS, type Topic, WORKER } from './messages.ts';

/** What a worker knows of itself when it is asked. */
export type Tellers = Readonly<Record<Topic, () => unknown>>;

/** What it does when it is told to. */
export interface Duties {
  reload(): void;
  drain(): void;
  retire(): void;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** This process as one of several workers: what it is told, and whom it tells. */
export class Worker {
  readonly number: number;
  /** Resolves with the configuration when it is to start; rejects when it is not to any more. */
  readonly begun: Promise<unknown>;
  /** Resolves when it is to end, also when nobody is there any more who could tell it. */
  readonly stopped: Promise<void>;
  readonly #takers: ((socket: Socket) => void)[] = [];
  readonly #questions = new Map<number, (answers: readonly unknown[]) => void>();
  readonly #begin = Promise.withResolvers<unknown>();
  readonly #stop = Promise.withResolvers<void>();
  #duties: Duties | undefined;
  #tellers: Tellers | undefined;
  #asked = 0;

  /** Undefined in a process that is none. */
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
    // Those that go to all processes of a group are for the one that has started this one.
    for (const signal of SIGNALS) process.on(signal, () => {});
    process.on('message', (order: Order, socket?: Socket) => this.#obey(order, socket));
    process.on('disconnect', () => {
      for (const hear of this.#questions.values()) hear([]);
      this.#end();
    });
  }

  /** The connections of a listener go to whom this is told. */
  incoming(listener: number): (take: (socket: Socket) => void) => void {
    return (take) => {
      this.#takers[listener] = take;
    };
  }

  /** It can serve from now on, and does what it is told. */
  ready(duties: Duties, tellers: Tellers): void {
    this.#duties = duties;
    this.#tellers = tellers;
    this.#report({ is: 'ready' });
    const well = () => this.#report({ is: 'well', memory: process.memoryUsage.rss() });
    setInterval(well, SIGN_OF_LIFE_MS).unref();
    well();
  }

  /** What each of the others knows; without those that do not answer. */
  request(topic: Topic, own?: unknown): Promise<readonly unknown[]> {
    if (!process.connected) return Promise.resolve([]);
    const question = ++this.#asked;
    const { promise, resolve } = Promise.withResolvers<readonly unknown[]>();
    this.#questions.set(question, resolve);
    this.#report({ is: 'asking', question, topic, own });
    return promise.finally(() => this.#questions.delete(question));
  }

  /** Its metrics, which are counted on, and its history. */
  async reportFinalMetrics(metrics: unknown, history: unknown): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (process.connected)
      process.send?.({ is: 'leaving', metrics, history } satisfies Report, undefined, {}, () => resolve());
    else resolve();
    await promise;
  }

  /** Nothing keeps this process any more. */
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
    this.#begin.reject(new Error('not needed any more'));
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
