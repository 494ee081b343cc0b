import { describe, expect, test } from 'vitest';
import { EngineReleases } from './releases.ts';

const UNSAID = { engine: null, inherited: 'opentofu' } as const;
const TOFU = { engine: 'opentofu', inherited: 'terraform' } as const;
const TERRAFORM = { engine: 'terraform', inherited: 'opentofu' } as const;

describe('EngineReleases', () => {
  const releases = new EngineReleases([
    ...[
      'opentofu 1.30.0',
      'terraform 1.31.1',
      '1.29.0',
      'opentofu 1.32.0-beta1',
      'nonsense',
      'terraform',
      'other 2.0.0',
    ],
  ]);

  test.each([
    [UNSAID, 'latest', 'opentofu 1.30.0'],
    [TOFU, 'latest', 'opentofu 1.30.0'],
    [TERRAFORM, 'latest', 'terraform 1.31.1'],
    [{ engine: null, inherited: 'terraform' } as const, 'latest', 'terraform 1.31.1'],
    [TOFU, '~> 1.11.0', 'opentofu 1.11.14'],
    [TERRAFORM, '~> 1.11.0', 'terraform 1.11.4'],
    [TOFU, '~> 1.29', 'opentofu 1.30.0'],
    [TERRAFORM, '~> 1.29.0', 'terraform 1.29.0'],
    [UNSAID, '>= 1.2, < 2.0', 'opentofu 1.30.0'],
    [UNSAID, '1.8', 'opentofu 1.8.0'],
    [UNSAID, '9.9.9', 'opentofu 9.9.9'],
    [TERRAFORM, '1.32.0-beta1', 'terraform 1.32.0-beta1'],
    [TERRAFORM, '> 1.5, < 1.6', 'terraform 1.5.7'],
  ])('of %j, %j stands for %s', (wish, version, release) => {
    expect(written(wish, version)).toBe(release);
  });

  test.each([
    ['~> 1.0.0', 'terraform 1.0.11'],
    ['~> 0.11', 'terraform 0.15.5'],
    ['>= 1.2, < 1.5.4, != 1.5.3', 'terraform 1.5.2'],
    ['< 0.12', 'terraform 0.11.15'],
    ['1.5', 'terraform 1.5.0'],
    ['= 1.5.7', 'terraform 1.5.7'],
    ['1.6.0-alpha1', 'opentofu 1.6.0-alpha1'],
  ])('a version older than any OpenTofu means Terraform if the workspace names no engine: %j', (version, release) => {
    expect(written(UNSAID, version)).toBe(release);
    expect(releases.choose(TOFU, version).kind).toBe('opentofu');
  });

  test.each([
    [UNSAID, '~> 9.0'],
    [UNSAID, '> 1.30.0, < 2.0'],
    [UNSAID, '~> 1.16.0'],
    [TOFU, '~> 1.5.0'],
    [UNSAID, 'nonexisting'],
    [UNSAID, ''],
    [UNSAID, '> 1.5, < 1.5'],
  ])('of %j, %j stands for no release', (wish, version) => {
    expect(releases.choose(wish, version).release).toBeUndefined();
  });

  test('the known releases are listed from the newest to the oldest, prereleases by their number', () => {
    const added = ['1.40.0-rc2', '1.40.0-beta1', '1.40.0-rc10', '1.40.0'];
    const known = new EngineReleases(added.map((version) => `opentofu ${version}`)).known('opentofu');
    expect(known.slice(0, 4).map(({ version }) => version)).toEqual([
      ...['1.40.0', '1.40.0-rc10', '1.40.0-rc2', '1.40.0-beta1'],
    ]);
    expect(known[4]?.isBuiltIn).toBe(true);
  });

  test('whether the workspace asks for a version', () => {
    expect(releases.choose(UNSAID, 'latest').isPinned).toBe(false);
    for (const version of ['1.8.0', '~> 1.8', 'nonexisting'])
      expect(releases.choose(UNSAID, version).isPinned, version).toBe(true);
  });

  function written(wish: Parameters<EngineReleases['choose']>[0], version: string): string {
    const { kind, release } = releases.choose(wish, version);
    return `${kind} ${release}`;
  }
});
