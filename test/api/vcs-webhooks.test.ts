import { Agent, request } from 'node:https';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/storage/index.ts';
import { databaseKinds } from '../support/databases.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { deliveryHeaders, type FakeProvider, type FakeRepository, fakeGitea } from '../support/vcs/fake-github.ts';
import { broken } from '../support/vcs/misbehaviour.ts';

const POLL = { timeout: 30_000, interval: 50 };
const ADDRESS = 'https://lock.example.com';
const selectRemovals = sql<Record<string, never>, { failures: number }>('SELECT failures FROM vcs_hook_removal');

describe.each(databaseKinds)('webhooks of a whole server on %s', { timeout: 90_000 }, (kind) => {
  let gitea: FakeProvider;
  let names = 0;
  const servers: TestServer[] = [];
  beforeAll(async () => {
    gitea = await fakeGitea();
  });
  afterAll(() => gitea.stop());
  afterEach(async () => {
    for (const server of servers.splice(0).toReversed()) await server.stop();
  });

  async function start(beside?: TestServer): Promise<TestServer> {
    const vcs = { allowedAddresses: ['127.0.0.1'] };
    const server = await startTestServer(kind, { vcs, publicAddress: ADDRESS, ...(beside && { beside }) });
    servers.push(server);
    return server;
  }

  async function made(server: TestServer, path: string, type: string, attributes: object) {
    const answer = await server.user('POST', `/api/v2${path}`, { data: { type, attributes } });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  }
  const get = async (server: TestServer, path: string) => (await server.user('GET', `/api/v2${path}`)).body;

  /** An organization with a workspace that follows a repository, whose webhook is there. */
  async function connected(server: TestServer, attributes: object = {}) {
    const name = `acme-${++names}`;
    const repository = await gitea.createRepository(`ada/infra-${names}`);
    await made(server, '/organizations', 'organizations', { name, email: 'a@example.com' });
    const client = await made(server, `/organizations/${name}/oauth-clients`, 'oauth-clients', {
      'service-provider': 'gitea',
      ...{ 'http-url': gitea.httpUrl, 'api-url': gitea.apiUrl, 'oauth-token-string': gitea.token },
    });
    const token = client.relationships['oauth-tokens'].data[0].id;
    await expect
      .poll(async () => (await get(server, `/oauth-clients/${client.id}`)).data.attributes['connection-status'], POLL)
      .toBe('ok');
    const workspace = await made(server, `/organizations/${name}/workspaces`, 'workspaces', {
      ...{ name: 'one', 'execution-mode': 'remote', 'queue-all-runs': true, 'file-triggers-enabled': false },
      'vcs-repo': { identifier: repository.fullName, 'oauth-token-id': token },
      ...attributes,
    });
    await expect.poll(() => repository.hooks.length, POLL).toBe(1);
    await expect.poll(async () => (await runsOf(server, workspace.id)).length, POLL).toBe(1);
    return { name, client, repository, workspace: workspace.id as string };
  }

  const runsOf = async (server: TestServer, workspace: string) =>
    (await get(server, `/workspaces/${workspace}/runs`)).data.map(
      ({ attributes }: { attributes: { message: string } }) => attributes.message,
    );

  /** Sends a delivery as Gitea does. */
  function deliver(server: TestServer, repository: FakeRepository, event: string, payload: object, headers = {}) {
    server.advance(1);
    const [hook] = repository.hooks;
    const sender = { login: 'ada', avatar_url: `${gitea.httpUrl}/ada.png`, html_url: `${gitea.httpUrl}/ada` };
    const { id, fullName } = repository;
    const body = JSON.stringify({ repository: { id, full_name: fullName }, sender, ...payload });
    const made = deliveryHeaders('gitea', event, hook?.secret ?? '', body);
    const path = new URL(hook?.url ?? '').pathname;
    return server.call('POST', path, { body, headers: { ...made, ...headers } });
  }

  /** Commits to a branch. The default branch stays checked out, as at a server. */
  async function onBranch(repository: FakeRepository, branch: string, message: string): Promise<void> {
    const exists = (await repository.git.git('branch', '--list', branch)) !== '';
    await repository.git.git('checkout', '--quiet', ...(exists ? [] : ['-b']), branch);
    await repository.git.commit({ 'main.tf': `# ${message}` }, message);
    await repository.git.git('checkout', '--quiet', 'main');
  }

  async function push(repository: FakeRepository, message: string) {
    const before = await repository.git.id();
    const after = await repository.git.commit({ 'main.tf': `# ${message}` }, message);
    return { ref: 'refs/heads/main', before, after };
  }

  test('a delivery starts a run at once, with its sender, and the same delivery does nothing', async () => {
    const server = await start();
    const { repository, workspace, name } = await connected(server);
    expect(repository.hooks[0]?.url).toMatch(/^https:\/\/lock\.example\.com\/webhooks\/vcs\/[1-9A-Za-z]{24}$/);
    const compare = `${gitea.httpUrl}/${repository.fullName}/compare/a...b`;
    const change = { ...(await push(repository, 'second')), compare_url: compare };
    const answer = await deliver(server, repository, 'push', change, { 'x-gitea-delivery': 'one' });
    expect([answer.status, answer.text]).toEqual([202, '{}']);
    await expect.poll(() => runsOf(server, workspace), POLL).toEqual(['second', 'first']);
    await deliver(server, repository, 'push', change, { 'x-gitea-delivery': 'one' });
    await deliver(server, repository, 'push', change, { 'x-gitea-delivery': 'two' });

    const [run] = (await get(server, `/workspaces/${workspace}/runs`)).data;
    const { included } = await get(server, `/runs/${run.id}?include=configuration_version.ingress_attributes`);
    expect(included.at(-1).attributes).toMatchObject({
      'compare-url': compare,
      'sender-username': 'ada',
      'sender-avatar-url': `${gitea.httpUrl}/ada.png`,
      'sender-html-url': `${gitea.httpUrl}/ada`,
    });
    const events = (await get(server, `/organizations/${name}/vcs-events`)).data;
    expect(events[0].attributes).toMatchObject({ level: 'info', kind: 'push', 'sender-name': 'ada', 'run-count': 1 });
    const [client] = (await get(server, `/organizations/${name}/vcs-events?include=oauth_client`)).included;
    const [{ id }] = (await get(server, `/oauth-clients/${client.id}/vcs-repositories`)).data;
    await expect
      .poll(
        async () =>
          (await get(server, `/vcs-repositories/${id}/deliveries`)).data.map(
            ({ attributes }: { attributes: object }) => attributes,
          ),
        POLL,
      )
      .toMatchObject([
        { 'delivery-id': expect.anything(), outcome: 'found no change' },
        { hints: ['push refs/heads/main'], outcome: 'found 1 changes' },
      ]);
    expect((await get(server, `/workspaces/${workspace}`)).data.attributes['vcs-repo']).toMatchObject({
      'webhook-url': repository.hooks[0]?.url,
      'display-identifier': repository.fullName,
      'repository-http-url': `${gitea.httpUrl}/${repository.fullName}`,
    });
    expect(await runsOf(server, workspace)).toEqual(['second', 'first']);
  });

  test('an unknown webhook and a wrong proof get the same answer, and nothing is stored', async () => {
    const server = await start();
    const { repository, client } = await connected(server);
    const [hook] = repository.hooks;
    const change = await push(repository, 'second');
    const wrong = await deliver(server, repository, 'push', change, { 'x-gitea-signature': '0'.repeat(64) });
    const unknown = await server.call('POST', `/webhooks/vcs/${'1'.repeat(24)}`, { body: '{}' });
    expect([wrong.status, wrong.text]).toEqual([404, unknown.text]);
    expect(unknown.status).toBe(404);
    const [{ id }] = (await get(server, `/oauth-clients/${client.id}/vcs-repositories`)).data;
    expect((await get(server, `/vcs-repositories/${id}/deliveries`)).data).toEqual([]);

    const renewed = await server.user('POST', `/api/v2/vcs-repositories/${id}/actions/renew-webhook-secret`);
    expect(renewed.body.data.attributes['webhook-url']).toBe(hook?.url);
    const { 'webhook-secret': secret } = renewed.body.data.attributes;
    await expect.poll(() => repository.hooks[0]?.secret, POLL).toBe(secret);
    expect((await get(server, `/vcs-repositories/${id}`)).data.attributes['webhook-secret']).toBeNull();
  });

  test('a thousand deliveries of a stranger delay no delivery of the provider, and bodies are bounded', async () => {
    const server = await start();
    const { repository, workspace } = await connected(server);
    const path = new URL(repository.hooks[0]?.url ?? '').pathname;
    const agent = new Agent({ keepAlive: true, maxSockets: 50 });
    const stranger = Array.from({ length: 1000 }, (_, index) =>
      server.call('POST', index % 2 === 0 ? path : `/webhooks/vcs/${index}`, {
        agent,
        body: '{"ref":"refs/heads/main"}',
      }),
    );
    const change = await push(repository, 'beside the stranger');
    expect((await deliver(server, repository, 'push', change)).status).toBe(202);
    await expect.poll(() => runsOf(server, workspace), POLL).toEqual(['beside the stranger', 'first']);
    expect(new Set((await Promise.all(stranger)).map(({ status }) => status))).toEqual(new Set([404]));
    const large = Buffer.alloc(25 * 1_048_576 + 1);
    expect((await server.call('POST', path, { agent, body: large })).status).toBe(413);
    agent.destroy();

    // The provider itself: above the pace, deliveries only start look-ups.
    for (let index = 0; index < 70; index++) {
      expect((await deliver(server, repository, 'push', change, { 'x-gitea-delivery': `d-${index}` })).status).toBe(
        202,
      );
    }
    expect(await runsOf(server, workspace)).toEqual(['beside the stranger', 'first']);
  });

  test('bodies that are announced and never sent keep no delivery waiting', async () => {
    const server = await start();
    const { repository } = await connected(server);
    const url = new URL(new URL(repository.hooks[0]?.url ?? '').pathname, server.address);
    const agent = new Agent({ ca: server.ca });
    const stalled = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const headers = { 'content-length': String(25 * 1_048_576) };
        const one = request(url, { agent, method: 'POST', headers });
        one.on('error', () => {});
        await new Promise((resolve) => one.write('{', resolve));
        return one;
      }),
    );
    // A later request that was answered shows that the server reads the bodies.
    await server.call('POST', `/webhooks/vcs/${'1'.repeat(24)}`, { body: '{}' });
    const change = await push(repository, 'beside the stalled');
    expect((await deliver(server, repository, 'push', change)).status).toBe(202);
    for (const one of stalled) one.destroy();
    agent.destroy();
  });

  test('pull requests are planned at their head, older plans end, and forks are not planned', async () => {
    const server = await start();
    const { repository, workspace } = await connected(server);
    await onBranch(repository, 'change', 'pull one');
    const pull = await gitea.openPull(repository, 'change');
    await deliver(server, repository, 'pull_request', { action: 'opened', number: pull.number });
    await expect.poll(() => runsOf(server, workspace), POLL).toEqual(['pull one', 'first']);
    await onBranch(repository, 'change', 'pull two');
    await gitea.updatePull(repository, pull);
    await deliver(server, repository, 'pull_request', { action: 'synchronized', number: pull.number });
    await expect.poll(() => runsOf(server, workspace), POLL).toEqual(['pull two', 'pull one', 'first']);
    const all = (await get(server, `/workspaces/${workspace}/runs`)).data;
    expect(all[0].attributes).toMatchObject({ 'plan-only': true });
    await expect
      .poll(async () => (await get(server, `/runs/${all[1].id}`)).data.attributes.status, POLL)
      .toMatch(/canceled|discarded/);
    pull.state = 'closed';
    pull.updatedAt++;
    await deliver(server, repository, 'pull_request', { action: 'closed', number: pull.number });
    await expect
      .poll(async () => (await get(server, `/runs/${all[0].id}`)).data.attributes.status, POLL)
      .toMatch(/canceled|discarded/);

    const fork = await gitea.fork(repository, 'mallory');
    await onBranch(fork, 'evil', 'evil');
    const foreign = await gitea.openPull(repository, 'evil', fork);
    await deliver(server, repository, 'pull_request', { action: 'opened', number: foreign.number });
    await expect
      .poll(
        async () => (await get(server, `/workspaces/${workspace}/vcs-events`)).data[0].attributes.verdict.code,
        POLL,
      )
      .toBe('fork-never');
    expect(await runsOf(server, workspace)).toHaveLength(3);
  });

  test('a deleted connection takes its webhooks with it, after the provider was away', async () => {
    const server = await start();
    const { repository, client } = await connected(server);
    const former = repository.hooks.map((hook) => ({ ...hook }));
    gitea.server.misbehave = broken;
    expect((await server.user('DELETE', `/api/v2/oauth-clients/${client.id}`)).status).toBe(204);
    const removals = () => server.application.workspaces.database.all(selectRemovals, {});
    await expect.poll(removals, POLL).toEqual([{ failures: 1 }]);
    expect(repository.hooks).toHaveLength(1);
    const stranger = await server.call('POST', new URL(former[0]?.url ?? '').pathname, { body: '{}' });
    expect(stranger.status).toBe(404);
    gitea.server.misbehave = undefined;
    server.advance(3600);
    await expect.poll(() => repository.hooks, POLL).toEqual([]);
    await expect.poll(removals, POLL).toEqual([]);
  });

  test('two nodes on one database start each run once', async () => {
    const first = await start();
    const second = await start(first);
    const { repository, workspace } = await connected(first);
    for (const message of ['two', 'three', 'four']) {
      const change = await push(repository, message);
      await Promise.all([
        deliver(first, repository, 'push', change, { 'x-gitea-delivery': `a-${message}` }),
        deliver(second, repository, 'push', change, { 'x-gitea-delivery': `b-${message}` }),
      ]);
      // The run exists before its event is done, and until then the next event of the branch waits a second of the clock.
      const newest = async () => {
        for (const node of [first, second]) node.advance(1);
        return (await runsOf(first, workspace))[0];
      };
      await expect.poll(newest, POLL).toBe(message);
    }
    expect(await runsOf(second, workspace)).toEqual(['four', 'three', 'two', 'first']);
  });

  test('a renamed repository is followed by its id, and one under the former name starts nothing', async () => {
    const server = await start();
    const { repository, workspace } = await connected(server);
    const former = repository.fullName;
    gitea.rename(repository, `ada/renamed-${names}`);
    const change = await push(repository, 'after the rename');
    await deliver(server, repository, 'push', change);
    await expect.poll(() => runsOf(server, workspace), POLL).toEqual(['after the rename', 'first']);
    const { attributes } = (await get(server, `/workspaces/${workspace}`)).data;
    expect(attributes['vcs-repo']).toMatchObject({ identifier: former, 'display-identifier': repository.fullName });
  });
});
