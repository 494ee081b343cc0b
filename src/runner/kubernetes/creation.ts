import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import type { AgentLog } from '../agent/agent-log.ts';
import { pauseAfter, rest } from '../agent/http/retry.ts';
import { JobFailure } from '../ports.ts';
import type { Cluster } from './api/cluster.ts';
import { ClusterAway, ClusterRefusal } from './api/failures.ts';
import { type Assignment, jobManifest, secretManifest } from './manifest.ts';
import type { KubernetesSettings } from './settings.ts';

/** Between two questions for room in a quota that is used up, ms: at least. */
const QUOTA_PAUSE = 5000;

/** What is to be there. */
export interface JobSpecRequest {
  readonly assignment: Assignment;
  readonly token: string;
  /** It was there before: it is not made again. */
  readonly isBegun: boolean;
}

/** Makes Jobs in a cluster, each once. */
export class Creation {
  readonly #cluster: Cluster;
  readonly #settings: KubernetesSettings;

  constructor(cluster: Cluster, settings: KubernetesSettings) {
    this.#cluster = cluster;
    this.#settings = settings;
  }

  /**
   * Until the Job and its Secret are there: a cluster that is away has as long as a pod may take to start, and one whose quota is used up
   * as long as the job may take.
   * @throws JobFailure when the cluster does not want it; the reason of the signal
   */
  async make(wanted: JobSpecRequest, log: AgentLog, signal: AbortSignal): Promise<void> {
    const begun = performance.now();
    let said = '';
    for (let failures = 0; ; failures++) {
      signal.throwIfAborted();
      try {
        return await this.#make(wanted);
      } catch (error) {
        const why = passing(error);
        const timeout = isQuota(error) ? wanted.assignment.timeout : this.#settings.startTimeout;
        if (performance.now() - begun > timeout * 1000) throw new JobFailure(`No Kubernetes Job could be made: ${why}`);
        if (why !== said) log.warn(`no Kubernetes Job can be made, and it is tried again: ${why}`);
        said = why;
        await rest(Math.max(pauseAfter(failures), isQuota(error) ? QUOTA_PAUSE : 0), signal);
      }
    }
  }

  async #make({ assignment, token, isBegun }: JobSpecRequest): Promise<void> {
    const { metadata } = isBegun ? await this.#found(assignment) : await this.#created(assignment);
    // Second: the Secret belongs to the Job, and goes with it. Its pod waits until it is there.
    const secret = secretManifest(assignment, token, metadata?.uid ?? '');
    await this.#cluster.createSecret(secret).catch(unless(409));
  }

  async #created(assignment: Assignment): Promise<Job> {
    try {
      return await this.#cluster.createJob(jobManifest(assignment, this.#settings));
    } catch (error) {
      if (error instanceof ClusterRefusal && error.status === 409) return await this.#found(assignment);
      throw error;
    }
  }

  /** What was there, and is not any more, may have been carried out. */
  async #found({ name }: Assignment): Promise<Job> {
    try {
      return await this.#cluster.job(name);
    } catch (error) {
      if (error instanceof ClusterRefusal && error.status === 404) throw new JobFailure(DELETED);
      throw error;
    }
  }
}

export const DELETED = 'The Kubernetes Job was deleted before it had reported how it ended';

const isQuota = (error: unknown): boolean => error instanceof ClusterRefusal && error.isQuota;

/** What may be otherwise a little later, in words. @throws the others */
function passing(error: unknown): string {
  if (error instanceof ClusterAway) return error.message;
  if (!(error instanceof ClusterRefusal)) throw error;
  if (error.isQuota || error.isPassing) return error.message;
  throw new JobFailure(`The cluster refuses the Kubernetes Job: ${error.message}`);
}

const unless =
  (status: number) =>
  (error: unknown): void => {
    if (!(error instanceof ClusterRefusal && error.status === status)) throw error;
  };
