import { expect } from 'vitest';
import type { Bench } from './console.ts';

/**
 * Creates another member of the organization, in a team with this access to one workspace.
 * @param more permissions of `custom` access
 * @returns a token
 */
export async function colleague(
  { server }: Bench,
  name: string,
  workspace: string,
  access: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { tenancy } = server.application.workspaces;
  const user = await tenancy.users.create({ username: name, email: `${name}@example.com` });
  const { text } = await tenancy.tokens.issue(user.id, { description: '', expiresAt: null });
  const team = await server.user('POST', '/api/v2/organizations/acme/teams', {
    data: { type: 'teams', attributes: { name: `team-${name}` } },
  });
  const teamId = team.body.data.id;
  const invited = await server.user('POST', '/api/v2/organizations/acme/organization-memberships', {
    data: {
      type: 'organization-memberships',
      attributes: { email: `${name}@example.com` },
      relationships: { teams: { data: [{ type: 'teams', id: teamId }] } },
    },
  });
  expect(invited.status).toBe(201);
  await server.call('POST', `/api/v2/organization-memberships/${invited.body.data.id}/actions/accept`, {
    token: text,
  });
  const granted = await server.user('POST', '/api/v2/team-workspaces', {
    data: {
      type: 'team-workspaces',
      attributes: { access, ...more },
      relationships: {
        workspace: { data: { type: 'workspaces', id: workspace } },
        team: { data: { type: 'teams', id: teamId } },
      },
    },
  });
  expect(granted.status).toBe(201);
  return text;
}
