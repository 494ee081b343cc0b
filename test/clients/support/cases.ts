import { describe, expect, it } from 'vitest';

/** What a client's own test runner said about one case. */
export interface Case {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped, or what went wrong. */
  readonly detail: string;
}

/** Each case that another runner has run, as a test of ours. */
export function reportCases(client: string, cases: readonly Case[]): void {
  describe(client, () => {
    it('ran', () => expect(cases.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(0));
    for (const { name, outcome, detail } of cases) {
      if (outcome === 'skipped') it.skip(`${name}: ${detail}`);
      else it(name, () => outcome === 'passed' || expect.fail(detail));
    }
  });
}
