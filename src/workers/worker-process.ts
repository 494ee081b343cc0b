import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { type Order, type Report, SIGN_OF_LIFE_MS, type Topic, WORKER } from './messages.ts';
import type { Output } from './output.ts';

/** @limit the answer of a worker to what another asks, ms -> it counts as not answered */
const ANSWER_MS = 1_000;
/** @limit the time without a sign of life of a worker, ms -> it is killed and another takes its place */
const MOST_SILENCE_MS = 60_000;

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A connection on its way to a worker. */
interface Handing {
  readonly giveBack: (connection: Socket) => void;
  isUnderWay: boolean;
}

export interface WorkerEvents {
  /** It asks what the others know. */
  asking(worker: WorkerProcess, topic: Topic, own: unknown): Promise<readonly unknown[]>;
  well(worker: WorkerProcess, memory: number): void;
}

/** A worker, as the one who has started it knows it. */
export class WorkerProcess {
  readonly number: number;
  /** Resolves when it can serve; never when it ends before. */
  readonly ready: Promise<void>;
  readonly ended: Promise<Ending>;
  readonly startedAt = performance.now();
  /** What it has told last of itself. */
  readonly lastReport: { metrics?: unknown; history?: unknown } = {};
  readonly #process: ChildProcess;
  readonly #events: WorkerEvents;
  readonly #questions = new Map<number, (answer: unknown) => void>();
  /** Connections that it has not taken yet, in the order in which it will: it takes one at a time. */
  readonly #pendingConnections = new Map<Socket, Handing>();
  readonly #signs: NodeJS.Timeout;
  #hasBegun = false;
  #asked = 0;
  #silence = 0;

  /** The same program with the same arguments, which finds out from its environment that it is a worker. */
  constructor(number: number, output: Output, events: WorkerEvents) {
    this.number = number;
    this.#events = events;
    const [, main = '', ...args] = process.argv;
    this.#process = fork(main, args, {
      env: { ...process.env, [WORKER]: String(number) },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    if (this.#process.stdout) output.follow(this.#process.stdout);
    const ready = Promise.withResolvers<void>();
    this.ready = ready.promise;
    this.#process.on('message', (report: Report) => {
      if (report.is === 'ready') this.#hasBegun = true;
      if (report.is === 'ready') ready.resolve();
      else this.#hear(report);
    });
    // A process that cannot be started, or told anything, ends.
    this.#process.on('error', () => {});
    const ended = Promise.withResolvers<Ending>();
    this.ended = ended.promise;
    // Its last lines come before.
    this.#process.once('close', (code, signal) => ended.resolve({ code, signal }));
    this.#signs = setInterval(() => this.#missSign(), SIGN_OF_LIFE_MS).unref();
    this.#process.once('exit', () => this.#forget());
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Whether there is anything to be known of it. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Whether it can be told anything. */
  get isReady(): boolean {
    const { connected, exitCode, signalCode } = this.#process;
    return connected && exitCode === null && signalCode === null;
  }

  /** How many connections it has been given that it has not taken. */
  get pendingConnections(): number {
    return this.#pendingConnections.size;
  }

  send(order: Order): void {
    if (this.isReady) this.#process.send(order, () => {});
  }

  /**
   * Hands a connection over. It stays open here until the worker says that it has it: Node forgets what is under way to a process that
   * dies, and waits for ever with what is to follow.
   * @param listener the place in the list of listeners of the one that accepted it
   * @param giveBack called with the connection when the worker ends before it was sent: nobody has read of it, and another one may.
   * One that is under way then is closed.
   */
  sendConnection(listener: number, connection: Socket, giveBack: (connection: Socket) => void): void {
    const handing = { giveBack, isUnderWay: false };
    this.#pendingConnections.set(connection, handing);
    this.#process.send({ do: 'take', listener } satisfies Order, connection, { keepOpen: true }, (error) => {
      handing.isUnderWay = !error;
    });
  }

  /** Undefined when it does not answer in time. */
  request(topic: Topic): Promise<unknown> {
    const question = ++this.#asked;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#questions.set(question, resolve);
    this.send({ do: 'tell', question, topic });
    const late = setTimeout(resolve, ANSWER_MS);
    return promise.finally(() => {
      clearTimeout(late);
      this.#questions.delete(question);
    });
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  #hear(report: Report): void {
    this.#silence = 0;
    if (report.is === 'well') this.#events.well(this, report.memory);
    if (report.is === 'leaving') Object.assign(this.lastReport, { metrics: report.metrics, history: report.history });
    if (report.is === 'took') this.#taken();
    if (report.is === 'telling') this.#questions.get(report.question)?.(report.answer);
    if (report.is === 'asking') {
      const { question, topic, own } = report;
      void this.#events.asking(this, topic, own).then((answers) => this.send({ do: 'hear', question, answers }));
    }
  }

  /** Counted, and not measured: where the whole machine has stood still, everybody was silent. */
  #missSign(): void {
    this.#silence += SIGN_OF_LIFE_MS;
    if (this.#silence > MOST_SILENCE_MS) this.kill();
  }

  #taken(): void {
    for (const [connection] of this.#pendingConnections) {
      this.#pendingConnections.delete(connection);
      connection.destroy();
      return;
    }
  }

  #forget(): void {
    clearInterval(this.#signs);
    for (const answer of this.#questions.values()) answer(undefined);
    const pendingConnections = [...this.#pendingConnections];
    this.#pendingConnections.clear();
    for (const [connection, { isUnderWay, giveBack }] of pendingConnections) {
      if (isUnderWay) connection.destroy();
      else giveBack(connection);
    }
  }
}
