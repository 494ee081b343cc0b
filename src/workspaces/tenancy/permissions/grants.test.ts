import { expect, test } from 'vitest';
import { grantsOf, NO_ACCESS, parseAccess } from './grants.ts';

const team = { teamId: 'team-1', organizationId: 'org-1', owners: false, access: NO_ACCESS };

test('teams of one organization add up, and organizations do not affect each other', () => {
  const grants = grantsOf([
    { ...team, access: { ...NO_ACCESS, 'read-projects': true } },
    { ...team, teamId: 'team-2', access: { ...NO_ACCESS, 'manage-workspaces': true } },
    { ...team, teamId: 'team-3', organizationId: 'org-2', owners: true },
  ]);
  expect(grants.get('org-1')).toEqual({
    organizationId: 'org-1',
    teamIds: ['team-1', 'team-2'],
    owner: false,
    access: { ...NO_ACCESS, 'read-projects': true, 'manage-workspaces': true },
  });
  expect(grants.get('org-2')?.owner).toBe(true);
  expect(grants.has('org-3')).toBe(false);
});

test('a member of the owners team is an owner, in any order of teams', () => {
  for (const teams of [
    [{ ...team, owners: true }, team],
    [team, { ...team, owners: true }],
  ]) {
    expect(grantsOf(teams).get('org-1')?.owner).toBe(true);
  }
});

test('a flag that is not stored is off', () => {
  expect(parseAccess('{"read-workspaces":true}')).toEqual({ ...NO_ACCESS, 'read-workspaces': true });
});
