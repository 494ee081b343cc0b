import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import type { AgentLog } from '../agent/agent-log.ts';
import { pauseAfter, rest } from '../agent/http/retry.ts';
import { JobFailure } from '../ports.ts';
import type { Cluster } from './api/cluster.ts';
import { ClusterAway, ClusterRefusal } from './api/failures.ts';
import { type Assignment, jobManifest, secretManifest } from './manifest.ts';
import type { KubernetesSettings } from './settings.ts';

/** Minimum pause between two attempts while a quota is exhausted, in ms. */
const QUOTA_PAUSE = 5000;

/** A Kubernetes Job to create. */
export interface JobSpecRequest {
  readonly assignment: Assignment;
  readonly token: string;
  /** Whether the Job exists already. An existing Job is not created again. */
  readonly isBegun: boolean;
}

/** Creates Kubernetes Jobs, each only once. */
export class Creation {
  readonly #cluster: Cluster;
  readonly #settings: KubernetesSettings;

  constructor(cluster: Cluster, settings: KubernetesSettings) {
    this.#cluster = cluster;
    this.#settings = settings;
  }

  /**
   * Creates the Job and its Secret, and retries transient failures: up to the start timeout while the cluster is
   * unavailable, and up to the timeout of the job while a quota is exhausted.
   * @throws JobFailure if the cluster refuses it; the reason of the signal
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
        if (performance.now() - begun > timeout * 1000)
          throw new JobFailure(`No Kubernetes Job could be created: ${why}`);
        if (why !== said) log.warn(`cannot create a Kubernetes Job, retrying: ${why}`);
        said = why;
        await rest(Math.max(pauseAfter(failures), isQuota(error) ? QUOTA_PAUSE : 0), signal);
      }
    }
  }

  async #make({ assignment, token, isBegun }: JobSpecRequest): Promise<void> {
    const { metadata } = isBegun ? await this.#found(assignment) : await this.#created(assignment);
    // The Secret is created after the Job, because the Job owns it: deleting the Job deletes the Secret. The pod
    // waits for the Secret.
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

  /** Returns an existing Job. A Job that is gone may have been executed, so it is not created again. */
  async #found({ name }: Assignment): Promise<Job> {
    try {
      return await this.#cluster.job(name);
    } catch (error) {
      if (error instanceof ClusterRefusal && error.status === 404) throw new JobFailure(DELETED);
      throw error;
    }
  }
}

export const DELETED = 'The Kubernetes Job was deleted before it reported its end';

const isQuota = (error: unknown): boolean => error instanceof ClusterRefusal && error.isQuota;

/** Returns the message of a transient error. @throws JobFailure for a permanent error */
function passing(error: unknown): string {
  if (error instanceof ClusterAway) return error.message;
  if (!(error instanceof ClusterRefusal)) throw error;
  if (error.isQuota || error.isPassing) return error.message;
  throw new JobFailure(`The cluster rejected the Kubernetes Job: ${error.message}`);
}

const unless =
  (status: number) =>
  (error: unknown): void => {
    if (!(error instanceof ClusterRefusal && error.status === status)) throw error;
  };
