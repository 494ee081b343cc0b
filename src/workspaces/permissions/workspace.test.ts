import { describe, expect, test } from 'vitest';
import { NO_ACCESS } from './grants.ts';
import { type Level, workspaceLevel, workspacePermissions } from './workspace.ts';

const lenient = { allowsDestroyPlan: true, allowsForceDelete: true };
const strict = { allowsDestroyPlan: false, allowsForceDelete: false };
const grant = { organizationId: 'org-1', teamIds: ['team-1'], owner: false, access: NO_ACCESS };

function allowed(level: Level, policy = strict): string[] {
  return Object.entries(workspacePermissions(level, policy)).flatMap(([key, value]) => (value ? [key] : []));
}

describe('workspacePermissions', () => {
  test('each level may do all that the one below it may, and more', () => {
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

  test('a lock needs the write level, and breaking one needs an administrator', () => {
    expect(allowed('plan')).not.toContain('can-lock');
    expect(allowed('write')).toContain('can-lock');
    expect(allowed('write')).not.toContain('can-force-unlock');
    expect(allowed('admin')).toContain('can-force-unlock');
  });

  test('a workspace that refuses destroy plans refuses them to its owner', () => {
    expect(allowed('owner')).not.toContain('can-queue-destroy');
    expect(allowed('read', lenient)).not.toContain('can-queue-destroy');
  });

  test('the organization may let administrators force delete, and nobody below them', () => {
    expect(allowed('admin')).not.toContain('can-force-delete');
    expect(allowed('admin', lenient)).toContain('can-force-delete');
    expect(allowed('write', lenient)).not.toContain('can-force-delete');
    expect(allowed('owner')).toContain('can-force-delete');
  });
});

describe('workspaceLevel', () => {
  test('comes from what a team may do across the organization', () => {
    const level = (flag: keyof typeof NO_ACCESS) =>
      workspaceLevel({ ...grant, access: { ...NO_ACCESS, [flag]: true } });
    expect(level('manage-projects')).toBe('admin');
    expect(level('manage-workspaces')).toBe('admin');
    expect(level('read-workspaces')).toBe('read');
    expect(level('read-projects')).toBeUndefined();
    expect(workspaceLevel(grant)).toBeUndefined();
    expect(workspaceLevel({ ...grant, owner: true })).toBe('owner');
  });
});
