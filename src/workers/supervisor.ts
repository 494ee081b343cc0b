import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionDispatcher } from './connection-dispatcher.ts';
import { EndedWorkerHistory } from './ended-worker-history.ts';
import { EndedWorkerMetrics } from './ended-worker-metrics.ts';
import type { Topic } from './messages.ts';
import type { Output } from './output.ts';
import { type Ending, WorkerProcess } from './worker-process.ts';

/** @limit time to start a worker, ms -> the worker is killed, and the worker that it should replace continues */
const START_MS = 60_000;
/** @limit time to stop a worker after limits.shutdown_grace, ms -> the worker is killed */
const END_MS = 10_000;
/** Initial restart back-off, doubled with each early exit, and the lifetime that resets it, milliseconds. */
const FIRST_PAUSE_MS = 100;
/** @limit back-off before a crashed worker is replaced, ms -> the worker is replaced */
const LONGEST_PAUSE_MS = 30_000;
const LONG_LIFE_MS = 60_000;
/** @limit interval between replacements of workers for their memory, ms -> further workers wait */
const MEMORY_PAUSE_MS = 60_000;

/** Log fields of a worker. */
export type Note = (
  level: 'info' | 'warn' | 'error',
  event: Readonly<Record<string, unknown>>,
  message: string,
) => void;

export interface Settings {
  /** Configuration for the workers. */
  readonly config: unknown;
  readonly lameDuckMs: number;
  readonly graceMs: number;
  /** Maximum memory of one worker, bytes. */
  readonly memory: number;
}

export interface SupervisorOptions {
  readonly count: number;
  readonly settings: Settings;
  readonly dispatcher: ConnectionDispatcher;
  readonly output: Output;
  readonly note: Note;
}

/** A worker exited during its start. It has printed the reason. */
export class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed';
  readonly code: number;

  constructor({ code, signal }: Ending) {
    super(`a worker exited with ${code ?? signal}`);
    this.code = code || 1;
  }
}

/** Supervises the workers of one server: starts them, dispatches connections, and replaces workers that exit. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  #settings: Settings;
  /** Ready workers, by number. */
  readonly #serving = new Map<number, WorkerProcess>();
  /** Workers that have not exited. */
  readonly #all = new Set<WorkerProcess>();
  readonly #replacing = new Set<number>();
  /** Restart back-off by worker number, milliseconds. */
  readonly #pauses = new Map<number, number>();
  /** Status of exited workers. */
  readonly #ended = { metrics: new EndedWorkerMetrics(), history: new EndedWorkerHistory() };
  readonly #end = new AbortController();
  /** Serializes replacements. */
  #turn: Promise<unknown> = Promise.resolve();
  #memoryPauseUntil = 0;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#settings = options.settings;
  }

  /**
   * Starts all workers and resolves when they are ready. The first one migrates the database and reports errors.
   * @throws WorkerFailed; what `net.Server#listen` reports
   */
  async start(): Promise<AddressInfo[]> {
    const { count, dispatcher } = this.#options;
    // The other workers load the program while the first one starts.
    const [first, ...others] = Array.from({ length: count }, (_, index) => this.#create(index + 1));
    try {
      for (const group of [[first], others]) await Promise.all(group.map((worker) => worker && this.#begin(worker)));
      const addresses = await dispatcher.open();
      for (const worker of this.#all) this.#install(worker);
      return addresses;
    } catch (error) {
      await this.#stopAll();
      throw error;
    }
  }

  /** Reloads each worker where possible, then replaces it with one that has the new settings. */
  async reload(settings: Settings): Promise<void> {
    this.#settings = settings;
    for (const worker of this.#all) worker.send({ do: 'reload' });
    await this.#inTurn(async () => {
      for (const number of [...this.#serving.keys()].sort((a, b) => a - b)) {
        if (!(await this.#replace(number))) return;
      }
      if (!this.#isStopping) this.#note('info', {}, 'all workers were replaced');
    });
  }

  /** Starts draining: reports not ready and stops replacing workers. Requests are still served. */
  drain(): void {
    this.#end.abort();
    for (const worker of this.#all) worker.send({ do: 'drain' });
  }

  /** Waits for requests in flight, then all workers exit. */
  async stop(): Promise<void> {
    this.drain();
    await this.#options.dispatcher.close();
    await this.#stopAll();
  }

  /** Kills all workers at once. */
  kill(): void {
    for (const worker of this.#all) worker.kill();
  }

  get #isStopping(): boolean {
    return this.#end.signal.aborted;
  }

  get #note(): Note {
    return this.#options.note;
  }

  #create(number: number): WorkerProcess {
    const worker = new WorkerProcess(number, this.#options.output, {
      asking: (asker, topic, own) => this.#ask(asker, topic, own),
      well: (one, memory) => this.#weigh(one, memory),
    });
    this.#all.add(worker);
    void worker.ended.then((ending) => this.#over(worker, ending));
    return worker;
  }

  /** @throws WorkerFailed */
  async #begin(worker: WorkerProcess): Promise<void> {
    worker.send({ do: 'begin', config: this.#settings.config });
    const late = setTimeout(() => worker.kill(), START_MS);
    const ending = await Promise.race([worker.ready, worker.ended]);
    clearTimeout(late);
    if (ending) throw new WorkerFailed(ending);
  }

  #install(worker: WorkerProcess): void {
    this.#serving.set(worker.number, worker);
    this.#options.dispatcher.addWorker(worker);
  }

  /**
   * Starts a new worker, then stops the old one. Returns false if no new worker could start and the old one continues.
   */
  async #replace(number: number): Promise<boolean> {
    const old = this.#serving.get(number);
    if (old === undefined || this.#isStopping) return true;
    this.#replacing.add(number);
    try {
      const fresh = this.#create(number);
      await this.#begin(fresh);
      if (this.#isStopping) return true;
      this.#install(fresh);
    } catch (error) {
      this.#note('error', { worker: number, reason: (error as Error).message }, 'a worker could not be replaced');
      if (!this.#all.has(old)) void this.#follow(old);
      return false;
    } finally {
      this.#replacing.delete(number);
    }
    await this.#retire(old);
    return true;
  }

  /** Gives clients time to close their connections. */
  async #retire(worker: WorkerProcess): Promise<void> {
    this.#options.dispatcher.removeWorker(worker);
    worker.send({ do: 'retire' });
    await Promise.race([worker.ended, this.#sleep(this.#settings.lameDuckMs)]);
    await this.#stopOne(worker);
  }

  async #stopAll(): Promise<void> {
    this.#end.abort();
    await Promise.all([...this.#all].map((worker) => this.#stopOne(worker)));
  }

  async #stopOne(worker: WorkerProcess): Promise<void> {
    worker.send({ do: 'stop' });
    const late = setTimeout(() => worker.kill(), this.#settings.graceMs + END_MS);
    await worker.ended;
    clearTimeout(late);
  }

  #over(worker: WorkerProcess, { code, signal }: Ending): void {
    this.#all.delete(worker);
    this.#ended.metrics.add(worker.lastReport.metrics);
    this.#ended.history.add(worker.lastReport.history);
    this.#options.dispatcher.removeWorker(worker);
    if (this.#serving.get(worker.number) !== worker) return;
    this.#serving.delete(worker.number);
    if (this.#isStopping) return;
    this.#note('error', { worker: worker.number, worker_pid: worker.pid, code, signal }, 'a worker has died');
    if (!this.#replacing.has(worker.number)) void this.#follow(worker);
  }

  /** Replaces a crashed worker, with exponential back-off after early exits. */
  async #follow(dead: WorkerProcess): Promise<void> {
    const { number } = dead;
    if (performance.now() - dead.startedAt > LONG_LIFE_MS) this.#pauses.delete(number);
    for (;;) {
      const pause = this.#pauses.get(number) ?? 0;
      this.#pauses.set(number, Math.min(2 * pause || FIRST_PAUSE_MS, LONGEST_PAUSE_MS));
      await this.#sleep(pause);
      if (this.#isStopping || this.#serving.has(number)) return;
      const fresh = this.#create(number);
      const hasBegun = await this.#begin(fresh).then(
        () => true,
        () => false,
      );
      if (this.#isStopping) return;
      if (hasBegun) {
        this.#install(fresh);
        this.#note('info', { worker: number }, 'a crashed worker was replaced');
        return;
      }
    }
  }

  #weigh(worker: WorkerProcess, memory: number): void {
    const { number } = worker;
    const isTooMuch = memory > this.#settings.memory && this.#serving.get(number) === worker;
    if (!isTooMuch || performance.now() < this.#memoryPauseUntil) return;
    this.#memoryPauseUntil = Number.POSITIVE_INFINITY;
    this.#note(
      'warn',
      { worker: number, memory, most: this.#settings.memory },
      'a worker exceeds its memory limit and is replaced',
    );
    void this.#inTurn(async () => {
      if (this.#serving.get(number) === worker) await this.#replace(number);
      this.#memoryPauseUntil = performance.now() + MEMORY_PAUSE_MS;
    });
  }

  async #ask(asker: WorkerProcess, topic: Topic, own: unknown): Promise<readonly unknown[]> {
    const others = [...this.#all].filter((worker) => worker !== asker && worker.hasBegun);
    const answers = await Promise.all(others.map((worker) => worker.request(topic)));
    if (topic !== 'metrics' && topic !== 'history') return answers;
    asker.lastReport[topic] = own;
    for (const [index, answer] of answers.entries()) {
      const worker = others[index];
      if (worker && answer !== undefined) worker.lastReport[topic] = answer;
    }
    return [...others.map(({ lastReport: told }) => told[topic] ?? []), this.#ended[topic].all()];
  }

  /** Returns the status of any worker. Undefined while no worker responds. */
  async askAny(topic: Topic): Promise<unknown> {
    for (const worker of this.#all) {
      const answer = worker.hasBegun ? await worker.request(topic) : undefined;
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  #inTurn(work: () => Promise<void>): Promise<unknown> {
    this.#turn = this.#turn.then(work).catch((error: unknown) => this.#note('error', { err: error }, 'workers'));
    return this.#turn;
  }

  /** Waits, or returns early at a stop. */
  #sleep(milliseconds: number): Promise<unknown> {
    return sleep(milliseconds, undefined, { signal: this.#end.signal }).catch(() => {});
  }
}
