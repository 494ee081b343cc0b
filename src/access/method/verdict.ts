/**
 * Result of one check of a login: the expected and the actual value. A role accepts a login if all verdicts have
 * passed. Verdicts go to the log and to `login/explain`; the client gets one generic message.
 */
export interface Verdict {
  readonly check: string;
  readonly outcome: 'passed' | 'refused';
  /** Position (0 is the leaf) and subject of the certificate that the check is about. */
  readonly certificate?: { readonly index: number; readonly subject: string };
  readonly expected: string;
  readonly actual: string;
}

export const allPassed = (verdicts: readonly Verdict[]): boolean =>
  verdicts.every(({ outcome }) => outcome === 'passed');
