import { type Position, refused, type Verdict } from './verdict.ts';

/**
 * Signature checks in one search; they are what costs: 0.03 to 0.3 ms each.
 * @limit signature checks of one search, checks -> the search ends, and the login is refused
 */
const MAX_SIGNATURES = 64;
/**
 * Times that some certificate is tried as the issuer of another.
 * @limit times that a certificate is tried as an issuer, in one search, times -> the search ends, and the login is refused
 */
const MAX_CANDIDATES = 1000;
/**
 * Of a name with a name constraint.
 * @limit comparisons of names with constraints in one search, comparisons -> the search ends, and the login is refused
 */
const MAX_COMPARISONS = 200_000;

/** What one search may still do. A stranger chooses the certificates, so the work has to end whatever they are. */
export class WorkLimit {
  #signatures = MAX_SIGNATURES;
  #candidates = MAX_CANDIDATES;
  #comparisons = MAX_COMPARISONS;
  #exceeded: string | undefined;

  /** True when a limit was met: the search is over. */
  get isExceeded(): boolean {
    return this.#exceeded !== undefined;
  }

  /** False when it must not be done any more; so for the other two. */
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

  /** Says which limit was met, and where. */
  refusal(position: Position): Verdict {
    return refused('work-limit', position, `at most ${this.#exceeded} in one search`, 'more would be needed');
  }

  #within(left: number, limit: string): boolean {
    if (left < 0) this.#exceeded ??= limit;
    return !this.isExceeded;
  }
}
