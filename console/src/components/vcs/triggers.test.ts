import { expect, test } from 'vitest';
import { attributesOf, followedOf, NOTHING_FOLLOWED } from './triggers.ts';

const repo = {
  ...{ identifier: 'acme/infra', 'display-identifier': 'acme/infra', branch: '', 'tags-regex': '' },
  ...{ 'oauth-token-id': 'ot-1', 'ingress-submodules': false, tags: false },
};
const stored = {
  'vcs-repo': repo as never,
  ...{ 'file-triggers-enabled': true, 'trigger-patterns': [] as string[], 'trigger-prefixes': [] as string[] },
  ...{ 'speculative-enabled': true, 'queue-all-runs': false },
};

test('each kind of trigger is read, and written without the others', () => {
  const kinds = {
    directory: {},
    all: { 'file-triggers-enabled': false },
    patterns: { 'trigger-patterns': ['/a/*', '/b/*'] },
    prefixes: { 'trigger-prefixes': ['a'] },
    tags: { 'vcs-repo': { ...repo, 'tags-regex': '^v' } as never, 'file-triggers-enabled': false },
  };
  for (const [kind, change] of Object.entries(kinds)) {
    const followed = followedOf({ ...stored, ...change });
    expect(followed.kind).toBe(kind);
    const { 'vcs-repo': written, ...attributes } = attributesOf(followed);
    const expected = { ...stored, ...change };
    expect(attributes).toEqual({ ...expected, 'vcs-repo': undefined });
    expect(written?.['tags-regex']).toBe(kind === 'tags' ? '^v' : '');
  }
});

test('a connection is a token or an installation, and none removes the repository', () => {
  const of = { ...NOTHING_FOLLOWED, identifier: ' acme/infra ' };
  expect(attributesOf({ ...of, connection: 'ghain-1' })['vcs-repo']).toMatchObject({
    identifier: 'acme/infra',
    'github-app-installation-id': 'ghain-1',
  });
  expect(attributesOf({ ...of, connection: 'ot-1' })['vcs-repo']).toMatchObject({ 'oauth-token-id': 'ot-1' });
  expect(attributesOf(of)).toEqual({ 'vcs-repo': null });
});
