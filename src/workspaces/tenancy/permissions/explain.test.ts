import { describe, expect, test } from 'vitest';
import { TEAM_PROJECT_LEVELS, unite, WORKSPACE_LEVELS } from './access.ts';
import { explainOrganization, explainWorkspace, organizationWidePieces, piecesOf } from './explain.ts';
import { ACCESS_FLAGS, grantsOf, NO_ACCESS, organizationGrant, type TeamGrant } from './grants.ts';
import { organizationPermissions } from './organization.ts';
import { organizationWideAccess, workspacePermissions } from './workspace.ts';

const policy = { allowsDestroyPlan: true, allowsForceDelete: false };
const team = (teamId: string, access: object = {}, owners = false): TeamGrant => {
  return { teamId, organizationId: 'org-1', owners, access: { ...NO_ACCESS, ...access } };
};
const grantOf = (teams: readonly TeamGrant[]) =>
  grantsOf(teams).get('org-1') ?? { organizationId: 'org-1', teamIds: [], owner: false, access: NO_ACCESS };

/** Each pair of flags, in one team and in two teams; the owners; no team. */
const TEAMS: readonly (readonly TeamGrant[])[] = [
  [],
  [team('team-1')],
  [team('team-1', {}, true), team('team-2', { 'manage-vcs-settings': true })],
  ...ACCESS_FLAGS.flatMap((one) =>
    ACCESS_FLAGS.flatMap((other) => [
      [team('team-1', { [one]: true, [other]: true })],
      [team('team-1', { [one]: true }), team('team-2', { [other]: true })],
    ]),
  ),
];

describe('explanation of permissions', () => {
  test('gives a source for each allowed permission of a workspace, and for no other', () => {
    for (const teams of TEAMS) {
      const grant = grantOf(teams);
      const wide = organizationWidePieces(piecesOf(grant, teams));
      for (const level of TEAM_PROJECT_LEVELS.filter((one) => one !== 'custom')) {
        const source = { kind: 'project-access', teamId: 'team-1', gives: level, accessId: 'tprj-1' } as const;
        const given = WORKSPACE_LEVELS[level];
        const access = unite(organizationWideAccess(grant), given);
        const told = explainWorkspace(workspacePermissions(access, policy), [...wide, { ...source, given }], policy);
        for (const { allowed, from } of told) expect(from.length > 0).toBe(allowed);
      }
    }
  });

  test('gives a source for each allowed permission of an organization, and for no other', () => {
    for (const teams of TEAMS) {
      const grant = grantOf(teams);
      const told = explainOrganization(organizationPermissions(grant), piecesOf(grant, teams));
      for (const { allowed, from } of told) expect(from.length > 0).toBe(allowed);
    }
  });

  test('explains the permissions of an organization token', () => {
    const grant = organizationGrant('org-1');
    const pieces = piecesOf(grant, []);
    const allowed = workspacePermissions(organizationWideAccess(grant), policy);
    for (const verdict of explainWorkspace(allowed, organizationWidePieces(pieces), policy)) {
      expect(verdict.from.map(({ kind }) => kind)).toEqual(verdict.allowed ? ['organization-token'] : []);
    }
  });

  test('names the setting that denies a permission, and the levels that would allow it', () => {
    const strict = { allowsDestroyPlan: false, allowsForceDelete: false };
    const given = WORKSPACE_LEVELS.admin;
    const piece = { kind: 'workspace-access', teamId: 'team-1', gives: 'admin', accessId: 'tws-1', given } as const;
    const told = explainWorkspace(workspacePermissions(given, strict), [piece], strict);
    const of = (permission: string) => told.find((one) => one.permission === permission);
    expect(of('can-queue-destroy')).toMatchObject({ reason: 'setting', setting: 'allow-destroy-plan', from: [] });
    expect(of('can-force-delete')).toMatchObject({ reason: 'setting', setting: 'allow-force-delete-workspaces' });
    expect(of('can-lock')).toMatchObject({ reason: 'granted', setting: null, givenBy: ['write', 'admin'] });
    expect(explainWorkspace(workspacePermissions(given, strict), [], strict)[0]).toMatchObject({ setting: null });
  });

  test('names at most ten sources of a permission', () => {
    const teams = Array.from({ length: 30 }, (_, i) => team(`team-${i}`, { 'read-workspaces': true }));
    const grant = grantOf(teams);
    const wide = organizationWidePieces(piecesOf(grant, teams));
    const told = explainWorkspace(workspacePermissions(organizationWideAccess(grant), policy), wide, policy);
    expect(told.find(({ permission }) => permission === 'can-read-run')?.from).toHaveLength(10);
  });
});
