import { describe, expect, test } from 'vitest';
import { ACCESS_FLAGS, type AccessFlag, NO_ACCESS, organizationGrant } from './grants.ts';
import { teamPermissions, unownedFlags } from './team.ts';

const visible = { id: 'team-1', owners: false, visibility: 'organization', allowsMemberTokens: true };
const secret = { ...visible, visibility: 'secret' };
const owners = { ...visible, owners: true };

function grant(...flags: AccessFlag[]) {
  const access = { ...NO_ACCESS, ...Object.fromEntries(flags.map((flag) => [flag, true])) };
  return { organizationId: 'org-1', teamIds: ['team-9'], owner: false, access };
}
const owner = { ...grant(), owner: true };
const member = { ...grant(), teamIds: ['team-1'] };

function allowed(...args: Parameters<typeof teamPermissions>): string[] {
  return Object.entries(teamPermissions(...args)).flatMap(([key, value]) => (value ? [key] : []));
}

describe('teamPermissions', () => {
  test('each flag gives its own permission on visible teams', () => {
    expect(allowed(grant(), visible, true)).toEqual(['can-read']);
    expect(allowed(grant('manage-membership'), visible, true)).toEqual(['can-read', 'can-update-membership']);
    expect(allowed(grant('manage-organization-access'), visible, true)).toEqual([
      'can-read',
      'can-update-organization-access',
    ]);
    expect(allowed(grant('manage-teams'), visible, true)).toContain('can-destroy');
    expect(allowed(grant('manage-teams'), visible, true)).not.toContain('can-update-membership');
  });

  test('secret teams are visible to members, owners and managers with the right to see them', () => {
    for (const flag of ACCESS_FLAGS) expect(allowed(grant(flag), secret, true)).toEqual([]);
    expect(allowed(grant('manage-teams', 'access-secret-teams'), secret, true)).toContain('can-destroy');
    expect(allowed(member, secret, true)).toContain('can-read');
    expect(allowed(owner, secret, true)).toContain('can-read');
  });

  test('only owners manage the owners team, and no actor changes or deletes it', () => {
    expect(allowed(grant(...ACCESS_FLAGS), owners, true)).toEqual(['can-read']);
    expect(allowed(owner, owners, true)).toEqual([
      'can-read',
      'can-update-membership',
      'can-update-api-token',
      'can-view-api-token',
      'can-manage-machine-identities',
    ]);
    expect(allowed(organizationGrant('org-1'), owners, false)).toEqual(['can-read']);
  });

  test('a user in the team creates its tokens if the team allows that, and a machine never does', () => {
    expect(allowed(member, visible, true)).toContain('can-update-api-token');
    expect(allowed(member, visible, false)).not.toContain('can-update-api-token');
    expect(allowed(member, { ...visible, allowsMemberTokens: false }, true)).not.toContain('can-update-api-token');
  });
});

describe('unownedFlags', () => {
  const given = { 'manage-workspaces': true, 'read-projects': false };

  test('an actor gives only flags that it has, and owners give all', () => {
    expect(unownedFlags(owner, given)).toEqual([]);
    expect(unownedFlags(grant('manage-organization-access', 'manage-workspaces'), given)).toEqual([]);
    for (const one of [grant('manage-organization-access'), grant('manage-workspaces'), grant('manage-teams')]) {
      expect(unownedFlags(one, given)).toMatchObject([
        { pointer: '/data/attributes/organization-access/manage-workspaces' },
      ]);
    }
  });
});
