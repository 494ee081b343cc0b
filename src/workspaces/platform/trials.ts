import { AppError } from '../../lib/errors.ts';
import { Slots } from '../../lib/slots.ts';

/** @limit receivers of notifications and run tasks that are verified at a time on a node, and sign-in providers, requests -> 429 */
const MOST_TRIALS = 32;
/** @limit of these, those of one organization, requests -> 429 */
const MOST_OF_ORGANIZATION = 4;
/** @limit of these, those to one host, requests -> 429 */
const MOST_TO_HOST = 8;

const BUSY = 'Too many addresses are being tried, try again in a few seconds';

/** Places for requests to addresses of users whose outcome somebody waits for. */
export class Trials {
  readonly #slots = new Slots(MOST_TRIALS, { of: MOST_OF_ORGANIZATION, to: MOST_TO_HOST });

  /** Outside of any unit of work. @throws 429 when too many are tried */
  async run<T>(organizationId: string, url: string, trial: () => Promise<T>): Promise<T> {
    const giveBack = this.#slots.acquire({ of: organizationId, to: new URL(url).host });
    if (giveBack === undefined) throw new AppError('too-many-requests', BUSY);
    try {
      return await trial();
    } finally {
      giveBack();
    }
  }
}
