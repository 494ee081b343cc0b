import { randomBytes } from 'node:crypto';
import { type BackgroundTasks, newestStatus } from '../../lib/background/background-tasks.ts';
import type { BackgroundTask, BackgroundWork, Leadership } from '../../lib/background/background-work.ts';
import { isErrorClass } from '../../lib/background/error-class.ts';
import { PeriodicTask, type ReportError } from '../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../lib/background/task-definition.ts';
import type { TaskStatus } from '../../lib/background/task-status.ts';
import type { Databases } from '../databases.ts';

/** Signal between processes: `background-task/<sender>/<name>/<result>/<error>/<numbers>`. */
const TOPIC = 'background-task/';

const SHARING: TaskDefinition = {
  name: 'task-status',
  description: 'Sends the statuses of the tasks of the leader to the other processes.',
  runsOn: 'leader',
  period: 10_000,
};

/**
 * Statuses of the tasks that only the leader runs. The leader sends them to all processes again and again, so that each
 * node can tell when a task last ran, also on a node that is gone.
 */
export class LeaderTasks implements BackgroundWork {
  readonly #databases: Databases;
  readonly #own = randomBytes(6).toString('hex');
  readonly #heard = new Map<string, { readonly status: TaskStatus; readonly at: number }>();
  readonly #sharing: PeriodicTask;
  #all: BackgroundTasks | undefined;
  #end = () => {};

  constructor(databases: Databases, report: ReportError) {
    this.#databases = databases;
    this.#sharing = PeriodicTask.every(SHARING, () => this.#share(), report);
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#sharing.tasks;
  }

  /** @param all the tasks of this process, which include this one */
  shareFrom(all: BackgroundTasks): void {
    this.#all = all;
  }

  start(leadership?: Leadership): void {
    this.#end = this.#databases.signals.listenToPrefix(TOPIC, (signal) => this.#hear(signal));
    this.#sharing.start(leadership);
  }

  async stop(): Promise<void> {
    this.#end();
    await this.#sharing.stop();
  }

  /** Returns the last known status of a task in another process. */
  status(name: string): TaskStatus | undefined {
    const heard = this.#heard.get(name);
    return heard && aged(heard.status, performance.now() - heard.at);
  }

  async #share(): Promise<void> {
    const { access: database, signals } = this.#databases;
    const tasks = this.#all?.list() ?? [];
    const run = tasks.filter(({ definition, status }) => definition.runsOn === 'leader' && status.age !== undefined);
    await database.transaction(async (tx) => {
      for (const { definition, status } of run)
        signals.send(tx, `${TOPIC}${this.#own}/${toSignal(definition.name, status)}`);
    });
  }

  #hear(signal: string): void {
    const place = signal.indexOf('/');
    const [name, status] = fromSignal(signal.slice(place + 1)) ?? [];
    if (signal.slice(0, place) === this.#own || name === undefined || status === undefined) return;
    if (!this.#all?.list().some(({ definition }) => definition.name === name)) return;
    const known = this.status(name);
    const newest = newestStatus(known ? [status, known] : [status]);
    if (newest) this.#heard.set(name, { status: newest, at: performance.now() });
  }
}

const aged = (status: TaskStatus, by: number): TaskStatus => ({
  ...status,
  age: status.age === undefined ? undefined : status.age + by,
  failingFor: status.failures === 0 ? 0 : status.failingFor + by,
  late: status.late + by,
});

/** Returns a text of less than 200 bytes, the limit of a signal. */
function toSignal(name: string, status: TaskStatus): string {
  const { result, error = '', startedAt = 0, age = 0, duration = -1, failures, failingFor, late, isRunning } = status;
  const numbers = [startedAt, age, duration, failures, failingFor, late, Number(isRunning)];
  return [name, result, error, ...numbers.map(Math.round)].join('/');
}

/**
 * Returns undefined for a signal of a version with another format, and for one that no version sends: health shows its
 * texts to every client.
 */
function fromSignal(text: string): [name: string, status: TaskStatus] | undefined {
  const [name = '', result = '', error = '', ...others] = text.split('/');
  const numbers = others.map(Number);
  const [startedAt, age, duration = -1, failures = 0, failingFor = 0, late = 0, isRunning] = numbers;
  if (!isResult(result) || (error !== '' && !isErrorClass(error))) return undefined;
  if (numbers.length !== 7 || !numbers.every(Number.isFinite)) return undefined;
  const status: TaskStatus = {
    ...{ result, startedAt, age, failures, failingFor, late },
    error: error === '' ? undefined : error,
    duration: duration < 0 ? undefined : duration,
    failuresInTotal: 0,
    isRunning: isRunning === 1,
    isSkipped: false,
  };
  return [name, status];
}

const isResult = (text: string): text is TaskStatus['result'] => ['none', 'ok', 'failed'].includes(text);
