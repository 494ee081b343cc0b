import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vcsFacts } from '../../src/workspaces/index.ts';
import { databaseKinds } from '../support/databases.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type FakeProvider, fakeGitea } from '../support/vcs/fake-github.ts';

const POLL = { timeout: 30_000, interval: 100 };

describe.each(databaseKinds)('monitoring of version control on %s', { timeout: 90_000 }, (kind) => {
  let server: TestServer;
  let gitea: FakeProvider;
  beforeAll(async () => {
    gitea = await fakeGitea();
    server = await startTestServer(kind, { vcs: { allowedAddresses: ['127.0.0.1'] } });
  });
  afterAll(async () => {
    await server.stop();
    await gitea.stop();
  });

  async function made(path: string, type: string, attributes: object) {
    const answer = await server.user('POST', `/api/v2${path}`, { data: { type, attributes } });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  }
  const metrics = async () => {
    // The next look-ups.
    server.advance(60);
    const { text } = await server.call('GET', '/metrics');
    return text.split('\n').filter((line) => /^lockkeeper_vcs_\w+\{/.test(line));
  };
  const checks = async () => {
    const { body } = await server.call('GET', '/healthz/ready?verbose');
    return body.diagnosis.find(({ name }: { name: string }) => name === 'version control')?.parts;
  };

  test('repositories and connections that fail are counted, and named to the operator only', async () => {
    await made('/organizations', 'organizations', { name: 'acme', email: 'a@example.com' });
    const repository = await gitea.createRepository('ada/infra');
    const client = await made('/organizations/acme/oauth-clients', 'oauth-clients', {
      ...{ name: 'our forge', 'service-provider': 'gitea', 'http-url': gitea.httpUrl, 'api-url': gitea.apiUrl },
      'oauth-token-string': gitea.token,
    });
    const status = async () =>
      (await server.user('GET', `/api/v2/oauth-clients/${client.id}`)).body.data.attributes['connection-status'];
    await expect.poll(status, POLL).toBe('ok');
    const token = client.relationships['oauth-tokens'].data[0].id;
    await made('/organizations/acme/workspaces', 'workspaces', {
      ...{ name: 'one', 'vcs-repo': { identifier: 'ada/infra', 'oauth-token-id': token } },
    });
    await expect.poll(metrics, POLL).toContain('lockkeeper_vcs_repositories{health="ok"} 1');
    expect(await vcsFacts(server.application.databases.workspaces)).toEqual({
      connections: { total: 1, failing: 0, names: [] },
      repositories: { total: 1, failing: 0, names: [] },
    });

    gitea.repositories.splice(gitea.repositories.indexOf(repository), 1);
    gitea.git.credential = { username: 'nobody', password: 'else' };
    await expect.poll(metrics, POLL).toContain('lockkeeper_vcs_repositories{health="gone"} 1');
    gitea.tokens.clear();
    await server.user('POST', `/api/v2/oauth-clients/${client.id}/actions/check`);
    await expect.poll(metrics, POLL).toContain('lockkeeper_vcs_connections{status="refused"} 1');
    const { connections, repositories } = await vcsFacts(server.application.databases.workspaces);
    expect(connections).toEqual({ total: 1, failing: 1, names: ['acme: our forge (refused)'] });
    expect([repositories.total, repositories.failing]).toEqual([1, 1]);
    expect(repositories.names[0]).toMatch(/^acme: ada\/infra \((gone|forbidden)\)$/);
    expect(await checks()).toEqual([
      { name: 'connections', status: 'warning', found: '1 of 1 fail' },
      { name: 'repositories', status: 'warning', found: '1 of 1 fail' },
    ]);
  });
});
