import { expect, test } from 'vitest';
import { type ApplyFacts, CHECKS, refusalBefore } from './checks.ts';

const GOOD: ApplyFacts = {
  runId: 'run-1',
  holdsWorkspace: true,
  place: {
    ...{ id: 'ws-1', organizationId: 'org-1', projectId: 'prj-1', name: 'one', workingDirectory: '', pool: 'rack' },
    ...{
      executionMode: 'agent',
      isInPool: true,
      holder: { type: 'runs', id: 'run-1', name: '' },
      ...{ settings: {}, defaultEngine: 'opentofu', currentRunId: null },
      stateVersionId: 'sv-1',
    },
  },
  planned: { variables: ['env/A'], stateVersionId: 'sv-1', workspaceName: 'one', workingDirectory: '' },
  variables: ['env/A'],
  engine: { kind: 'opentofu', version: '1.10.7', newest: '1.10.7', constraint: null },
  author: { name: 'user ada', mayApply: true },
};
const at = (place: Partial<ApplyFacts['place']>): Partial<ApplyFacts> => ({ place: { ...GOOD.place, ...place } });
const engineOf = (version: string | null) => ({ engine: { ...GOOD.engine, version } });

test.each<[string, Partial<ApplyFacts>, string | undefined]>([
  ['nothing changed', {}, undefined],
  ['a free lock', at({ holder: null }), undefined],
  [
    'a lock held by a user',
    at({ holder: { type: 'users', id: 'user-2', name: 'bob' } }),
    'which user bob (user-2) holds',
  ],
  ['a lock held by another run', at({ holder: { type: 'runs', id: 'run-2', name: '' } }), 'which run (run-2) holds'],
  [
    'a saved plan that waits for the lock',
    { holdsWorkspace: false, ...at({ holder: { type: 'users', id: 'u', name: '' } }) },
    undefined,
  ],
  ['execution mode local', at({ executionMode: 'local', pool: null, isInPool: false }), 'is "local" now'],
  ['execution mode remote', at({ executionMode: 'remote', pool: null, isInPool: false }), undefined],
  ['no pool', at({ pool: null, isInPool: false }), 'has no agent pool any more'],
  ['a pool that does not serve the workspace', at({ isInPool: false }), 'rack does not serve'],
  ['a revoked permission', { author: { name: 'user ada', mayApply: false } }, 'user ada may not apply'],
  ['a run that a trigger started', { author: null }, undefined],
  ['an added variable', { variables: ['env/A', 'env/B'] }, 'added env/B'],
  ['a removed variable', { variables: [] }, 'removed env/A'],
  ['many added variables', { variables: ['env/A', ...[...'bcdefgh'].map((key) => `env/${key}`)] }, 'env/f and 2 more'],
  ['a changed state', at({ stateVersionId: 'sv-2' }), 'The state of the workspace was changed'],
  ['no stored plan inputs', { planned: undefined, variables: ['env/B'] }, undefined],
  ['an engine without an exact version', engineOf('~> 1.10'), 'some release of "~> 1.10"'],
  ['the newest engine, with no version requested', engineOf(null), undefined],
])('%s', (_, changed, expected) => {
  const refusal = refusalBefore('apply', { ...GOOD, ...changed });
  if (expected === undefined) expect(refusal).toBeUndefined();
  else expect(refusal).toContain(expected);
});

test('only the execution mode is checked before a plan', () => {
  const bad = { ...GOOD, ...at({ holder: { type: 'users', id: 'u', name: '' }, stateVersionId: null }), author: null };
  expect(refusalBefore('plan', bad)).toBeUndefined();
  expect(refusalBefore('plan', { ...bad, ...at({ executionMode: 'local' }) })).toContain('is "local" now');
});

test('every check has a unique name, and a refusal lists all failed checks', () => {
  expect(new Set(CHECKS.map(({ name }) => name)).size).toBe(CHECKS.length);
  const two = refusalBefore('apply', { ...GOOD, variables: [], ...at({ executionMode: 'local' }) });
  expect(two).toMatch(/"local".*\. The variables differ/);
});
