import { describe, expect, test } from 'vitest';
import { isSatisfied, parseConstraint } from './constraint.ts';
import { parseVersion } from './version.ts';

function allows(constraint: string, text: string): boolean {
  const [parsed, version] = [parseConstraint(constraint), parseVersion(text)];
  if (parsed === undefined || version === undefined) throw new Error(`${constraint} or ${text} is invalid`);
  return isSatisfied(parsed, version);
}

/** Constraint, versions that it allows, versions that it does not allow. */
type Row = readonly [constraint: string, allowed: readonly string[], refused: readonly string[]];

describe.each<readonly [string, readonly Row[]]>([
  [
    'one operator',
    [
      ['1.2.3', ['1.2.3', '1.2.3+build'], ['1.2.4', '1.2.2', '1.2.3-rc1']],
      ['= 1.2', ['1.2', '1.2.0'], ['1.2.1', '1.2.0-rc1']],
      ['=1.2.3', ['1.2.3'], ['1.2.4']],
      ['!= 1.2.3', ['1.2.2', '1.2.4', '2.0.0'], ['1.2.3', '1.2.3+build']],
      ['> 1.2', ['1.2.1', '1.3.0', '2.0.0'], ['1.2.0', '1.1.9', '0.9.9']],
      ['>= 1.2', ['1.2.0', '1.2.1', '10.0.0'], ['1.1.99', '0.10.0']],
      ['< 1.2.0', ['1.1.99', '0.0.1'], ['1.2.0', '1.10.0']],
      ['<= 1.2.0', ['1.2.0', '1.1.0'], ['1.2.1', '2.0.0']],
    ],
  ],
  [
    'the last written number may grow',
    [
      ['~> 1', ['1.0.0', '1.9.0', '2.0.0', '30.1.2'], ['0.9.9']],
      ['~> 1.0', ['1.0.0', '1.0.1', '1.99.0'], ['0.9.9', '2.0.0']],
      ['~> 1.2', ['1.2.0', '1.3.0', '1.10.4'], ['1.1.9', '2.0.0', '2.2.0']],
      ['~> 1.2.3', ['1.2.3', '1.2.99'], ['1.2.2', '1.3.0', '2.2.3']],
      ['~> 0.0.0', ['0.0.0', '0.0.9'], ['0.1.0']],
      ['~>1.9.7', ['1.9.8'], ['1.10.0']],
    ],
  ],
  [
    'several conditions',
    [
      ['>= 1.2, < 2.0', ['1.2.0', '1.9.9'], ['1.1.9', '2.0.0']],
      ['>= 1.2, < 2.0, != 1.5.1', ['1.5.0', '1.5.2'], ['1.5.1']],
      ['~> 1.4, != 1.4.2', ['1.4.1', '1.5.0'], ['1.4.2', '2.0.0']],
      [' > 1 ,<= 3 ', ['1.0.1', '3.0.0'], ['1.0.0', '3.0.1']],
      ['> 1.5, < 1.5', [], ['1.4.9', '1.5.0', '1.5.1']],
      ['1.2.3, 1.2.3', ['1.2.3'], ['1.2.4']],
    ],
  ],
  [
    'a range without a prerelease has no prereleases',
    [
      ['>= 1.2.0', ['1.2.1'], ['1.2.0-rc1', '1.3.0-rc1', '2.0.0-beta']],
      ['> 1.2.0', ['1.2.1'], ['1.2.1-rc1']],
      ['< 1.2.0', ['1.1.9'], ['1.2.0-rc1', '1.1.0-rc1']],
      ['<= 1.2.0', ['1.2.0'], ['1.2.0-rc1']],
      ['~> 1.2', ['1.2.0'], ['1.3.0-rc1', '1.2.0-rc1']],
      ['!= 1.2.0', ['1.2.0-rc1', '1.3.0-rc1'], ['1.2.0']],
    ],
  ],
  [
    'a range with a prerelease has prereleases of the same numbers only',
    [
      ['= 1.2.0-rc1', ['1.2.0-rc1', '1.2.0-rc1+build'], ['1.2.0', '1.2.0-rc2']],
      ['!= 1.2.0-rc1', ['1.2.0', '1.2.0-rc2', '1.3.0-rc1'], ['1.2.0-rc1']],
      ['>= 1.2.0-rc.2', ['1.2.0-rc.2', '1.2.0-rc.10', '1.2.0', '1.3.0'], ['1.2.0-rc.1', '1.3.0-rc.3', '1.1.9']],
      ['> 1.2.0-beta', ['1.2.0-rc', '1.2.0'], ['1.2.0-beta', '1.2.0-alpha', '1.2.1-rc']],
      ['< 1.2.0-rc1', ['1.2.0-beta', '1.1.9', '1.0.0'], ['1.2.0-rc1', '1.2.0', '1.1.0-beta']],
      ['<= 1.2.0-rc1', ['1.2.0-rc1', '1.1.0'], ['1.2.0', '1.1.0-rc1']],
      ['~> 1.2.0-rc1', ['1.2.0-rc1', '1.2.0-rc2'], ['1.2.0', '1.2.1', '1.2.1-rc1', '1.3.0-rc1', '1.2.0-beta']],
      ['~> 1.2-rc1', ['1.2.0-rc1'], ['1.2.0', '1.3.0', '1.3.0-rc1']],
      ['>= 1.2.0-rc1, < 2.0.0', ['1.2.0', '1.9.0'], ['1.2.0-rc1', '2.0.0']],
      ['>= 1.2.0-beta, < 1.2.0-rc', ['1.2.0-beta', '1.2.0-beta.2'], ['1.2.0-rc', '1.2.0']],
    ],
  ],
])('%s', (_, rows) => {
  test.each(rows)('%s', (constraint, allowed, refused) => {
    expect(allowed.filter((version) => !allows(constraint, version))).toEqual([]);
    expect(refused.filter((version) => allows(constraint, version))).toEqual([]);
  });
});

test.each([
  ...[
    '',
    ' ',
    ',',
    '1.2,',
    ',1.2',
    '1.2,,1.3',
    '>',
    '>> 1',
    '=> 1',
    '== 1',
    '~ 1',
    '^1.2',
    '*',
    '1.x',
    '1 || 2',
    '1 2',
  ],
  ...['v1.2', '>= v1.2', '1.2.3.4', '~> latest', 'latest', '>= 1.2; < 2', '1.2.3-', '> 1.2\n, < 2\n.0'],
])('%j is not a constraint', (text) => {
  expect(parseConstraint(text)).toBeUndefined();
});
