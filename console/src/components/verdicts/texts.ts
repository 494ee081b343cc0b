/** Texts of the verdicts component. */
// Texts of Verdicts.tsx
export const verdicts = 'Verdicts';
export const acceptsIt = 'accepts it';
export const refusesIt = 'refuses it';
export const checksOf = (name: string) => `Checks of ${name}`;
export const check = 'Check';
export const expected = 'Expected';
export const actual = 'Actual';
export const morePassed = (left: number) => (left === 1 ? '1 more check passed' : `${left} more checks passed`);
export const passed2 = 'passed: ';
export const refused = 'refused: ';
export const certificate = 'Certificate';
// Texts of verdicts.ts
export const moreWereNotChecked = (leftOut: number) => `; ${leftOut} more were not checked. Select one to check it.`;
export const thereIsNoThat = (one: string) => `There is no ${one} that could accept it`;
export const not = 'not ';
export const theOnlyWouldAcceptIt = (one: string, not: string, rest: string) =>
  `The only ${one} would ${not}accept it${rest}`;
export const noneOfWouldAcceptIt = (ofName: string, rest: string) => `None of ${ofName} would accept it${rest}`;
export const ofWouldAcceptIt = (admitting: number, ofName: string, rest: string) =>
  `${admitting} of ${ofName} would accept it${rest}`;
export const passed3 = (checks: string) => `${checks} passed`;
export const ofChecksFailed = (length: number, value: number, refused: string) =>
  `${length} of ${value} checks failed: ${refused}`;
