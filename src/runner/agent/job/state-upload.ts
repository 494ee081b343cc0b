import { createHash } from 'node:crypto';
import { StateKept } from '../../ports.ts';
import type { StateVersion } from '../../state/state-file.ts';
import { isRefusal, Refusal } from '../http/failures.ts';
import { type JobClient, TIMEOUT } from './job-client.ts';
import type { JobLinks } from './job-document.ts';

/** How long the upload of the errored state is retried, in ms. */
const LAST_TIMEOUT = 120_000;

/**
 * @limit attempts to upload the last state while other versions supersede it, attempts -> the state becomes the errored
 * state
 */
const MOST_ANNOUNCEMENTS = 3;

/** Destination of the states of an apply. */
export interface StatePlace {
  readonly links: JobLinks;
  readonly runId: string;
}

/** Uploads the states of an apply: intermediate versions as time allows, the last one with retries. */
export class StateUpload {
  readonly #client: JobClient;
  readonly #place: StatePlace;
  readonly #abandoned: AbortSignal;
  #between = new AbortController();
  #sending: Promise<void> = Promise.resolve();

  /** @param abandoned aborts also the upload of the last state */
  constructor(client: JobClient, place: StatePlace, abandoned: AbortSignal) {
    this.#client = client;
    this.#place = place;
    this.#abandoned = abandoned;
  }

  /** Uploads an intermediate state. The upload is aborted when the last state comes. */
  async between(version: StateVersion): Promise<void> {
    const signal = AbortSignal.any([this.#between.signal, this.#client.lost, this.#abandoned]);
    this.#sending = this.#send(version, true, signal);
    this.#sending.catch(() => {});
    await this.#sending;
  }

  /**
   * Uploads the last state.
   * @throws StateKept if the server stored it only as the errored state; otherwise the reason why it was not stored
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

  /** Creates the version again if an aborted intermediate upload, which the server handled later, has superseded it. */
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

  /** Creates a state version. @returns the URL for its bytes; null if the server already has them */
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
    // If the server returns no upload URL, it already has these bytes.
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
