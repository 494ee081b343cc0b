import { expect, test } from 'vitest';
import {
  accessInWords,
  forWhich,
  groupsOf,
  type Identity,
  namesIn,
  ownerOf,
  type RoleInfo,
  roleInWords,
} from './bridges.ts';
import { readView } from './view.ts';

const identity = (id: string, role: string, name: string | null = null, pool = false): Identity =>
  ({
    id,
    attributes: { mount: 'cert', role, 'common-name': name, 'acts-for': 'deploy' },
    relationships: {
      organization: { data: { id: 'acme' } },
      team: { data: pool ? null : { id: 'team-1' } },
      'agent-pool': { data: pool ? { id: 'apool-1' } : null },
    },
  }) as unknown as Identity;

test('identities are grouped by role', () => {
  const groups = groupsOf([identity('1', 'a'), identity('2', 'b'), identity('3', 'a')]);
  expect(groups.map(({ role, identities }) => [role, identities.map(({ id }) => id)])).toEqual([
    ['a', ['1', '3']],
    ['b', ['2']],
  ]);
});

test('an identity belongs to a team or a pool, for some names or any', () => {
  expect(ownerOf(identity('1', 'a'))).toEqual({ kind: 'team', id: 'team-1', organization: 'acme', name: 'deploy' });
  expect(ownerOf(identity('1', 'a', null, true))).toMatchObject({ kind: 'agent pool', id: 'apool-1' });
  expect([forWhich(identity('1', 'a')), forWhich(identity('1', 'a', 'x-*'))]).toEqual([
    'any common name',
    'common name x-*',
  ]);
});

test('a role is described in a sentence', () => {
  const role = {
    authorities: [{ subject: 'CN=Clients' }],
    allowed_common_names: ['a', 'b', 'c', 'd', 'e'],
    allowed_dns_sans: ['*.example.com'],
    token_bound_cidrs: [],
    token_ttl: 900,
    token_num_uses: 0,
  } as unknown as RoleInfo;
  expect(namesIn(role)).toBe('a, b, c, d, e, *.example.com');
  expect(roleInWords(role)).toBe(
    'Accepts certificates issued by CN=Clients, with a common name like a or b or c or 2 others, a DNS name like *.example.com. Its tokens are valid for 15 minutes.',
  );
  const plain = { authorities: [{ subject: 'CN=X' }], token_bound_cidrs: [], token_ttl: 0, token_num_uses: 1 };
  expect(roleInWords(plain as unknown as RoleInfo)).toBe(
    'Accepts certificates issued by CN=X, with any names. Its tokens are valid for the default time of the mount, for at most 1 request.',
  );
});

test('access is described by its highest permission', () => {
  expect(accessInWords({ 'can-read-settings': true })).toBe('reads');
  expect(accessInWords({ 'can-read-settings': true, 'can-queue-run': true, 'can-lock': true })).toBe('plans, locks');
  expect(accessInWords({ 'can-update': true, 'can-lock': true })).toBe('administers');
  expect(accessInWords({})).toBe('sees');
});

test('the URL keeps known parameters only', () => {
  expect(readView({ mount: 'cert', do: 'test', page: '0', other: 'x' })).toEqual({ mount: 'cert', do: 'test' });
  expect(readView({ do: 'delete', page: '2' })).toEqual({ page: '2' });
});
