import { expect } from 'vitest';
import type { Dialect } from '../../../src/storage/index.ts';
import type { Answer } from '../../support/http.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** A server with a directory that provisions people, and an organization. */
export class Directory {
  readonly server: TestServer;
  token = '';

  private constructor(server: TestServer) {
    this.server = server;
  }

  static async start(kind: Dialect): Promise<Directory> {
    const server = await startTestServer(kind);
    const directory = new Directory(server);
    await server.application.workspaces.tenancy.users.setSiteAdmin('first', true);
    await directory.admin('PATCH', '/admin/scim-settings', 'scim-settings', { enabled: true });
    const made = await directory.admin('POST', '/admin/scim-tokens', 'authentication-tokens', { description: 'ours' });
    expect(made.status, made.text).toBe(201);
    directory.token = made.body.data.attributes.token;
    const data = { type: 'organizations', attributes: { name: 'acme', email: 'a@example.com' } };
    await server.user('POST', '/api/v2/organizations', { data });
    return directory;
  }

  /** As a site administrator. */
  admin(method: string, path: string, type?: string, attributes: object = {}): Promise<Answer> {
    const body = type === undefined ? undefined : { data: { type, attributes } };
    return this.server.user(method, `/api/v2${path}`, body);
  }

  call(method: string, path: string, body?: unknown, token = this.token): Promise<Answer> {
    const headers = { 'content-type': 'application/scim+json' };
    return this.server.call(method, `/scim/v2${path}`, { token, body, headers });
  }

  patch(path: string, ...operations: readonly object[]): Promise<Answer> {
    return this.call('PATCH', path, { schemas: [PATCH], Operations: operations });
  }

  /** @returns the id of a new user */
  async user(userName: string, more: object = {}): Promise<string> {
    const emails = [{ primary: true, type: 'work', value: `${userName}@example.com` }];
    const answer = await this.call('POST', '/Users', { schemas: [USER], userName, active: true, emails, ...more });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.id;
  }

  /** @returns the id of a new group */
  async group(displayName: string, members: readonly string[] = [], more: object = {}): Promise<string> {
    const body = { displayName, members: members.map((value) => ({ value })), ...more };
    const answer = await this.call('POST', '/Groups', body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.id;
  }

  async team(name: string, attributes: object = {}): Promise<string> {
    const answer = await this.admin('POST', '/organizations/acme/teams', 'teams', { name, ...attributes });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data.id;
  }

  /** Creates a token of a provisioned user. */
  async tokenOf(id: string): Promise<string> {
    const { tenancy } = this.server.application.workspaces;
    return (await tenancy.tokens.issue(id, { description: '', expiresAt: null })).text;
  }

  /** Returns the names of the teams of acme that the token sees, or `undefined` if it has no access to acme. */
  async teamsSeenBy(token: string): Promise<readonly string[] | undefined> {
    const { status, body } = await this.server.call('GET', '/api/v2/organizations/acme/teams', { token });
    return status === 200
      ? body.data.map((team: { attributes: { name: string } }) => team.attributes.name).sort()
      : undefined;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}
