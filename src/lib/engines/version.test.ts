import { describe, expect, test } from 'vitest';
import { parseEngineVersion } from './version.ts';

/** Formats the comparators of a text, such as `>=1.0.0 <2.0.0`. */
function written(text: string): string | undefined {
  return parseEngineVersion(text)
    ?.map(({ operator, version: { numbers, prerelease } }) => {
      return `${operator}${numbers.join('.')}${prerelease === '' ? '' : `-${prerelease}`}`;
    })
    .join(' ');
}

describe('parseEngineVersion', () => {
  test.each([
    ['latest', ''],
    ['1.2.3', '=1.2.3'],
    ['0.11.0', '=0.11.0'],
    ['1.5', '=1.5.0'],
    ['1.6.0-beta1', '=1.6.0-beta1'],
    ['1.6.0+build.7', '=1.6.0'],
    ['= 1.2.3', '=1.2.3'],
    ['~> 1.0', '>=1.0.0 <2.0.0'],
    ['~> 1.0.0', '>=1.0.0 <1.1.0'],
    ['~>1.9.7', '>=1.9.7 <1.10.0'],
    ['~> 1', '>=1.0.0'],
    ['~> 1.6.0-rc1', '>=1.6.0-rc1 <1.7.0'],
    ['>= 1.2, < 2.0, != 1.5.1', '>=1.2.0 <2.0.0 !=1.5.1'],
    [' > 1 ,<= 3 ', '>1.0.0 <=3.0.0'],
  ])('%j is %j', (text, comparators) => {
    expect(written(text)).toBe(comparators);
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
  });
});
