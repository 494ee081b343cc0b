import { describe, expect, it } from 'vitest';
import { AppError } from '../../../lib/errors.ts';
import { addressOf, moduleName, providerSource } from '../reader/resource-address.ts';
import { difference, withHistory } from '../reader/resources.ts';
import { checkHolder, checkSuccession, checkTransition } from './rules.ts';
import type { StateStatus } from './state-version.ts';

const state = (serial: number, md5 = 'a', lineage: string | null = 'l') => ({ serial, md5, lineage, forced: false });
const verdict = (check: () => void): string => {
  try {
    check();
    return 'ok';
  } catch (error) {
    return error instanceof AppError ? error.message : 'bug';
  }
};

describe('permission to write a state (facts §4.4)', () => {
  const user = { type: 'users', id: 'user-1' };
  it.each([
    [null, 'This workspace is not locked and will only accept state uploads when locked'],
    [{ type: 'users', id: 'user-2' }, 'locked by another holder'],
    [{ type: 'teams', id: 'user-1' }, 'locked by another holder'],
    [user, 'ok'],
  ])('with the lock held by %j', (holder, expected) => {
    expect(verdict(() => checkHolder({ holder, writer: user, runId: null, isApplying: false }))).toContain(expected);
  });

  const run = { type: 'runs', id: 'run-1' };
  const agent = { type: 'agents', id: 'agent-1' };
  it.each([
    [run, agent, true, 'ok'],
    [run, agent, false, 'only its started apply uploads states'],
    [run, user, true, 'ok'],
    [{ type: 'runs', id: 'run-2' }, agent, true, 'locked by another holder'],
    [null, agent, true, 'ok'],
    [null, agent, false, 'is not locked'],
    [null, user, true, 'is not locked'],
    [user, agent, true, 'locked by another holder'],
  ])(
    'for a run, with the lock held by %j, for the writer %j, which applies it: %j',
    (holder, writer, isApplying, expected) => {
      expect(verdict(() => checkHolder({ holder, writer, runId: 'run-1', isApplying }))).toContain(expected);
    },
  );
});

describe('conditions for the next state (facts §4.4)', () => {
  it.each([
    ['the first', undefined, state(0), 'ok'],
    ['the next one', state(1), state(2, 'b'), 'ok'],
    ['the same state again', state(1), state(1), 'ok'],
    ['another state with the same serial', state(1), state(1, 'b'), 'There is another state with serial 1'],
    ['a lower serial', state(2), state(1), 'The serial is lower than 2'],
    ['another lineage', state(1), state(2, 'b', 'm'), 'The lineage is not'],
    ['no lineage', state(1), state(2, 'b', null), 'ok'],
    ['a lineage after none', state(1, 'a', null), state(2, 'b', 'm'), 'ok'],
    ['all of them with force', state(2), { ...state(1, 'b', 'm'), forced: true }, 'ok'],
  ])('%s', (_, newest, next, expected) => {
    expect(verdict(() => checkSuccession(newest, next))).toContain(expected);
  });
});

describe('operations on stored data (facts §1.13)', () => {
  const statuses: StateStatus[] = [
    'pending',
    'finalized',
    'discarded',
    'backing_data_soft_deleted',
    'backing_data_permanently_deleted',
  ];
  const allowed = (action: Parameters<typeof checkTransition>[0]) =>
    statuses.filter((status) => verdict(() => checkTransition(action, status, false)) === 'ok');
  it('change the status, and are never allowed for the current state', () => {
    expect(allowed('soft_delete_backing_data')).toEqual(['finalized']);
    expect(allowed('restore_backing_data')).toEqual(['backing_data_soft_deleted']);
    expect(allowed('permanently_delete_backing_data')).toEqual(['backing_data_soft_deleted']);
    expect(verdict(() => checkTransition('soft_delete_backing_data', 'finalized', true))).toContain(
      'transition not allowed',
    );
  });
});

describe('resources', () => {
  const one = (index: string, digest: string) => ({
    ...{ module: '', type: 't', name: 'n', provider: 'p', index, deposed: null, digest },
  });
  it('keep their history while they do not change', () => {
    const first = [...withHistory([one('a', '1'), one('b', '1')], [], { id: 'sv-1', createdAt: 1 })];
    const second = [
      ...withHistory([one('a', '1'), one('b', '2'), one('c', '1')], first, {
        id: 'sv-2',
        createdAt: 2,
      }),
    ];
    expect(
      second.map(({ index, createdAt, modifiedAt, modifiedBy }) => [index, createdAt, modifiedAt, modifiedBy]),
    ).toEqual([
      ['a', 1, 1, 'sv-1'],
      ['b', 1, 2, 'sv-2'],
      ['c', 2, 2, 'sv-2'],
    ]);
  });

  it('differ by their digest', () => {
    const same = (a: { digest: string }, b: { digest: string }) => a.digest === b.digest;
    expect(difference([one('a', '1'), one('b', '1')], [one('b', '2'), one('c', '1')], addressOf, same)).toEqual({
      added: [one('c', '1')],
      changed: [one('b', '2')],
      removed: [one('a', '1')],
    });
  });

  it.each([
    ['', 'root'],
    ['module.a', 'a'],
    ['module.a[0].module.b["module.x"]', 'a[0].b["module.x"]'],
    ['something else', 'something else'],
  ])('of the module %j are displayed as %j', (module, shown) => {
    expect(moduleName(module)).toBe(shown);
  });

  it.each([
    ['provider["registry.terraform.io/hashicorp/aws"]', 'hashicorp/aws'],
    ['module.x.provider["registry.opentofu.org/hashicorp/aws"].west', 'hashicorp/aws'],
    ['provider["terraform.io/builtin/terraform"]', 'builtin/terraform'],
    ['provider.aws.west', 'aws'],
    ['', ''],
  ])('of the provider %j have the source %j', (provider, source) => {
    expect(providerSource(provider)).toBe(source);
  });
});
