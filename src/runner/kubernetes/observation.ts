import type { AgentLog } from '../agent/agent-log.ts';
import { JobFailure } from '../ports.ts';
import type { Cluster } from './api/cluster.ts';
import { inOneLine } from './api/failures.ts';
import type { ClusterPoller } from './cluster-poller.ts';
import { DELETED } from './creation.ts';
import { type JobStatus, jobStatusOf } from './job-status.ts';
import { GRACE } from './manifest.ts';
import type { KubernetesSettings } from './settings.ts';

/** Beyond its grace, a pod that is taken off its node has so long to be gone, seconds; then its node is taken for lost. */
const MARGIN = 30;
/** So soon nobody asks the cluster why a pod does not run, ms. */
const USUAL_START = 5000;

/** By what a Job is followed. */
export interface ObservationPlace {
  readonly cluster: Pick<Cluster, 'events'>;
  readonly poller: ClusterPoller;
  readonly log: AgentLog;
  /** Seconds. */
  readonly settings: Pick<KubernetesSettings, 'startTimeout'>;
  /** ms; else those of the process. */
  readonly now?: () => number;
}

/** Follows one Job in what is seen of the cluster. */
export class Observation {
  readonly #name: string;
  readonly #place: ObservationPlace;
  readonly #now: () => number;
  /** Since when it is followed, ms. */
  #begun: number | null = null;
  #leaving: number | null = null;
  #said = '';
  #hasRun = false;

  constructor(name: string, place: ObservationPlace) {
    this.#name = name;
    this.#place = place;
    this.#now = place.now ?? (() => performance.now());
  }

  /** Whether its pod was seen to run. */
  get hasRun(): boolean {
    return this.#hasRun;
  }

  /**
   * Until it is over.
   * @param onRunning when its pod runs
   * @returns why it may not have reported how it ended; null where it has
   * @throws JobFailure for what does not start, or is gone; the reason of the signal
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
    if (why !== '' && why !== this.#said) log.warn(`the pod does not run yet: ${why}`);
    this.#said = why || this.#said;
    if (isHopeless) throw new JobFailure(why);
    if (passed < settings.startTimeout * 1000) return;
    throw new JobFailure(
      `The pod was not running after ${settings.startTimeout} s${this.#said === '' ? '' : `. ${this.#said}`}`,
    );
  }

  #leaves(node: string): void {
    const now = this.#now();
    if (this.#leaving === null) this.#place.log.warn('the pod is taken off its node', { node });
    this.#leaving ??= now;
    if (now - this.#leaving < (GRACE + MARGIN) * 1000) return;
    throw new JobFailure(`The node ${node} does not answer any more, and the pod that was there is given up`);
  }

  /** What the cluster said last of an object; empty for nothing, or where we may not know. */
  async #lastWarning(uid: string): Promise<string> {
    const { items } = await this.#place.cluster.events(uid).catch(() => ({ items: [] }));
    const warnings = items.filter(({ type }) => type === 'Warning');
    return inOneLine(warnings.toSorted((a, b) => at(a).localeCompare(at(b))).at(-1)?.message ?? '');
  }
}

const at = ({ lastTimestamp, eventTime }: { lastTimestamp?: string; eventTime?: string }): string =>
  lastTimestamp ?? eventTime ?? '';
