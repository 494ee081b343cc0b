import { expect, test } from 'vitest';
import type { Variable } from '../variable/variable.ts';
import { type AppliedSet, effectiveVariables } from './precedence.ts';

const variable = (setId: string, key = 'k', category: Variable['category'] = 'env'): Variable => ({
  id: `var-${setId}-${key}`,
  owner: setId === '' ? { type: 'workspaces', id: 'ws-1' } : { type: 'varsets', id: setId },
  key,
  category,
  value: setId,
  description: null,
  hcl: false,
  sensitive: false,
  applyOnly: false,
  versionId: '1',
  createdAt: 0,
});

const set = (id: string, given: Partial<AppliedSet>): AppliedSet => ({
  id,
  priority: false,
  global: false,
  ofProject: false,
  onWorkspace: false,
  onProject: false,
  ...given,
});

/** Order of the documentation of HCP Terraform, from the highest rank to the lowest. */
const ORDER = [
  set('priority-global', { priority: true, global: true }),
  set('priority-project', { priority: true, onProject: true }),
  set('priority-project-owned', { priority: true, onProject: true, ofProject: true }),
  set('priority-workspace', { priority: true, onWorkspace: true }),
  set('priority-workspace-owned', { priority: true, onWorkspace: true, ofProject: true }),
  set('', {}),
  set('workspace-owned', { onWorkspace: true, ofProject: true }),
  set('workspace', { onWorkspace: true }),
  set('project-owned', { onProject: true, ofProject: true }),
  set('project', { onProject: true }),
  set('global', { global: true }),
];

test('§6.9: of the same variable in several places, the one of the highest rank wins, down to the last', () => {
  for (let first = 0; first < ORDER.length; first++) {
    const left = ORDER.slice(first);
    const sets = left.filter(({ id }) => id !== '').toReversed();
    const own = left.some(({ id }) => id === '') ? [variable('')] : [];
    const variables = effectiveVariables(
      own,
      sets,
      sets.map(({ id }) => variable(id)),
    );
    expect(variables.map(({ value }) => value)).toEqual([left[0]?.id]);
  }
});

test('§6.9: of sets with the same scope and owner, the first by name wins', () => {
  const sets = [set('first', { onWorkspace: true }), set('second', { onWorkspace: true })];
  expect(effectiveVariables([], sets, [variable('second'), variable('first')])).toEqual([variable('first')]);
});

test('a set that applies in two ways has the better rank of the two', () => {
  const both = set('both', { onWorkspace: true, onProject: true });
  const onWorkspace = set('workspace-owned', { onWorkspace: true, ofProject: true });
  const values = (sets: AppliedSet[]) =>
    effectiveVariables(
      [],
      sets,
      sets.map(({ id }) => variable(id)),
    ).map(({ value }) => value);
  expect(values([both, set('project-owned', { onProject: true, ofProject: true })])).toEqual(['both']);
  expect(values([both, onWorkspace])).toEqual(['workspace-owned']);
  const priority = set('priority', { priority: true, onWorkspace: true, onProject: true });
  expect(values([set('p', { priority: true, onProject: true, ofProject: true }), priority])).toEqual(['priority']);
});

test('variables of another category or key do not affect each other', () => {
  const sets = [set('one', { onWorkspace: true })];
  const variables = [variable('one', 'k', 'terraform'), variable('one', 'other')];
  expect(effectiveVariables([variable('')], sets, variables)).toHaveLength(3);
});
