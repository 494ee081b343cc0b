/** Texts of the verdicts component. */
export const texts = {
  // Texts of Verdicts.tsx
  verdicts: 'Verdicts',
  acceptsIt: 'accepts it',
  refusesIt: 'refuses it',
  checksOf: (name: string) => `Checks of ${name}`,
  check: 'Check',
  expected: 'Expected',
  actual: 'Actual',
  morePassed: (left: number) => (left === 1 ? '1 more check passed' : `${left} more checks passed`),
  passed2: 'passed: ',
  refused: 'refused: ',
  certificate: 'Certificate',
  // Texts of verdicts.ts
  moreWereNotChecked: (leftOut: number) => `; ${leftOut} more were not checked. Select one to check it.`,
  thereIsNoThat: (one: string) => `There is no ${one} that could accept it`,
  not: 'not ',
  theOnlyWouldAcceptIt: (one: string, not: string, rest: string) => `The only ${one} would ${not}accept it${rest}`,
  noneOfWouldAcceptIt: (ofName: string, rest: string) => `None of ${ofName} would accept it${rest}`,
  ofWouldAcceptIt: (admitting: number, ofName: string, rest: string) =>
    `${admitting} of ${ofName} would accept it${rest}`,
  passed3: (checks: string) => `${checks} passed`,
  ofChecksFailed: (length: number, value: number, refused: string) => `${length} of ${value} checks failed: ${refused}`,
};
