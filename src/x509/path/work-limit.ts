import { type Position, refused, type Verdict } from './verdict.ts';

/**
 * Signature checks are the main cost of a search: 0.03 to 0.3 ms each.
 * @limit signature checks of one path search, checks -> the search ends, and the login is refused
 */
const MAX_SIGNATURES = 64;
/**
 * Number of times that a certificate is tried as the issuer of another.
 * @limit candidate issuers tried in one path search, attempts -> the search ends, and the login is refused
 */
const MAX_CANDIDATES = 1000;
/**
 * Number of comparisons of a name with a name constraint.
 * @limit comparisons of names with constraints in one path search, comparisons -> the search ends, and the login is
 * refused
 */
const MAX_COMPARISONS = 200_000;

/** Work limit of one search. Clients choose the certificates, so the work must be bounded for any of them. */
export class WorkLimit {
  #signatures = MAX_SIGNATURES;
  #candidates = MAX_CANDIDATES;
  #comparisons = MAX_COMPARISONS;
  #exceeded: string | undefined;

  /** Whether a limit was exceeded, which ends the search. */
  get isExceeded(): boolean {
    return this.#exceeded !== undefined;
  }

  /** Counts one more and returns false above the limit; the next two methods do the same. */
  tryCandidate(): boolean {
    this.#candidates -= 1;
    return this.#within(this.#candidates, `${MAX_CANDIDATES} candidate issuers`);
  }

  checkSignature(): boolean {
    this.#signatures -= 1;
    return this.#within(this.#signatures, `${MAX_SIGNATURES} signature checks`);
  }

  compareNames(count: number): boolean {
    this.#comparisons -= count;
    return this.#within(this.#comparisons, `${MAX_COMPARISONS} comparisons of names with constraints`);
  }

  /** Returns a refusal with the exceeded limit and the position. */
  refusal(position: Position): Verdict {
    return refused('work-limit', position, `at most ${this.#exceeded} in one search`, 'more would be needed');
  }

  #within(left: number, limit: string): boolean {
    if (left < 0) this.#exceeded ??= limit;
    return !this.isExceeded;
  }
}
