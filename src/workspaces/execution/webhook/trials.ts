import { AppError } from '../../../lib/errors.ts';
import { Slots } from '../../../lib/slots.ts';

/** @limit verifications of notification configurations and run tasks at a time on a node, requests -> 429 */
const MOST_TRIALS = 32;
/** @limit of these, those of one organization, requests -> 429 */
const MOST_OF_ORGANIZATION = 4;
/** @limit of these, those to one receiver, requests -> 429 */
const MOST_TO_RECEIVER = 8;

const BUSY = 'Too many receivers are being verified, try again in a few seconds';

/** Places for messages that somebody waits for: whether a receiver answers before it is stored. */
export class Trials {
  readonly #slots = new Slots(MOST_TRIALS, { of: MOST_OF_ORGANIZATION, to: MOST_TO_RECEIVER });

  /** Outside of any unit of work. @throws 429 when too many are tried */
  async run<T>(organizationId: string, url: string, trial: () => Promise<T>): Promise<T> {
    const giveBack = this.#slots.take({ of: organizationId, to: new URL(url).host });
    if (giveBack === undefined) throw new AppError('too-many-requests', BUSY);
    try {
      return await trial();
    } finally {
      giveBack();
    }
  }
}
