import { describe, expect, test } from 'vitest';
import { EngineReleases } from './releases.ts';

describe('EngineReleases', () => {
  const releases = new EngineReleases(['1.30.0', '1.30.1', '1.31.0-beta1', 'nonsense']);

  test.each([
    ['latest', '1.30.1'],
    ['~> 1.0.0', '1.0.11'],
    ['~> 0.11', '0.15.5'],
    ['>= 1.2, < 1.5.4, != 1.5.3', '1.5.2'],
    ['< 0.12', '0.11.15'],
    ['> 1.30.0', '1.30.1'],
    ['1.5', '1.5.0'],
    ['= 1.5.7', '1.5.7'],
    ['9.9.9', '9.9.9'],
    ['1.31.0-beta1', '1.31.0-beta1'],
  ])('%j stands for %s', (text, release) => {
    expect(releases.resolve(text)).toBe(release);
  });

  test.each(['~> 9.0', '> 1.30.1', 'nonexisting', '', '> 1.5, < 1.5'])('%j stands for no release', (text) => {
    expect(releases.resolve(text)).toBeUndefined();
  });
});
