import { describe, expect, test } from 'vitest';
import { compareVersions, isFullVersion, parseVersion, type Version, versionText } from './version.ts';

const version = (text: string): Version => {
  const parsed = parseVersion(text);
  if (parsed === undefined) throw new Error(`${text} is not a version`);
  return parsed;
};

describe('parseVersion', () => {
  test.each([
    ['1.2.3', '1.2.3'],
    ['1.2', '1.2.0'],
    ['1', '1.0.0'],
    ['0.0.0', '0.0.0'],
    ['01.002.3', '1.2.3'],
    ['1.2.3-rc1', '1.2.3-rc1'],
    ['1.2-rc.1', '1.2.0-rc.1'],
    ['1.2.3-x-y-z.--', '1.2.3-x-y-z.--'],
    ['1.2.3+build.7', '1.2.3'],
    ['1.2.3-rc.1+build-7', '1.2.3-rc.1'],
    ['999999999.0.0', '999999999.0.0'],
  ])('%j is %s', (text, written) => {
    expect(versionText(version(text))).toBe(written);
  });

  test.each([
    ...['', ' ', 'latest', 'v1.2.3', '1.2.3.4', '1.', '.1', '1..2', '-1', '1.2.x', '1.2.3-', '1.2.3+', '1.2.3-a..b'],
    ...['1.2.3-rc_1', '1.2.3rc1', '1.2.3 ', ' 1.2.3', '1.2.3\n', '1.2.3-é', '9999999999.0.0', '>= 1.0', '1.0, 1.1'],
  ])('%j is not a version', (text) => {
    expect(parseVersion(text)).toBeUndefined();
  });
});

describe('isFullVersion', () => {
  test.each(['1.12.6', '0.11.15', '1.13.0-rc1', '1.15.0-alpha20260204', '1.0.0-rc.1'])('%s is one', (text) => {
    expect(isFullVersion(text)).toBe(true);
  });

  test.each([
    ...['1.9', '1', '', '~> 1.9.0', '1.9.0+build', '../1.9.0', '1.9.0/../1.9.0', '1.9.0\n', '1.9.0-..', '1.9.0-a/b'],
    `1.9.0-${'a'.repeat(80)}`,
  ])('%j is not: it would become part of a path', (text) => {
    expect(isFullVersion(text)).toBe(false);
  });
});

/** From the oldest to the newest. */
const ORDER = [
  ...['0.0.1', '0.9.9', '0.10.0', '1.0.0-0', '1.0.0-2', '1.0.0-10', '1.0.0-99999999999999999998'],
  ...['1.0.0-99999999999999999999', '1.0.0-1a', '1.0.0-Beta', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.2'],
  ...['1.0.0-alpha.10', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc10', '1.0.0-rc2'],
  ...['1.0.0', '1.0.1-rc1', '1.0.1', '1.1.0', '2.0.0-a', '2.0.0', '10.0.0'],
];

test('versions are ordered by their precedence', () => {
  for (const [index, one] of ORDER.entries()) {
    for (const [against, other] of ORDER.entries()) {
      const order = compareVersions(version(one), version(other));
      expect(Math.sign(order), `${one} and ${other}`).toBe(Math.sign(index - against));
    }
  }
});

test.each([
  ['1.2', '1.2.0'],
  ['1.2.3+one', '1.2.3+other'],
  ['1.0.0-010', '1.0.0-10'],
])('%s and %s have the same precedence', (one, other) => {
  expect(compareVersions(version(one), version(other))).toBe(0);
});
