import { expect, test } from 'vitest';
import { rememberName, subjectOf } from './subject.ts';

rememberName({ data: { id: 'ws-CZcmD7eagjhyX0vN', attributes: { name: 'app' } } });
const run = { data: { relationships: { workspace: { data: { type: 'workspaces', id: 'ws-CZcmD7eagjhyX0vN' } } } } };

test.each([
  ['/api/v2/organizations/acme', 'organization acme'],
  ['/api/v2/organizations/acme/workspaces/a%20b', 'workspace a b in organization acme'],
  ['/api/v2/organizations/acme/teams?page%5Bsize%5D=100', 'teams of organization acme'],
  ['/api/v2/workspaces/ws-CZcmD7eagjhyX0vN/actions/lock', 'workspace app (ws-CZcmD7eagjhyX0vN)'],
  ['/api/v2/workspaces/ws-1/vars/var-2', 'variable var-2 in workspace ws-1'],
  ['/api/v2/workspaces/ws-1/vars', 'variables of workspace ws-1'],
  ['/api/v2/workspaces/ws-1/current-state-version', 'current state version of workspace ws-1'],
  ['/api/v2/teams/team-1/relationships/users', 'team team-1'],
  ['/api/v2/applies/apply-1', 'apply apply-1'],
  [
    '/api/v2/state-versions?filter%5Borganization%5D%5Bname%5D=acme&filter%5Bworkspace%5D%5Bname%5D=app',
    'workspace app in organization acme',
  ],
  ['/api/v2/account/details', undefined],
  ['/api/v2/organizations', undefined],
  ['/v1/auth/cert/certs/web', 'auth/cert/certs/web'],
])('the subject of %s is %s', (path, subject) => {
  expect(subjectOf(path)).toBe(subject);
});

test('the subject of a new run is its workspace', () => {
  expect(subjectOf('/api/v2/runs', run)).toBe('workspace app (ws-CZcmD7eagjhyX0vN)');
  expect(subjectOf('/api/v2/runs')).toBeUndefined();
});
