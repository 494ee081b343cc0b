import { describe, expect, test } from 'vitest';
import { type AccessFlag, NO_ACCESS } from './grants.ts';
import { organizationWideProjectAccess, projectAccessOf, projectPermissions, uniteProjectAccess } from './project.ts';

const stored = (access: string, projectCustom: object = {}, custom: object = {}) =>
  projectAccessOf({ access, projectCustom: JSON.stringify(projectCustom), custom: JSON.stringify(custom) });

function allowed(access: Parameters<typeof projectPermissions>[0]): string[] {
  return Object.entries(projectPermissions(access)).flatMap(([key, value]) => (value ? [key] : []));
}

describe('access to a project (facts §5.3)', () => {
  test('is defined for each level', () => {
    expect(allowed(stored('shown'))).toEqual(['can-read']);
    expect(allowed(stored('read'))).toEqual(['can-read', 'can-read-varsets']);
    expect(allowed(stored('write'))).toEqual(['can-read', 'can-read-varsets']);
    expect(allowed(stored('maintain'))).toEqual(['can-read', 'can-create-workspace', 'can-read-varsets']);
    expect(allowed(stored('admin'))).toEqual([
      'can-read',
      'can-update',
      'can-destroy',
      'can-create-workspace',
      'can-move-workspace',
      'can-read-teams',
      'can-manage-teams',
      'can-manage-tags',
      'can-manage-ephemeral-workspace-for-projects',
      'can-read-varsets',
      'can-manage-varsets',
    ]);
  });

  test('of the level custom has the stored details', () => {
    expect(allowed(stored('custom'))).toEqual(['can-read']);
    expect(allowed(stored('custom', { settings: 'update', teams: 'read' }, { move: true }))).toEqual([
      'can-read',
      'can-update',
      'can-move-workspace',
      'can-read-teams',
      'can-manage-tags',
      'can-manage-ephemeral-workspace-for-projects',
    ]);
  });

  test('adds up', () => {
    const both = uniteProjectAccess(stored('custom', { teams: 'manage' }), stored('maintain'));
    expect(both).toEqual({ settings: 'read', teams: 'manage', 'variable-sets': 'read', create: true, move: false });
  });

  test('also comes from team permissions across the organization', () => {
    const wide = (flag: AccessFlag) =>
      allowed(
        organizationWideProjectAccess({
          organizationId: 'org-1',
          teamIds: ['team-1'],
          owner: false,
          access: { ...NO_ACCESS, [flag]: true },
        }),
      );
    expect(wide('manage-projects')).toEqual(allowed(stored('admin')));
    expect(wide('manage-workspaces')).toEqual([
      'can-read',
      'can-create-workspace',
      'can-read-teams',
      'can-read-varsets',
    ]);
    expect(wide('read-projects')).toEqual(['can-read', 'can-read-teams', 'can-read-varsets']);
    expect(wide('manage-teams')).toEqual([]);
  });
});
