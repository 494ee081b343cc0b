import { describe, expect, test } from 'vitest';
import { exactVersion, isNewer, isPrerelease, parseEngineVersion, satisfying } from './version.ts';

const GRID = [0, 1, 2, 3].flatMap((major) =>
  [0, 1, 2, 4, 5, 6, 9, 10].flatMap((minor) => [0, 1, 3, 7, 8].map((patch) => `${major}.${minor}.${patch}`)),
);
const VERSIONS = [...GRID, '0.11.0', '1.2.3', '1.6.0-beta1', '1.6.0-rc1', '1.6.0-rc2'];
const satisfied = (text: string) => VERSIONS.filter(satisfying(text));

describe('parseEngineVersion', () => {
  test.each([
    ['latest', '>=0'],
    ['1.2.3', '=1.2.3'],
    ['0.11.0', '=0.11.0'],
    ['1.5', '=1.5.0'],
    ['1.6.0+build.7', '=1.6.0'],
    ['= 1.2.3', '=1.2.3'],
    ['~> 1.0', '>=1.0.0,<2.0.0'],
    ['~> 1.0.0', '>=1.0.0,<1.1.0'],
    ['~>1.9.7', '>=1.9.7,<1.10.0'],
    ['~> 1', '>=1.0.0'],
    ['~> 1.6.0-rc1', '>=1.6.0,<1.7.0'],
    ['>= 1.6.0-rc1', '>=1.6.0'],
    ['>= 1.2, < 2.0, != 1.5.1', '>=1.2.0,<2.0.0,!=1.5.1'],
    [' > 1 ,<= 3 ', '>1.0.0,<=3.0.0'],
  ])('%j means %j, of releases', (text, same) => {
    expect(parseEngineVersion(text)).toBeDefined();
    expect(satisfied(text)).toEqual(satisfied(same));
    expect(satisfied(text)).not.toEqual([]);
  });

  test.each(['1.6.0-beta1', '= 1.6.0-rc1', '< 0'])('%j is valid, and no release satisfies it', (text) => {
    expect(parseEngineVersion(text)).toBeDefined();
    expect(satisfied(text)).toEqual([]);
  });

  test.each([
    '',
    'nonexisting',
    '1.2.3.4',
    '1.',
    'v1.2.3',
    '1.2.x',
    '*',
    '^1.2',
    '>> 1',
    '1 || 2',
    '1.2, ',
    '1.2.3-',
    '~> latest',
  ])('%j is none', (text) => {
    expect(parseEngineVersion(text)).toBeUndefined();
    expect(satisfied(text)).toEqual([]);
  });
});

test.each([
  ['1.5.7', '1.5.7'],
  ['=1.5', '1.5.0'],
  ['1.6.0-beta1', '1.6.0-beta1'],
])('%j is exact', (text, version) => {
  const { numbers = [], prerelease = '' } = exactVersion(text) ?? {};
  expect([numbers.join('.'), prerelease].filter(Boolean).join('-')).toBe(version);
});

test.each(['latest', '~> 1.5', '>= 1.5', '1.5, 1.5', 'nonexisting'])('%j is not exact', (text) => {
  expect(exactVersion(text)).toBeUndefined();
});

test('versions are ordered', () => {
  const sorted = ['1.9.0', '1.10.0-rc1', 'unknown', '1.10.0', '1.10.0-rc10', '1.10.0-beta3', '1.10.0-rc2', '2.0'];
  expect(sorted.toSorted((a, b) => (isNewer(a, b) ? -1 : 1))).toEqual([
    ...['2.0', '1.10.0', '1.10.0-rc10', '1.10.0-rc2', '1.10.0-rc1', '1.10.0-beta3', '1.9.0', 'unknown'],
  ]);
  expect(sorted.filter(isPrerelease)).toEqual(['1.10.0-rc1', '1.10.0-rc10', '1.10.0-beta3', '1.10.0-rc2']);
});
