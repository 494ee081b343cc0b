import type { Caller, TestApi } from './api.ts';
import { identify, type TestOrganization } from './organization.ts';

export const relation = (type: string, id: string) => ({ data: { type, id } });

export function onWorkspace(teamId: string, workspaceId: string, attributes: object): object {
  const relationships = { team: relation('teams', teamId), workspace: relation('workspaces', workspaceId) };
  return { data: { type: 'team-workspaces', attributes, relationships } };
}

export function onProject(teamId: string, projectId: string, attributes: object): object {
  const relationships = { team: relation('teams', teamId), project: relation('projects', projectId) };
  return { data: { type: 'team-projects', attributes, relationships } };
}

export const change = (type: string, attributes: object) => ({ data: { type, attributes } });

/** A machine that acts for a new team, and the team. */
export async function newMember(
  acme: TestOrganization,
  api: TestApi,
  role: string,
): Promise<{ id: string; caller: Caller }> {
  const id = await acme.team(role);
  await identify(acme.owner, id, { mount: 'cert', role: `${acme.name}/${role}` });
  return { id, caller: api.machine({ role: `${acme.name}/${role}` }) };
}

export const NOTHING = {
  runs: 'read',
  variables: 'none',
  'state-versions': 'none',
  'sentinel-mocks': 'none',
  'run-tasks': false,
  'policy-overrides': false,
};
