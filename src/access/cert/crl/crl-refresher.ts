import type { BackgroundTask } from '../../../lib/background/background-work.ts';
import { PeriodicTask, type ReportError } from '../../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../../lib/background/task-definition.ts';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { nextFetchAfterFailure, nextFetchAfterSuccess, type Random } from '../../../revocation/crl/index.ts';
import type { RemoteCrl, StoredCrl } from './crl.ts';
import type { CrlContents, StoredContent } from './crl-contents.ts';
import type { AcceptedContent, CrlIntake } from './crl-intake.ts';
import type { CrlRegistry } from './crl-registry.ts';
import type { CrlStore } from './crl-store.ts';
import type { LoadedCrl } from './loaded-crl.ts';

/** Lease of one fetch: after it, another node may try. */
const CLAIM_MS = 5 * 60_000;

const REFRESH: TaskDefinition = {
  name: 'crl-refresh',
  description: 'Fetches CRLs before they are due, and loads those that another process has stored.',
  runsOn: 'every process',
  period: 30_000,
};

/** Result of one fetch. */
export type FetchOutcome = 'fetched' | 'unchanged' | 'failed';

export interface CrlRefresherDependencies {
  readonly store: CrlStore;
  readonly contents: CrlContents;
  readonly registry: CrlRegistry;
  readonly intake: CrlIntake;
  readonly clock: Clock;
  readonly random: Random;
  /** Called for errors that are not the CRL server's fault. */
  readonly report: ReportError;
  readonly count: (outcome: FetchOutcome) => void;
}

/**
 * Refreshes CRLs in the background before they are due: conditional requests, at randomized times. A fetched CRL must
 * pass the same checks as a written one, and must not be older than the CRL in force. Otherwise the old one stays in
 * force.
 */
export class CrlRefresher {
  readonly #parts: CrlRefresherDependencies;
  readonly #stopping = new AbortController();
  readonly #task: PeriodicTask;

  constructor(parts: CrlRefresherDependencies) {
    this.#parts = parts;
    this.#task = PeriodicTask.every(REFRESH, () => this.#work(), parts.report);
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#task.tasks;
  }

  /** Runs at once, so that the first login finds the CRLs loaded, and then twice a minute until `stop`. */
  async start(): Promise<void> {
    this.#task.start();
    await this.tick();
  }

  /** Cancels a running fetch and waits for its end. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#task.stop();
  }

  /** Runs all due work, one CRL after the other, after any running work. Never rejects. */
  tick(): Promise<void> {
    return this.#task.runNow();
  }

  async #work(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const { store, contents, registry, clock } = this.#parts;
    const { crls } = await registry.update();
    for (const crl of await store.due(clock())) {
      if (this.#stopping.signal.aborted) return;
      const inForce = crls.get(crl.name);
      if (inForce?.contentId === crl.contentId) await this.#refresh(crl, inForce);
    }
    await contents.sweep(clock());
  }

  async #refresh(crl: RemoteCrl, inForce: LoadedCrl): Promise<void> {
    const { store, clock, random, count } = this.#parts;
    if (!(await store.claim(crl, clock() + CLAIM_MS))) return;
    try {
      count(await this.#fetch(crl, inForce));
    } catch (error) {
      // The server is shutting down: another node, or the next start, does this fetch.
      if (this.#stopping.signal.aborted) return;
      count('failed');
      if (!(error instanceof AppError)) this.#task.report(error);
      const failures = crl.failures + 1;
      const text = error instanceof AppError ? error.message : 'internal error';
      await store.recordFailure(crl, failures, text, nextFetchAfterFailure(clock(), failures, random));
    }
  }

  async #fetch(crl: RemoteCrl, inForce: LoadedCrl): Promise<FetchOutcome> {
    const { contents, intake } = this.#parts;
    const content = await intake.newer(crl.url, crl.validators, this.#stopping.signal);
    if (!content) {
      await this.#record(crl, inForce, crl);
      return 'unchanged';
    }
    const fault = succession(content, inForce);
    if (fault === undefined && (await this.#putIntoForce(crl, content, inForce))) return 'fetched';
    await contents.remove(content.contentId);
    if (fault !== undefined) throw new AppError('bad-request', fault);
    return 'unchanged';
  }

  /**
   * Stores a fetched CRL and puts it into force. Returns false if an administrator has written or removed the CRL
   * meanwhile.
   */
  async #putIntoForce(crl: RemoteCrl, content: AcceptedContent, inForce: LoadedCrl): Promise<boolean> {
    const { registry } = this.#parts;
    if (!(await this.#record(crl, content, content))) return false;
    await registry.makeReady(content, inForce);
    await registry.update();
    return true;
  }

  #record(crl: RemoteCrl, { contentId, list }: StoredContent, { validators }: Pick<StoredCrl, 'validators'>) {
    const { store, clock, random } = this.#parts;
    const fetchedAt = clock();
    const nextFetchAt = nextFetchAfterSuccess(fetchedAt, list.info.nextUpdate, random);
    return store.recordFetch(crl, { contentId, validators, fetchedAt, nextFetchAt });
  }
}

/**
 * Returns why a fetched CRL may not replace another without an administrator. An older CRL, or one of another issuer,
 * could undo revocations.
 */
function succession(next: AcceptedContent, before: LoadedCrl): string | undefined {
  const [newer, older] = [next.list.info, before.list.info];
  if (newer.issuer.key !== older.issuer.key) return 'the CRL has another issuer than the one in force';
  if (next.signature.state !== 'verified') {
    if (before.signature.state === 'verified') return 'the CRL is not signed by a CA of any role';
    if (newer.authorityKeyId !== older.authorityKeyId) return 'the CRL is signed by another key than the one in force';
  }
  if (newer.thisUpdate < older.thisUpdate) return 'the CRL is older than the one in force';
  if (newer.number !== undefined && older.number !== undefined && newer.number < older.number) {
    return 'the CRL has a lower number than the one in force';
  }
  return undefined;
}
