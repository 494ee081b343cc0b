import { AppError } from '../../../lib/errors.ts';
import { Slots } from '../../../lib/slots.ts';

/** @limit concurrent explorer queries of one organization, queries -> 429 */
const QUERIES_OF_ORGANIZATION = 8;
/** @limit concurrent explorer queries of a process, queries -> 429 */
const QUERIES = 32;
/** @limit CSV files of the explorer that one organization reads at the same time, files -> 429 */
const FILES_OF_ORGANIZATION = 2;
/** @limit CSV files of the explorer that a process sends at the same time, files -> 429 */
const FILES = 8;

/** Seconds after which a client may ask again. */
const QUERY_RETRY = 1;
const FILE_RETRY = 10;

/** Places of queries and files. A query holds the rows that it works on, and a file holds them until it is sent. */
export class ExplorerPlaces {
  readonly #queries = new Slots(QUERIES, { of: QUERIES_OF_ORGANIZATION });
  readonly #files = new Slots(FILES, { of: FILES_OF_ORGANIZATION });

  /** Takes a place for a query. @returns the function that gives it back @throws 429 without a free place */
  forQuery(organizationId: string): () => void {
    const giveBack = this.#queries.acquire({ of: organizationId });
    if (giveBack !== undefined) return giveBack;
    const detail = 'Too many explorer queries are running. Try again in a second';
    throw new AppError('too-many-requests', detail, { retryAfter: QUERY_RETRY });
  }

  /** Takes a place for a CSV file, as `forQuery`. */
  forFile(organizationId: string): () => void {
    const giveBack = this.#files.acquire({ of: organizationId });
    if (giveBack !== undefined) return giveBack;
    const detail =
      'Too many CSV files of the explorer are being downloaded. Wait until one ends, or close its connection';
    throw new AppError('too-many-requests', detail, { retryAfter: FILE_RETRY });
  }
}
