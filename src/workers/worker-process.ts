import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { type Order, type Report, SIGN_OF_LIFE_MS, type Topic, WORKER } from './messages.ts';
import type { Output } from './output.ts';

/** @limit response time of a worker to another worker, ms -> the worker counts as unresponsive */
const ANSWER_MS = 1_000;
/** @limit heartbeat timeout of a worker, ms -> the worker is killed and replaced */
const MOST_SILENCE_MS = 60_000;

/** Exit of a process. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A connection in transit to a worker. */
interface Handing {
  readonly giveBack: (connection: Socket) => void;
  isUnderWay: boolean;
}

export interface WorkerEvents {
  /** The worker requests the status of the others. */
  asking(worker: WorkerProcess, topic: Topic, own: unknown): Promise<readonly unknown[]>;
  well(worker: WorkerProcess, memory: number): void;
}

/** A worker, as the supervisor sees it. */
export class WorkerProcess {
  readonly number: number;
  /** Resolves when the worker is ready. Never resolves if it exits before. */
  readonly ready: Promise<void>;
  readonly ended: Promise<Ending>;
  readonly startedAt = performance.now();
  /** Last reported status. */
  readonly lastReport: { metrics?: unknown; history?: unknown } = {};
  readonly #process: ChildProcess;
  readonly #events: WorkerEvents;
  readonly #questions = new Map<number, (answer: unknown) => void>();
  /** Unacknowledged connections, in order. */
  readonly #pendingConnections = new Map<Socket, Handing>();
  readonly #signs: NodeJS.Timeout;
  #hasBegun = false;
  #asked = 0;
  #silence = 0;

  /** Starts this program with equal arguments. The environment marks it as a worker. */
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
    // A process that cannot be started or reached counts as exited.
    this.#process.on('error', () => {});
    const ended = Promise.withResolvers<Ending>();
    this.ended = ended.promise;
    // Its last output lines are written first.
    this.#process.once('close', (code, signal) => ended.resolve({ code, signal }));
    this.#signs = setInterval(() => this.#missSign(), SIGN_OF_LIFE_MS).unref();
    this.#process.once('exit', () => this.#forget());
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Whether the worker can report its status. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Whether messages can be sent to the worker. */
  get isReady(): boolean {
    const { connected, exitCode, signalCode } = this.#process;
    return connected && exitCode === null && signalCode === null;
  }

  /** Number of unacknowledged connections. */
  get pendingConnections(): number {
    return this.#pendingConnections.size;
  }

  send(order: Order): void {
    if (this.isReady) this.#process.send(order, () => {});
  }

  /**
   * Sends a connection to the worker. It stays open here until the worker acknowledges it: Node.js loses handles in
   * transit to a process that dies, and blocks later ones forever.
   * @param listener index of the listener that accepted it
   * @param giveBack called with the connection if the worker exits before it was sent, so that another worker can take
   * it. A connection in transit is closed.
   */
  sendConnection(listener: number, connection: Socket, giveBack: (connection: Socket) => void): void {
    const handing = { giveBack, isUnderWay: false };
    this.#pendingConnections.set(connection, handing);
    this.#process.send({ do: 'take', listener } satisfies Order, connection, { keepOpen: true }, (error) => {
      handing.isUnderWay = !error;
    });
  }

  /** Returns the status of the worker. Undefined without a response in time. */
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

  /** Counts missed heartbeats instead of measuring time, because a suspended machine silences all processes. */
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
