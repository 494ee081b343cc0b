import { expect } from 'vitest';
import type { TestApi, UserCaller } from '../../support/api.ts';
import { newTeamMember, type TestOrganization } from '../../support/organization.ts';

let members = 0;

/** A user whose one team has this access to the workspace, and no other anywhere. */
export async function withAccess(
  api: TestApi,
  { owner, team }: TestOrganization,
  workspaceId: string,
  attributes: object,
): Promise<UserCaller> {
  const name = `member-${++members}`;
  const id = await team(name);
  const relationships = {
    team: { data: { type: 'teams', id } },
    workspace: { data: { type: 'workspaces', id: workspaceId } },
  };
  const granted = await owner.call('POST', '/team-workspaces', {
    data: { type: 'team-workspaces', attributes, relationships },
  });
  expect(granted.status, granted.text).toBe(201);
  return newTeamMember(api, id, name);
}

/** Levels of access to one workspace, and less and more than those. */
export const LEVELS = ['read', 'plan', 'write', 'admin'] as const;
