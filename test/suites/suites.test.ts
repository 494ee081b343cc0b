import { describe, expect, test } from 'vitest';
import { DEVIATIONS, type Deviation } from './deviations.ts';
import { runCase } from './run-case.ts';
import { casesOf, type SuiteName, suitesArePresent } from './suite.ts';

const SUITES: readonly { name: SuiteName; cases: number }[] = [
  { name: 'limbo', cases: 194 },
  { name: 'pkits', cases: 212 },
  { name: 'bettertls', cases: 2393 },
];

/** Returns every case with an unexpected outcome. */
function differences(suite: SuiteName): { accepted: string[]; refused: string[] } {
  const accepted: string[] = [];
  const refused: string[] = [];
  for (const suiteCase of casesOf(suite)) {
    const result = runCase(suiteCase);
    if (result === suiteCase.expected_result) continue;
    (result === 'SUCCESS' ? accepted : refused).push(suiteCase.id);
  }
  return { accepted, refused };
}

function listed(deviations: readonly Deviation[]): string[] {
  return deviations.flatMap((deviation) => deviation.cases);
}

const title = suitesArePresent
  ? 'the public suite'
  : 'skipped, as the suites are not beside this repository: the public suite';

describe.skipIf(!suitesArePresent)(title, () => {
  describe.each(SUITES)('$name', ({ name, cases }) => {
    test('is complete', () => {
      expect(casesOf(name)).toHaveLength(cases);
    });

    test('differs from the expected outcomes only in the listed cases', () => {
      const { accepted, acceptedWithoutRevocation, refused } = DEVIATIONS[name];
      const found = differences(name);
      expect(found.accepted.toSorted(), 'accepted, must be refused').toEqual(
        [...listed(accepted), ...acceptedWithoutRevocation].toSorted(),
      );
      expect(found.refused.toSorted(), 'refused, must be accepted').toEqual(listed(refused).toSorted());
    });
  });
});
