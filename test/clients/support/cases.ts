import { describe, expect, it } from 'vitest';

/** Result of one case from a client's own test runner. */
export interface Case {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Reason for the skip, or the failure. */
  readonly detail: string;
}

/** Reports each case of another test runner as a test of this suite. */
export function reportCases(client: string, cases: readonly Case[]): void {
  describe(client, () => {
    it('ran', () => expect(cases.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(0));
    for (const { name, outcome, detail } of cases) {
      if (outcome === 'skipped') it.skip(`${name}: ${detail}`);
      else it(name, () => outcome === 'passed' || expect.fail(detail));
    }
  });
}
