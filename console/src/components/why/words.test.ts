import { expect, test } from 'vitest';
import { givenBy, refusedBecause, type Verdict } from './words.ts';

const verdict = (more: Partial<Verdict>): Verdict => ({
  permission: 'can-lock',
  allowed: false,
  reason: 'nothing',
  setting: null,
  from: [],
  'given-by': ['write', 'admin'],
  ...more,
});
const source = { kind: 'organization-access', 'team-id': null, 'team-name': null, 'access-id': null } as const;

test('a refusal names the levels that would grant the permission, or the setting that prevents it', () => {
  expect(refusedBecause(verdict({}))).toBe('not granted; write or admin would grant it');
  expect(refusedBecause(verdict({ 'given-by': [] }))).toBe('not granted');
  expect(refusedBecause(verdict({ 'given-by': ['read', 'plan', 'write'] }))).toBe(
    'not granted; read, plan or write would grant it',
  );
  expect(refusedBecause(verdict({ reason: 'setting', setting: 'allow-destroy-plan' }))).toBe(
    'the setting allow-destroy-plan is off',
  );
});

test('a grant says how far it reaches', () => {
  expect(givenBy({ ...source, gives: 'manage-workspaces' })).toBe('manage workspaces, in the whole organization');
  expect(givenBy({ ...source, kind: 'workspace-access', gives: 'read' })).toBe('read on the workspace');
});
