import { cleanUpJob } from '../../cleanup/cleanup.ts';
import { knownEngines, rememberEngines } from '../../engine/answers.ts';
import { goneWith, signalGroup } from '../../isolation/process-group.ts';
import { JobFailure } from '../../ports.ts';
import type { AgentLog, Facts } from '../agent-log.ts';
import type { Execution } from '../executor.ts';
import type { Trust } from '../http/server.ts';
import { about, type ExecutedJob, report } from '../job/execute-job.ts';
import { JobClient } from '../job/job-client.ts';
import type { HandedJob } from '../job/job-document.ts';
import { inWords } from '../job/report.ts';
import { sayInLog } from '../job/say-in-log.ts';
import type { Workshop } from '../job/workshop.ts';
import { type Ending, HEAP_MB, JobProcess } from './job-process.ts';
import type { Report } from './messages.ts';

/** First three lines of the log. `tofu` and `terraform` skip them. */
const HEADER = 'Lockkeeper agent\nin a process of its own\nStarting the process...\n';
const NO_MEMORY = 'JavaScript heap out of memory';

/**
 * Execution of one job in its own process. The process starts the job, sends its log and heartbeats, and reports its
 * end. If it dies without a report, the agent reports instead.
 */
export class ProcessExecution implements Execution {
  readonly #handed: HandedJob;
  readonly #workshop: Workshop;
  readonly #log: AgentLog;
  readonly #process: JobProcess;
  readonly #outcome: Promise<ExecutedJob>;
  readonly #kill = new AbortController();
  #executedJob: ExecutedJob | null = null;
  /** The last step of an engine, and its group of processes while it runs. */
  #step: { readonly name: string; readonly pid: number | undefined; isOver: boolean } | null = null;

  constructor(handed: HandedJob, workshop: Workshop) {
    this.#handed = handed;
    this.#workshop = workshop;
    this.#log = about(workshop.log, handed.job.id, handed.job.runId);
    this.#process = new JobProcess((told) => this.#hear(told));
    const { server, isolation, engines, providers, cache, folder } = workshop;
    const place = {
      ...{ server: server.place, isolation: isolation.settings, engines, knownEngines: knownEngines() },
      ...{ providers, providerCache: cache?.place ?? null, folder },
    };
    this.#process.send({ do: 'execute', handed, place });
    this.#outcome = this.#watched();
  }

  watch(): Promise<ExecutedJob> {
    return this.#outcome;
  }

  stop(how: 'interrupt' | 'kill', reason: unknown): void {
    this.#process.send({ do: 'stop', how, reason: reason instanceof JobFailure ? reason.message : null });
    if (how === 'interrupt') return;
    this.#kill.abort(reason);
    this.#process.endSoon();
  }

  /** Replaces the CA certificates that the server is verified with. */
  trust(trust: Trust): void {
    this.#process.send({ do: 'trust', trust });
  }

  #hear(told: Report): void {
    if (told.is === 'log') this.#workshop.log[told.level](told.text, told.facts);
    if (told.is === 'step begun') this.#step = { name: told.step, pid: told.pid, isOver: false };
    if (told.is === 'step ended' && this.#step !== null) this.#step.isOver = true;
    if (told.is !== 'ended') return;
    rememberEngines(told.knownEngines);
    this.#executedJob = told.executedJob;
    this.#process.endSoon();
  }

  async #watched(): Promise<ExecutedJob> {
    const ending = await this.#process.ended;
    return this.#executedJob ?? (await this.#endedEarly(ending));
  }

  async #endedEarly(ending: Ending): Promise<ExecutedJob> {
    await this.#killEngine();
    const { job, token, links, traceparent } = this.#handed;
    const kept = await cleanUpJob(this.#workshop.folder, job.runId);
    const where = kept === null ? '' : `. The state that the engine left was not read; the agent keeps it in ${kept}`;
    const end = { kind: 'failed', reason: `${this.#reasonOf(ending)}${where}` } as const;
    this.#log.warn(end.reason, lastWordsOf(ending));
    if (this.#kill.signal.aborted) return { outcome: 'lost', end: null };
    const client = new JobClient(this.#workshop.server, token, this.#log, traceparent);
    const still = AbortSignal.any([client.lost, this.#kill.signal]);
    await sayInLog(client, this.#handed, { header: HEADER, reason: end.reason }, still);
    const outcome = await report(client, links.finish, end, still);
    this.#log.info(inWords(end), { outcome });
    return { outcome, end };
  }

  /** Kills the engine of a process that died. In a sandbox the engine has ended with the process. */
  async #killEngine(): Promise<void> {
    if (this.#step === null || this.#step.isOver) return;
    signalGroup(this.#step.pid, 'SIGKILL');
    await goneWith(this.#step.pid);
  }

  #reasonOf({ code, signal, lastWords }: Ending): string {
    const when = this.#when();
    if (lastWords.includes(NO_MEMORY)) return `The agent ran out of memory for this run (${HEAP_MB} MiB) ${when}`;
    if (signal === 'SIGKILL') {
      return `The agent's process for this run was ended from outside (SIGKILL) ${when}: the machine may be out of memory`;
    }
    return `The agent's process for this run ended by itself (${signal ?? `code ${code}`}) ${when}`;
  }

  #when(): string {
    if (this.#step === null) return 'before an engine was started';
    return this.#step.isOver ? `after "${this.#step.name}", whose output it reads` : `during "${this.#step.name}"`;
  }
}

/**
 * Returns the end of stderr for the log. Omits it after an out-of-memory error, where it is only a stack of addresses.
 */
function lastWordsOf({ lastWords }: Ending): Facts {
  const says = lastWords !== '' && !lastWords.includes(NO_MEMORY);
  return says ? { 'last words': lastWords.slice(-1_000) } : {};
}
