import type { AgentLog } from '../agent/agent-log.ts';
import { JobFailure } from '../ports.ts';
import type { Cluster } from './api/cluster.ts';
import { inOneLine } from './api/failures.ts';
import type { ClusterPoller } from './cluster-poller.ts';
import { DELETED } from './creation.ts';
import { type JobStatus, jobStatusOf } from './job-status.ts';
import { GRACE } from './manifest.ts';
import type { KubernetesSettings } from './settings.ts';

/** Seconds after the grace period until a node with a terminating pod counts as lost. */
const MARGIN = 30;
/** Time in which a pod usually starts, in ms. Only after it the agent reads events. */
const USUAL_START = 5000;

/** Dependencies of an observation. */
export interface ObservationPlace {
  readonly cluster: Pick<Cluster, 'events'>;
  readonly poller: ClusterPoller;
  readonly log: AgentLog;
  /** `startTimeout` is in seconds. */
  readonly settings: Pick<KubernetesSettings, 'startTimeout'>;
  /** Clock in ms. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Observes one Kubernetes Job until its end. */
export class Observation {
  readonly #name: string;
  readonly #place: ObservationPlace;
  readonly #now: () => number;
  /** Time of the first observation, in ms. */
  #begun: number | null = null;
  #leaving: number | null = null;
  #said = '';
  #hasRun = false;

  constructor(name: string, place: ObservationPlace) {
    this.#name = name;
    this.#place = place;
    this.#now = place.now ?? (() => performance.now());
  }

  /** Whether the pod was seen running. */
  get hasRun(): boolean {
    return this.#hasRun;
  }

  /**
   * Waits for the end of the Job.
   * @param onRunning called when the pod runs
   * @returns why the pod may not have reported the end of the job; null if it has
   * @throws JobFailure if the pod does not start or disappears; the reason of the signal
   */
  async end(onRunning: () => void, signal: AbortSignal): Promise<string | null> {
    this.#begun ??= this.#now();
    for (;;) {
      const { jobs, pods } = await this.#place.poller.next(signal);
      const job = jobs.get(this.#name);
      if (job === undefined) throw new JobFailure(DELETED);
      const standing = jobStatusOf(job, pods);
      if (standing.kind === 'over') return standing.reason;
      if (standing.kind === 'waiting') await this.#waits(standing);
      else if (standing.kind === 'leaving') this.#leaves(standing.node);
      else if (!this.#hasRun) {
        this.#hasRun = true;
        onRunning();
      }
    }
  }

  async #waits({ why: known, uid, isHopeless }: JobStatus & { readonly kind: 'waiting' }): Promise<void> {
    const { log, settings } = this.#place;
    const passed = this.#now() - (this.#begun ?? 0);
    const why = known !== '' || passed < USUAL_START ? known : await this.#lastWarning(uid);
    if (why !== '' && why !== this.#said) log.warn(`the pod is not running yet: ${why}`);
    this.#said = why || this.#said;
    if (isHopeless) throw new JobFailure(why);
    if (passed < settings.startTimeout * 1000) return;
    throw new JobFailure(
      `The pod did not run within ${settings.startTimeout} s${this.#said === '' ? '' : `. ${this.#said}`}`,
    );
  }

  #leaves(node: string): void {
    const now = this.#now();
    if (this.#leaving === null) this.#place.log.warn('the pod is being evicted from its node', { node });
    this.#leaving ??= now;
    if (now - this.#leaving < (GRACE + MARGIN) * 1000) return;
    throw new JobFailure(`The node ${node} does not respond, so the agent stopped waiting for its pod`);
  }

  /** Returns the last warning event of an object; empty if there is none, or the agent may not read events. */
  async #lastWarning(uid: string): Promise<string> {
    const { items } = await this.#place.cluster.events(uid).catch(() => ({ items: [] }));
    const warnings = items.filter(({ type }) => type === 'Warning');
    return inOneLine(warnings.toSorted((a, b) => at(a).localeCompare(at(b))).at(-1)?.message ?? '');
  }
}

const at = ({ lastTimestamp, eventTime }: { lastTimestamp?: string; eventTime?: string }): string =>
  lastTimestamp ?? eventTime ?? '';
