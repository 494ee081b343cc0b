import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import type { Execution, Executor, Holder } from '../agent/executor.ts';
import { pauseAfter, rest } from '../agent/http/retry.ts';
import { about } from '../agent/job/execute-job.ts';
import type { HandedJob } from '../agent/job/job-document.ts';
import type { Workshop } from '../agent/job/workshop.ts';
import { JobFailure } from '../ports.ts';
import { accessOfPod } from './api/access.ts';
import { Cluster } from './api/cluster.ts';
import { ClusterRefusal } from './api/failures.ts';
import { accessByKubeconfig } from './api/kubeconfig.ts';
import { ClusterPoller } from './cluster-poller.ts';
import { KubernetesExecution } from './execution.ts';
import { ANNOTATIONS, agentLabel, LABELS, nameOf } from './names.ts';
import type { KubernetesSettings } from './settings.ts';

/** Identity of an agent that uses a cluster. */
export interface KubernetesAgent {
  /** Name by which the agent finds its Jobs after a restart. */
  readonly name: string;
  /** CA certificates with which pods verify the server, PEM; null for those of Node.js. */
  readonly ca: string | null;
}

/** Connects to the configured cluster. @throws JobFailure for invalid credentials */
export async function clusterOf({ kubeconfig, namespace }: KubernetesSettings): Promise<Cluster> {
  const access = kubeconfig === null ? await accessOfPod(process.env) : await accessByKubeconfig(kubeconfig);
  return new Cluster(access, namespace);
}

/** Executes each job by a Kubernetes Job that runs `lockkeeper agent --job`. */
export class KubernetesExecutor implements Executor {
  readonly #cluster: Cluster;
  readonly #settings: KubernetesSettings;
  readonly #agent: KubernetesAgent;
  readonly #workshop: Workshop;
  readonly #label: string;
  readonly #poller: ClusterPoller;
  /** Names of Jobs that were in the cluster when the agent started. */
  readonly #begun = new Set<string>();

  constructor(cluster: Cluster, settings: KubernetesSettings, agent: KubernetesAgent, workshop: Workshop) {
    this.#cluster = cluster;
    this.#settings = settings;
    this.#agent = agent;
    this.#workshop = workshop;
    this.#label = agentLabel(workshop.server.base.origin, agent.name);
    this.#poller = new ClusterPoller(cluster, this.#selector, workshop.log);
  }

  /**
   * Returns the ids of agents whose Jobs are in the cluster.
   * @throws JobFailure if the cluster does not allow the agent to list Jobs
   */
  async begun(signal: AbortSignal): Promise<readonly string[]> {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        const { items } = await this.#cluster.jobs(this.#selector);
        for (const { metadata } of items) this.#begun.add(metadata?.name ?? '');
        // The ids of Jobs that have not ended come first.
        const ids = items.toSorted((a, b) => Number(isOver(a)) - Number(isOver(b))).map(holderOf);
        return [...new Set(ids.filter((id) => id !== ''))];
      } catch (error) {
        if (error instanceof ClusterRefusal && !error.isPassing) {
          throw new JobFailure(`the cluster does not allow this agent to list its Jobs: ${error.message}`);
        }
        if (failures === 0) this.#workshop.log.warn(`cluster unavailable, retrying: ${(error as Error).message}`);
        await rest(pauseAfter(failures), signal).catch(() => {});
      }
    }
    return [];
  }

  start(handed: HandedJob, { agentId }: Holder): Execution {
    const { job, token } = handed;
    const { server } = this.#workshop;
    const log = about(this.#workshop.log, job.id, job.runId);
    const name = nameOf(job.id, token);
    const isBegun = this.#begun.delete(name);
    const assignment = {
      name,
      ...{ jobId: job.id, runId: job.runId, timeout: job.timeout },
      workspace: `${job.organization}/${job.workspace.name}`,
      ...{ agentLabel: this.#label, agentName: this.#agent.name, agentId },
      ...{ address: server.base.origin, ca: this.#agent.ca },
    };
    const place = { server, cluster: this.#cluster, poller: this.#poller, settings: this.#settings, log };
    return new KubernetesExecution(handed, assignment, isBegun, place);
  }

  get #selector(): string {
    return `${LABELS.agent}=${this.#label}`;
  }
}

const holderOf = ({ metadata }: Job): string => metadata?.annotations?.[ANNOTATIONS.agentId] ?? '';

const isOver = ({ status }: Job): boolean =>
  status?.conditions?.some(({ type, status: is }) => is === 'True' && ['Complete', 'Failed'].includes(type)) === true;
