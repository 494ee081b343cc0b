import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { untilStopped } from '../../lib/until-stopped.ts';
import type { AgentLog } from '../agent/agent-log.ts';
import { pauseAfter, rest } from '../agent/http/retry.ts';
import type { Cluster } from './api/cluster.ts';

/** Jobs and pods of an agent at one moment. */
export interface ClusterSnapshot {
  readonly jobs: ReadonlyMap<string, Job>;
  readonly pods: readonly Pod[];
}

/** Interval between two polls, in ms. A poll needs two requests, however many Jobs there are. */
const PAUSE = 2000;
/** @limit pause between two polls of a cluster that does not respond, ms -> the next poll follows */
const LONGEST_PAUSE = 30_000;

/**
 * Polls the cluster while an execution waits for a snapshot; all waiting executions share one poll. Lists are more
 * robust than watches: the next list also contains what changed while the cluster was unavailable.
 */
export class ClusterPoller {
  readonly #cluster: Cluster;
  readonly #labels: string;
  readonly #log: AgentLog;
  #waiting: PromiseWithResolvers<ClusterSnapshot>[] = [];
  #isPolling = false;
  #failures = 0;

  constructor(cluster: Cluster, labels: string, log: AgentLog) {
    this.#cluster = cluster;
    this.#labels = labels;
    this.#log = log;
  }

  /** Returns the next snapshot of a poll that starts after this call. @throws the reason of the signal */
  async next(signal: AbortSignal): Promise<ClusterSnapshot> {
    const wanted = Promise.withResolvers<ClusterSnapshot>();
    this.#waiting.push(wanted);
    if (!this.#isPolling) void this.#pollWhileAwaited();
    try {
      return await untilStopped(wanted.promise, signal);
    } finally {
      this.#waiting = this.#waiting.filter((one) => one !== wanted);
    }
  }

  async #pollWhileAwaited(): Promise<void> {
    this.#isPolling = true;
    while (this.#waiting.length > 0) {
      await rest(this.#failures === 0 ? PAUSE : pauseAfter(this.#failures + 1, LONGEST_PAUSE), NEVER);
      const waiting = [...this.#waiting];
      const seen = await this.#poll();
      if (seen === null) continue;
      this.#waiting = this.#waiting.filter((one) => !waiting.includes(one));
      for (const { resolve } of waiting) resolve(seen);
    }
    this.#isPolling = false;
  }

  async #poll(): Promise<ClusterSnapshot | null> {
    try {
      const [jobs, pods] = [await this.#cluster.jobs(this.#labels), await this.#cluster.pods(this.#labels)];
      if (this.#failures > 0) this.#log.info('cluster available again');
      this.#failures = 0;
      return { jobs: new Map(jobs.items.map((job) => [job.metadata?.name ?? '', job])), pods: pods.items };
    } catch (error) {
      if (this.#failures === 0) this.#log.warn(`cluster unavailable, retrying: ${(error as Error).message}`);
      this.#failures += 1;
      return null;
    }
  }
}

const NEVER = new AbortController().signal;
