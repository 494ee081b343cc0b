import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import type { GitServer } from '../../../support/git-server.ts';
import type { TestApi } from '../support/api.ts';
import type { TestOrganization } from '../support/organization.ts';
import { lookUp, messagesIn, startWithGit, verdictsIn, workOff } from '../support/vcs.ts';

const MINUTE = 60_000;

describe.each(databaseKinds)('a Git server that is away, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let server: GitServer;
  let token: string;
  let stop: () => Promise<void>;
  let client: string;
  let names = 0;
  beforeAll(async () => {
    ({ server, api, acme, token, stop } = await startWithGit(kind));
    client = (await acme.owner.call('GET', `/oauth-tokens/${token}`)).body.data.relationships['oauth-client'].data.id;
  });
  afterEach(() => {
    server.misbehave = undefined;
  });
  afterAll(() => stop());

  async function followed(settings: object = { 'file-triggers-enabled': false }) {
    const identifier = `team/infra-${++names}.git`;
    const repository = await server.createRepository(identifier);
    await repository.commit({ 'main.tf': '# 1' }, 'first');
    const workspace = await acme.workspace(`w-${names}`, {
      ...{ 'execution-mode': 'remote', 'queue-all-runs': true, ...settings },
      'vcs-repo': { identifier, 'oauth-token-id': token },
    });
    await workOff(api);
    return { repository, identifier, workspace };
  }

  async function repositoryOf(identifier: string) {
    const { data } = (await acme.owner.call('GET', `/oauth-clients/${client}/vcs-repositories?page[size]=100`)).body;
    return data.find((each: { attributes: { identifier: string } }) => each.attributes.identifier === identifier);
  }
  /** Lets the server fail for a repository after some requests. Others are looked up at the same time. */
  const fail = (identifier: string, after: number) => {
    let requests = 0;
    server.misbehave = (request, response, next) => {
      if (request.url?.startsWith(`/${identifier}/`) && ++requests > after) response.writeHead(503).end('down');
      else next();
    };
  };
  async function pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 5) {
      api.advance(5 * MINUTE);
      await workOff(api);
    }
  }

  test('a push during an hour without the server runs afterwards, and the repository says what is wrong', async () => {
    const { repository, identifier, workspace } = await followed();
    fail(identifier, 0);
    await repository.commit({ 'main.tf': '# 2' }, 'while away');
    await pass(60);
    expect((await repositoryOf(identifier)).attributes).toMatchObject({
      health: 'unreachable',
      'health-reason': expect.stringMatching(/^The Git server 127\.0\.0\.1:\d+ answered with status 503$/),
    });
    server.misbehave = undefined;
    await pass(70);
    expect((await repositoryOf(identifier)).attributes).toMatchObject({ health: 'ok', 'health-reason': null });
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'while away']);
  });

  test('an event waits while its files cannot be fetched, says why, and runs later', async () => {
    const { repository, identifier, workspace } = await followed();
    // The look-up works; everything after it does not.
    fail(identifier, 1);
    await repository.commit({ 'main.tf': '# 2' }, 'late');
    await lookUp(api);
    await pass(10);
    const [event] = (await acme.owner.call('GET', `/organizations/${acme.name}/vcs-events`)).body.data;
    expect(event.attributes).toMatchObject({ level: 'error', state: 'waiting', 'after-sha': await repository.id() });
    expect(event.attributes['suggested-action']).toMatch(/answered with status 503/);
    server.misbehave = undefined;
    await pass(70);
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'late']);
  });

  test('an event fails after a day, and the next push runs', async () => {
    const { repository, identifier, workspace } = await followed();
    fail(identifier, 1);
    await repository.commit({ 'main.tf': '# 2' }, 'lost');
    await lookUp(api);
    for (let hour = 0; hour < 26; hour++) {
      api.advance(60 * MINUTE);
      await workOff(api);
    }
    const states = (await acme.owner.call('GET', `/organizations/${acme.name}/vcs-events`)).body.data;
    expect(states[0].attributes).toMatchObject({ level: 'error', state: 'failed' });
    server.misbehave = undefined;
    await pass(70);
    await repository.commit({ 'main.tf': '# 3' }, 'next');
    await pass(15);
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'next']);
  });

  test('a deleted repository is gone with its reason, and comes back', async () => {
    const { repository, identifier, workspace } = await followed();
    server.misbehave = (_request, response) => void response.writeHead(404).end('no');
    await pass(15);
    expect((await repositoryOf(identifier)).attributes).toMatchObject({ health: 'gone' });
    server.misbehave = undefined;
    await repository.commit({ 'main.tf': '# 2' }, 'back');
    await acme.owner.call('POST', `/workspaces/${workspace}/actions/look-up`);
    await workOff(api);
    expect((await repositoryOf(identifier)).attributes).toMatchObject({ health: 'ok' });
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'back']);
    expect(await verdictsIn(api, workspace)).toEqual(['run any-push', 'run any-push']);
  });
});
