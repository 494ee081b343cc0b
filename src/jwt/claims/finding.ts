/**
 * Result of one check of a token: the expected and the actual value, in words for an administrator. It never contains
 * the token itself.
 */
export interface Finding {
  readonly check: string;
  readonly outcome: 'passed' | 'refused';
  readonly expected: string;
  readonly actual: string;
}

/** @limit a text in a finding about a token, characters -> the text is cut */
const MAX_TEXT = 300;
const shortened = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

export const finding = (check: string, holds: boolean, expected: string, actual: string): Finding => ({
  check,
  outcome: holds ? 'passed' : 'refused',
  expected: shortened(expected),
  actual: shortened(actual),
});

/** Returns whether every check passed. */
export const holdsAll = (findings: readonly Finding[]): boolean =>
  findings.every(({ outcome }) => outcome === 'passed');
