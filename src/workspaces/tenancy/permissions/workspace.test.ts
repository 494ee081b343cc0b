import { describe, expect, test } from 'vitest';
import { unite, WORKSPACE_LEVELS, workspaceAccessOf } from './access.ts';
import { NO_ACCESS } from './grants.ts';
import { organizationWideAccess, showsWorkspace, workspacePermissions } from './workspace.ts';

const lenient = { allowsDestroyPlan: true, allowsForceDelete: true };
const strict = { allowsDestroyPlan: false, allowsForceDelete: false };
const grant = { organizationId: 'org-1', teamIds: ['team-1'], owner: false, access: NO_ACCESS };

type Level = keyof typeof WORKSPACE_LEVELS;

function allowed(level: Level, policy = strict): string[] {
  return Object.entries(workspacePermissions(WORKSPACE_LEVELS[level], policy)).flatMap(([key, value]) =>
    value ? [key] : [],
  );
}

describe('workspacePermissions', () => {
  test('each level allows everything that the level below allows, and more', () => {
    const counts = (['read', 'plan', 'write', 'admin', 'owner'] as const).map(
      (level) =>
        allowed(level, {
          allowsDestroyPlan: true,
          allowsForceDelete: false,
        }).length,
    );
    expect(counts).toEqual([6, 7, 14, 20, 21]);
    expect(allowed('write')).toEqual(expect.arrayContaining(allowed('plan')));
    expect(allowed('owner')).toEqual(expect.arrayContaining(allowed('admin')));
  });

  test('locking needs the write level, and breaking a lock needs an administrator', () => {
    expect(allowed('plan')).not.toContain('can-lock');
    expect(allowed('write')).toContain('can-lock');
    expect(allowed('write')).not.toContain('can-force-unlock');
    expect(allowed('admin')).toContain('can-force-unlock');
  });

  test('a workspace that refuses destroy plans also refuses them to owners', () => {
    expect(allowed('owner')).not.toContain('can-queue-destroy');
    expect(allowed('read', lenient)).not.toContain('can-queue-destroy');
  });

  test('the organization may allow force deletion to administrators, and to no level below', () => {
    expect(allowed('admin')).not.toContain('can-force-delete');
    expect(allowed('admin', lenient)).toContain('can-force-delete');
    expect(allowed('write', lenient)).not.toContain('can-force-delete');
    expect(allowed('owner')).toContain('can-force-delete');
  });
});

describe('organizationWideAccess', () => {
  test('comes from team permissions across the organization', () => {
    const access = (flag: keyof typeof NO_ACCESS) =>
      organizationWideAccess({ ...grant, access: { ...NO_ACCESS, [flag]: true } });
    expect(access('manage-projects')).toEqual(WORKSPACE_LEVELS.admin);
    expect(access('manage-workspaces')).toEqual(WORKSPACE_LEVELS.admin);
    expect(access('read-workspaces')).toEqual(WORKSPACE_LEVELS.read);
    expect(showsWorkspace(access('read-projects'))).toBe(false);
    expect(showsWorkspace(organizationWideAccess(grant))).toBe(false);
    expect(access('manage-policies').runs).toBe('read');
    expect(organizationWideAccess({ ...grant, owner: true })).toEqual(WORKSPACE_LEVELS.owner);
  });

  test('an organization token manages workspaces and starts no runs', () => {
    const access = organizationWideAccess({ ...grant, setsUpOnly: true });
    const permissions = workspacePermissions(access, strict);
    expect(permissions).toMatchObject({ 'can-update': true, 'can-update-variable': true, 'can-read-run': true });
    expect(permissions).toMatchObject({ 'can-create-state-versions': false, 'can-queue-run': false });
  });
});

describe('access to one workspace', () => {
  test('adds up', () => {
    const custom = workspaceAccessOf({ access: 'custom', custom: '{"runs":"plan","locking":true}' });
    expect(unite(custom, WORKSPACE_LEVELS.read)).toEqual({ ...WORKSPACE_LEVELS.read, runs: 'plan', locking: true });
  });

  test('of the level custom never includes administration, regardless of the stored details', () => {
    const access = workspaceAccessOf({ access: 'custom', custom: '{"admin":true,"owner":true,"delete":true}' });
    expect(access).toMatchObject({ admin: false, owner: false });
  });

  test('to outputs only does not show the workspace', () => {
    const access = workspaceAccessOf({ access: 'custom', custom: '{"state-versions":"read-outputs"}' });
    expect(showsWorkspace(access)).toBe(false);
    expect(workspacePermissions(access, strict)['can-read-state-outputs']).toBe(true);
  });
});
