import { AppError } from '../../lib/errors.ts';
import { Slots } from '../../lib/slots.ts';

/**
 * @limit concurrent requests of a node to verify notification receivers, run tasks and sign-in providers, requests ->
 * 429
 */
const MOST_TRIALS = 32;
/** @limit concurrent verification requests of one organization, requests -> 429 */
const MOST_OF_ORGANIZATION = 4;
/** @limit concurrent verification requests to one host, requests -> 429 */
const MOST_TO_HOST = 8;

const BUSY = 'Too many URLs are being verified. Try again in a few seconds';

/** Limits concurrent requests to user-supplied URLs for whose result a client waits. */
export class Trials {
  readonly #busy: string;
  readonly #slots: Slots<'of' | 'to'>;

  /**
   * @param busy message of the error above a limit
   * @param toHost concurrent requests to one host
   */
  constructor(busy = BUSY, toHost = MOST_TO_HOST) {
    this.#busy = busy;
    this.#slots = new Slots(MOST_TRIALS, { of: MOST_OF_ORGANIZATION, to: toHost });
  }

  /** Runs a request. Call it outside of any transaction. @throws 429 above a limit */
  async run<T>(organizationId: string, url: string, trial: () => Promise<T>): Promise<T> {
    const giveBack = this.#slots.acquire({ of: organizationId, to: new URL(url).host });
    if (giveBack === undefined) throw new AppError('too-many-requests', this.#busy);
    try {
      return await trial();
    } finally {
      giveBack();
    }
  }
}
