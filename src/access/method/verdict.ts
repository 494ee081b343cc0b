/**
 * One finding of a login: what was checked, what is asked for and what the certificate shows. A role admits when all its
 * verdicts have passed; the list is what goes to the log and to whoever may ask why. The caller gets one generic text.
 */
export interface Verdict {
  readonly check: string;
  readonly outcome: 'passed' | 'refused';
  /** Where a check is about one certificate of the path: its place (0 is the leaf) and subject. */
  readonly certificate?: { readonly index: number; readonly subject: string };
  readonly expected: string;
  readonly actual: string;
}

export const allPassed = (verdicts: readonly Verdict[]): boolean =>
  verdicts.every(({ outcome }) => outcome === 'passed');
