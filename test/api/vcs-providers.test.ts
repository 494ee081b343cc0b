import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../support/databases.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { ADAPTERS } from '../support/vcs/adapters.ts';
import type { FakeProvider, FakeRepository } from '../support/vcs/fake-github.ts';

const POLL = { timeout: 30_000, interval: 50 };
/** The fake of Azure DevOps Services has hosts of Microsoft, which a whole server cannot reach. */
const CASES = ADAPTERS.filter(({ serviceProvider }) => serviceProvider !== 'ado_services');

describe.each(databaseKinds)('providers at a whole server on %s', { timeout: 90_000 }, (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    const vcs = { allowedAddresses: ['127.0.0.1'] };
    server = await startTestServer(kind, { vcs, publicAddress: 'https://lock.example.com' });
  });
  afterAll(() => server.stop());

  async function made(path: string, type: string, attributes: object) {
    const answer = await server.user('POST', `/api/v2${path}`, { data: { type, attributes } });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  }
  const get = async (path: string) => (await server.user('GET', `/api/v2${path}`)).body;
  const messagesOf = async (workspace: string) =>
    (await get(`/workspaces/${workspace}/runs`)).data.map(
      ({ attributes }: { attributes: { message: string } }) => attributes.message,
    );

  /** Lets the provider deliver an event, and hands the deliveries to the server. */
  async function delivered({ hooks }: FakeRepository, deliver: () => Promise<number[]>): Promise<void> {
    const relay = createServer(async (request, response) => {
      const answer = await server.call('POST', request.url ?? '/', {
        ...{ body: await buffer(request), headers: flat(request.headers) },
      });
      response.writeHead(answer.status).end();
    });
    relay.listen(0, '127.0.0.1');
    await once(relay, 'listening');
    const origin = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
    const urls = hooks.map((hook) => hook.url);
    for (const hook of hooks) hook.url = origin + new URL(hook.url).pathname;
    server.advance(1);
    const statuses = await deliver();
    hooks.forEach((hook, index) => {
      hook.url = urls[index] ?? '';
    });
    relay.close();
    relay.closeAllConnections();
    expect(new Set(statuses)).toEqual(new Set([202]));
  }

  async function onBranch({ git }: FakeRepository, branch: string, message: string): Promise<void> {
    await git.git('checkout', '--quiet', '-B', branch);
    await git.commit({ 'main.tf': `# ${message}` }, message);
    await git.git('checkout', '--quiet', 'main');
  }

  test.each(CASES)('$serviceProvider: a push and a pull request start runs, a fork does not', async (adapter) => {
    const fake: FakeProvider = await adapter.start();
    try {
      const repository = await fake.createRepository(adapter.fullName);
      const name = adapter.serviceProvider.replaceAll('_', '-');
      await made('/organizations', 'organizations', { name, email: 'a@example.com' });
      const client = await made(`/organizations/${name}/oauth-clients`, 'oauth-clients', {
        'service-provider': adapter.serviceProvider,
        'http-url': fake.httpUrl + (adapter.apiPath ?? ''),
        'api-url': fake.apiUrl + (adapter.apiPath ?? ''),
        'oauth-token-string': fake.token,
      });
      const statusOf = async () => (await get(`/oauth-clients/${client.id}`)).data.attributes['connection-status'];
      await expect.poll(statusOf, POLL).toBe('ok');
      const { id: workspace } = await made(`/organizations/${name}/workspaces`, 'workspaces', {
        ...{ name: 'one', 'execution-mode': 'remote', 'queue-all-runs': true, 'file-triggers-enabled': false },
        'vcs-repo': {
          identifier: adapter.fullName,
          'oauth-token-id': client.relationships['oauth-tokens'].data[0].id,
        },
      });
      await expect.poll(() => repository.hooks.length, POLL).toBeGreaterThan(0);
      await expect.poll(() => messagesOf(workspace), POLL).toEqual(['first']);

      const before = await repository.git.id();
      const after = await repository.git.commit({ 'main.tf': '# second' }, 'second');
      await delivered(repository, () => fake.deliverPush(repository, 'refs/heads/main', before, after));
      await expect.poll(() => messagesOf(workspace), POLL).toEqual(['second', 'first']);

      await onBranch(repository, 'change', 'pull one');
      const pull = await fake.openPull(repository, 'change');
      await delivered(repository, () => fake.deliverPull(repository, pull, 'opened'));
      await expect.poll(() => messagesOf(workspace), POLL).toEqual(['pull one', 'second', 'first']);

      const fork = await fake.fork(repository, 'mallory');
      await onBranch(fork, 'evil', 'evil');
      const foreign = await fake.openPull(repository, 'evil', fork);
      await delivered(repository, () => fake.deliverPull(repository, foreign, 'opened'));
      const verdict = async () => (await get(`/workspaces/${workspace}/vcs-events`)).data[0].attributes.verdict.code;
      await expect.poll(verdict, POLL).toBe('fork-never');
      expect(await messagesOf(workspace)).toEqual(['pull one', 'second', 'first']);
    } finally {
      await fake.stop();
    }
  });
});

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  const { host, connection, 'content-length': length, ...sent } = headers;
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]));
}
