import { expect, test } from 'vitest';
import { sideOf } from './Half.tsx';

test.each([
  ['/acme/workspaces', 'workspaces'],
  ['/~organizations', 'workspaces'],
  ['/~account', undefined],
  ['/~server/users', 'workspaces'],
  ['/~server/health', 'access'],
  ['/~access/roles/builders', 'access'],
  ['/~access/machine-identities', undefined],
  ['/~overview', undefined],
  ['/~nothing', undefined],
  ['/', undefined],
])('%s belongs to %s', (pathname, side) => {
  expect(sideOf(pathname)).toBe(side);
});
