import { expect } from 'vitest';
import { type Database, sql } from '../../../../src/storage/index.ts';
import type { Answer, Caller, TestApi, UserCaller } from './api.ts';

/** An organization with its first owner, and short functions to fill it. */
export interface TestOrganization {
  readonly name: string;
  readonly owner: UserCaller;
  /** Database of the server, for rows that only its background work creates. */
  readonly database?: Database | undefined;
  readonly defaultProjectId: string;
  readonly ownersTeamId: string;
  /** Creates a workspace, and returns its ID. */
  workspace(name: string, attributes?: object, relationships?: object): Promise<string>;
  project(name: string): Promise<string>;
  team(name: string, access?: object): Promise<string>;
  /** Creates a machine that acts for a new team with this access. */
  machine(role: string, access?: object): Promise<Caller>;
}

let organizations = 0;

export async function newOrganization(
  api: Pick<TestApi, 'user' | 'machine'> & { readonly workspaces?: { readonly database: Database } },
  attributes: object = {},
): Promise<TestOrganization> {
  const name = `acme-${++organizations}`;
  const owner = await api.user(`ada-${organizations}`);
  const founded = await owner.call('POST', '/organizations', {
    data: { type: 'organizations', attributes: { name, email: 'ops@example.com', ...attributes } },
  });
  const teams = await owner.call('GET', `/organizations/${name}/teams`);
  const path = `/organizations/${name}`;

  async function team(teamName: string, access: object = {}): Promise<string> {
    const body = { data: { type: 'teams', attributes: { name: teamName, 'organization-access': access } } };
    return created(await owner.call('POST', `${path}/teams`, body));
  }

  return {
    name,
    owner,
    database: api.workspaces?.database,
    defaultProjectId: founded.body.data.relationships['default-project'].data.id,
    ownersTeamId: teams.body.data[0].id,
    team,
    async workspace(workspaceName, workspaceAttributes = {}, relationships = {}) {
      const body = workspaceBody({ name: workspaceName, ...workspaceAttributes }, relationships);
      return created(await owner.call('POST', `${path}/workspaces`, body));
    },
    async project(projectName) {
      const body = { data: { type: 'projects', attributes: { name: projectName } } };
      return created(await owner.call('POST', `${path}/projects`, body));
    },
    async machine(role, access = {}) {
      const teamId = await team(role, access);
      await identify(owner, teamId, { mount: 'cert', role: `${name}/${role}` });
      return api.machine({ role: `${name}/${role}` });
    },
  };
}

const insertMember = sql<{ teamId: string; accountId: string }>(
  'INSERT INTO team_member (team_id, account_id) VALUES (:teamId, :accountId)',
);

/** Adds the user directly, like a caller with the permission. */
export async function joinTeam(api: TestApi, teamId: string, userId: string): Promise<void> {
  await api.workspaces.database.run(insertMember, { teamId, accountId: userId });
}

/** Invites an email address. */
export function invite(
  by: Caller,
  organization: string,
  email: string,
  teams: readonly string[] = [],
): Promise<Answer> {
  const relationships = { teams: { data: teams.map((id) => ({ type: 'teams', id })) } };
  const data = { type: 'organization-memberships', attributes: { email }, relationships };
  return by.call('POST', `/organizations/${organization}/organization-memberships`, { data });
}

/** Invites a user, who accepts. Returns the ID of the membership. */
export async function joinOrganization(
  organization: { readonly name: string; readonly owner: Caller },
  user: UserCaller,
  teams: readonly string[] = [],
): Promise<string> {
  const id = created(await invite(organization.owner, organization.name, `${user.username}@example.com`, teams));
  expect((await user.call('POST', `/organization-memberships/${id}/actions/accept`)).status).toBe(204);
  return id;
}

/** Creates a user in a team. */
export async function newTeamMember(api: TestApi, teamId: string, username: string): Promise<UserCaller> {
  const user = await api.user(username);
  await joinTeam(api, teamId, user.id);
  return user;
}

export function workspaceBody(attributes: object, relationships: object = {}): object {
  return { data: { type: 'workspaces', attributes, relationships } };
}

/** Lets machines of a role act for a team. */
export async function identify(owner: Caller, teamId: string, attributes: object): Promise<string> {
  const body = { data: { type: 'machine-identities', attributes } };
  return created(await owner.call('POST', `/teams/${teamId}/machine-identities`, body));
}

/** Returns the ID of the created resource. */
export function created(answer: Answer): string {
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.id;
}

/** Returns the errors of a response as pointers with details. */
export function issuesOf(answer: Answer): string[] {
  return answer.body.errors.map(
    (error: { detail: string; source?: { pointer?: string; parameter?: string } }) =>
      `${error.source?.pointer ?? error.source?.parameter ?? ''}: ${error.detail}`,
  );
}

export function namesOf(answer: Answer): string[] {
  return answer.body.data.map((item: { attributes: { name: string } }) => item.attributes.name);
}
