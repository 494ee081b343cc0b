import type { AgentLog } from '../agent/agent-log.ts';
import type { Execution } from '../agent/executor.ts';
import { pauseAfter, rest } from '../agent/http/retry.ts';
import type { Server } from '../agent/http/server.ts';
import { type ExecutedJob, type Outcome, report } from '../agent/job/execute-job.ts';
import { Heartbeat } from '../agent/job/heartbeat.ts';
import { JobClient } from '../agent/job/job-client.ts';
import type { HandedJob } from '../agent/job/job-document.ts';
import { inWords } from '../agent/job/report.ts';
import { sayInLog } from '../agent/job/say-in-log.ts';
import { type JobEnd, JobFailure } from '../ports.ts';
import type { Cluster } from './api/cluster.ts';
import { ClusterAway, ClusterRefusal } from './api/failures.ts';
import type { ClusterPoller } from './cluster-poller.ts';
import { Creation } from './creation.ts';
import { type Assignment, GRACE, HANDOVER } from './manifest.ts';
import { Observation } from './observation.ts';
import type { KubernetesSettings } from './settings.ts';

/** Dependencies of an execution. */
export interface ExecutionPlace {
  readonly server: Server;
  readonly cluster: Cluster;
  readonly poller: ClusterPoller;
  readonly settings: KubernetesSettings;
  /** Log with the fields of this job. */
  readonly log: AgentLog;
}

/** First three lines of the log. `tofu` and `terraform` skip them. */
const HEADER = 'Lockkeeper agent\non Kubernetes\nStarting a pod...\n';
/** Seconds added to the longest duration of a Job, after which the agent stops waiting for it. */
const MARGIN = 300;
/** @limit time for which an agent retries the deletion of a Kubernetes Job, ms -> the Job stays until its TTL */
const LONGEST_DELETION = 600_000;

/**
 * Executes one job by a Kubernetes Job. The pod starts the job, sends its log and heartbeats, and reports its end. The
 * agent reports what the pod cannot: that it did not start, or ended without a report. Until the pod runs, the agent
 * sends the heartbeats, and so learns of a cancel.
 */
export class KubernetesExecution implements Execution {
  readonly #handed: HandedJob;
  readonly #assignment: Assignment;
  readonly #place: ExecutionPlace;
  readonly #client: JobClient;
  readonly #pulse: Heartbeat;
  readonly #observation: Observation;
  readonly #interrupt = new AbortController();
  readonly #kill = new AbortController();
  readonly #outcome: Promise<ExecutedJob>;

  /** @param isBegun whether the Kubernetes Job already existed when the agent started */
  constructor(handed: HandedJob, assignment: Assignment, isBegun: boolean, place: ExecutionPlace) {
    this.#handed = handed;
    this.#assignment = assignment;
    this.#place = place;
    this.#client = new JobClient(place.server, handed.token, place.log);
    this.#pulse = new Heartbeat(this.#client, handed.links.heartbeat);
    this.#observation = new Observation(assignment.name, place);
    this.#outcome = this.#run(isBegun);
  }

  watch(): Promise<ExecutedJob> {
    return this.#outcome;
  }

  stop(how: 'interrupt' | 'kill', reason: unknown): void {
    (how === 'kill' ? this.#kill : this.#interrupt).abort(reason);
  }

  async #run(isBegun: boolean): Promise<ExecutedJob> {
    const { log } = this.#place;
    this.#pulse.start();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new JobFailure(LATE)), this.#longest * 1000);
    const stopped = AbortSignal.any([
      ...[this.#client.interrupted, this.#interrupt.signal, this.#kill.signal, late.signal],
    ]);
    try {
      const reason = await this.#execute(isBegun, stopped);
      if (reason === null) return await this.#removed(without('reported'));
      // The failed Job stays in the cluster for inspection until its TTL.
      return await this.#reported({ kind: 'failed', reason });
    } catch (error) {
      const executed = await this.#ended(error as Error);
      log.info('stopped waiting for the Kubernetes Job', { outcome: executed.outcome });
      return executed;
    } finally {
      clearTimeout(timer);
      await this.#pulse.stop();
    }
  }

  async #execute(isBegun: boolean, stopped: AbortSignal): Promise<string | null> {
    const { cluster, settings, log } = this.#place;
    const { token } = this.#handed;
    const wanted = { assignment: this.#assignment, token, isBegun };
    await new Creation(cluster, settings).make(wanted, log, stopped);
    log.info('the job runs as a Kubernetes Job', { name: this.#assignment.name });
    return await this.#observation.end(() => void this.#pulse.stop(), stopped);
  }

  /** Handles a Job that was stopped or cannot run. */
  async #ended(error: Error): Promise<ExecutedJob> {
    if (this.#client.lost.aborted) return await this.#removed(without('dropped'));
    if (this.#kill.signal.aborted) return await this.#removed(without('lost'));
    if (this.#client.interrupted.aborted) {
      return await this.#removed(await this.#reported({ kind: 'canceled', isForced: false }));
    }
    if (this.#interrupt.signal.aborted && this.#observation.hasRun) await this.#interrupted();
    const reason = error instanceof JobFailure ? error.message : `The agent failed: ${error.message}`;
    return await this.#removed(await this.#reported({ kind: 'failed', reason }));
  }

  /** Deletes the Job, and waits for its pod to report within the grace period. */
  async #interrupted(): Promise<void> {
    await this.#removed(without('reported'));
    const timeout = AbortSignal.any([this.#kill.signal, AbortSignal.timeout((GRACE + 30) * 1000)]);
    await this.#observation.end(() => {}, timeout).catch(() => {});
  }

  async #reported(end: JobEnd): Promise<ExecutedJob> {
    const still = AbortSignal.any([this.#client.lost, this.#kill.signal]);
    if (end.kind === 'failed')
      await sayInLog(this.#client, this.#handed, { header: HEADER, reason: end.reason }, still);
    const outcome = await report(this.#client, this.#handed.links.finish, end, still);
    this.#place.log.info(inWords(end), { outcome });
    return { outcome, end };
  }

  /**
   * Deletes the Job, unless its end could not be reported: the server then hands out the job again, and the remaining
   * Job prevents a second execution.
   */
  async #removed(executed: ExecutedJob): Promise<ExecutedJob> {
    if (executed.outcome === 'unreported') return executed;
    try {
      await this.#deleted();
    } catch (error) {
      this.#place.log.warn(`cannot delete the Kubernetes Job, it stays until its TTL: ${(error as Error).message}`);
    }
    return executed;
  }

  /** Deletes the Job, and retries transient failures until the agent must stop at once. */
  async #deleted(): Promise<void> {
    const until = performance.now() + LONGEST_DELETION;
    for (let failures = 0; ; failures++) {
      try {
        return await this.#place.cluster.deleteJob(this.#assignment.name);
      } catch (error) {
        if (error instanceof ClusterRefusal && error.status === 404) return;
        const isPassing = error instanceof ClusterAway || (error instanceof ClusterRefusal && error.isPassing);
        if (!isPassing || this.#kill.signal.aborted || performance.now() > until) throw error;
      }
      await rest(pauseAfter(failures), this.#kill.signal).catch(() => {});
    }
  }

  /**
   * Longest duration of the Job, in seconds: waiting for a quota, the start of the pod, the job itself, and its
   * handover.
   */
  get #longest(): number {
    return 2 * this.#assignment.timeout + this.#place.settings.startTimeout + HANDOVER + MARGIN;
  }
}

const LATE = 'The Kubernetes Job took too long, and the cluster did not report its end';

/** Returns a result without an end: the pod has reported it, or no report is needed. */
const without = (outcome: Outcome): ExecutedJob => ({ outcome, end: null });
