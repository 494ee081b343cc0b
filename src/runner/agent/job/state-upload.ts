import { createHash } from 'node:crypto';
import { StateKept } from '../../ports.ts';
import type { StateVersion } from '../../state/state-file.ts';
import { isRefusal, Refusal } from '../http/failures.ts';
import { type JobClient, TIMEOUT } from './job-client.ts';
import type { JobLinks } from './job-document.ts';

/** How long the last resort is tried, after all else was, ms. */
const LAST_TIMEOUT = 120_000;

/** @limit announcements of the last state, which others take the place of, announcements -> it becomes the errored state */
const MOST_ANNOUNCEMENTS = 3;

/** Where the states of an apply go. */
export interface StatePlace {
  readonly links: JobLinks;
  readonly runId: string;
}

/** Sends states, as they grow: each as far as there is time, the last one with patience. */
export class StateUpload {
  readonly #client: JobClient;
  readonly #place: StatePlace;
  readonly #abandoned: AbortSignal;
  #between = new AbortController();
  #sending: Promise<void> = Promise.resolve();

  /** @param abandoned nobody waits for the last one any more either */
  constructor(client: JobClient, place: StatePlace, abandoned: AbortSignal) {
    this.#client = client;
    this.#place = place;
    this.#abandoned = abandoned;
  }

  /** A state while the engine runs. It is left when the last one comes. */
  async between(version: StateVersion): Promise<void> {
    const signal = AbortSignal.any([this.#between.signal, this.#client.lost, this.#abandoned]);
    this.#sending = this.#send(version, true, signal);
    this.#sending.catch(() => {});
    await this.#sending;
  }

  /**
   * The state at the end.
   * @throws StateKept where the server took it, but not as the state of the workspace; else why it did not take it
   */
  async last(version: StateVersion): Promise<void> {
    this.#between.abort();
    await this.#sending.catch(() => {});
    try {
      await this.#sendLast(version, AbortSignal.any([this.#client.lost, this.#abandoned]));
    } catch (cause) {
      await this.#sendErrored(version, cause as Error);
    }
  }

  /** One before it, which was left, may be announced behind it, and then takes its place: it is announced anew. */
  async #sendLast(version: StateVersion, signal: AbortSignal): Promise<void> {
    for (let left = MOST_ANNOUNCEMENTS - 1; ; left--) {
      const upload = await this.#createVersion(version, false, signal);
      try {
        return await this.#upload(upload, version, signal);
      } catch (error) {
        if (left === 0 || !isRefusal(error, 409)) throw error;
      }
    }
  }

  async #send(version: StateVersion, intermediate: boolean, signal: AbortSignal): Promise<void> {
    await this.#upload(await this.#createVersion(version, intermediate, signal), version, signal);
  }

  /** @returns where it goes */
  async #createVersion(
    { serial, lineage, bytes }: StateVersion,
    intermediate: boolean,
    signal: AbortSignal,
  ): Promise<unknown> {
    const { links, runId } = this.#place;
    const md5 = createHash('md5').update(bytes).digest('hex');
    const data = {
      type: 'state-versions',
      attributes: { serial, md5, lineage, intermediate },
      relationships: { run: { data: { type: 'runs', id: runId } } },
    };
    const path = this.#client.pathOf(links['state-versions']);
    const made = await this.#client.request({ method: 'POST', path, body: { json: { data } } }, signal);
    const { attributes } = (made as { data?: { attributes?: Record<string, unknown> } } | null)?.data ?? {};
    return attributes?.['hosted-state-upload-url'];
  }

  async #upload(place: unknown, { bytes }: StateVersion, signal: AbortSignal): Promise<void> {
    // None: it has these bytes already.
    if (place === null || place === undefined) return;
    await this.#client.requestSigned(
      { method: 'PUT', path: this.#client.pathOf(place), body: { bytes } },
      signal,
      TIMEOUT,
    );
  }

  async #sendErrored({ bytes }: StateVersion, why: Error): Promise<never> {
    const link = this.#place.links['errored-state'];
    if (typeof link !== 'string') throw why;
    const path = this.#client.pathOf(link);
    await this.#client
      .request({ method: 'PUT', path, body: { bytes } }, this.#abandoned, LAST_TIMEOUT)
      .catch((error) => {
        throw error instanceof Refusal ? new Error(`${why.message}; ${error.message}`) : why;
      });
    throw new StateKept(
      `The state could not be stored: ${why.message}. The server keeps it as the errored state of the apply (${path})`,
    );
  }
}
