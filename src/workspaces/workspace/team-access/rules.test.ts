import { describe, expect, test } from 'vitest';
import { CUSTOM_ACCESS } from '../../tenancy/permissions/access.ts';
import { CUSTOM_ACCESS_IN_PROJECT, CUSTOM_PROJECT_ACCESS } from '../../tenancy/permissions/project.ts';
import { detailsInProject, nextProjectGrant, nextWorkspaceGrant, projectDetails, workspaceDetails } from './rules.ts';

describe('a grant for a workspace', () => {
  test('of a fixed level stores only the level', () => {
    expect(nextWorkspaceGrant(undefined, { access: 'plan', details: {} })).toEqual({
      access: 'plan',
      custom: '{}',
      shows: 1,
      runs: 'plan',
    });
  });

  test('of the level custom stores every permission, and no unknown ones', () => {
    const given = { runs: 'apply', admin: true, owner: true, delete: true } as const;
    const { custom } = nextWorkspaceGrant(undefined, { access: 'custom', details: given });
    expect(JSON.parse(custom)).toEqual({ ...CUSTOM_ACCESS, runs: 'apply' });
  });

  test('shows the workspace unless it gives only outputs, or nothing', () => {
    const shows = (details: object) => nextWorkspaceGrant(undefined, { access: 'custom', details }).shows;
    expect(shows({})).toBe(1);
    expect(shows({ runs: 'none' })).toBe(0);
    expect(shows({ runs: 'none', 'state-versions': 'read-outputs', 'sentinel-mocks': 'read' })).toBe(0);
    expect(shows({ runs: 'none', 'state-versions': 'read' })).toBe(1);
    expect(shows({ runs: 'none', locking: true })).toBe(1);
    expect(shows({ runs: 'none', variables: 'read' })).toBe(1);
  });

  test('that becomes custom starts with its former permissions', () => {
    const read = nextWorkspaceGrant(undefined, { access: 'read', details: {} });
    const next = nextWorkspaceGrant(read, { access: 'custom', details: { runs: 'plan', variables: null } });
    expect(workspaceDetails(next)).toEqual({ ...workspaceDetails(read), runs: 'plan', variables: 'none' });
  });

  test('without a level in the input keeps its level', () => {
    const read = nextWorkspaceGrant(undefined, { access: 'read', details: {} });
    expect(nextWorkspaceGrant(read, { details: {} })).toEqual(read);
    expect(() => nextWorkspaceGrant(read, { details: { runs: 'apply' } })).toThrow();
  });
});

describe('a grant for a project', () => {
  const admin = nextProjectGrant(undefined, { access: 'admin', project: {}, workspaces: {} });

  test('lists its permissions in the project and in the workspaces', () => {
    expect(projectDetails(admin)).toEqual({ settings: 'delete', teams: 'manage', 'variable-sets': 'write' });
    expect(detailsInProject(admin)).toMatchObject({ create: true, move: true, delete: true, runs: 'apply' });
  });

  test('that becomes custom starts with its former permissions in project and workspaces', () => {
    const next = nextProjectGrant(admin, { access: 'custom', project: { teams: 'read' }, workspaces: { move: false } });
    expect(projectDetails(next)).toEqual({ settings: 'delete', teams: 'read', 'variable-sets': 'write' });
    expect(detailsInProject(next)).toEqual({ ...detailsInProject(admin), move: false });
  });

  test('of the level custom has few permissions by default', () => {
    const custom = nextProjectGrant(undefined, { access: 'custom', project: {}, workspaces: {} });
    expect(projectDetails(custom)).toEqual(CUSTOM_PROJECT_ACCESS);
    expect(detailsInProject(custom)).toEqual(CUSTOM_ACCESS_IN_PROJECT);
  });
});
