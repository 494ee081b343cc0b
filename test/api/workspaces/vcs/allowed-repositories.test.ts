import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FileBlobs } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import type { TestRepository } from '../../../support/git-server.ts';
import { type FakeProvider, fakeGitea } from '../../../support/vcs/fake-github.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { issuesOf, newOrganization, type TestOrganization } from '../support/organization.ts';
import { lookUp, messagesIn, newConnection, verdictsIn, workOff } from '../support/vcs.ts';

const LIMITED = 'limited to other repositories';

describe.each(databaseKinds)('connections that are limited to some repositories, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let fake: FakeProvider;
  let token: string;
  let names = 0;
  beforeAll(async () => {
    fake = await fakeGitea();
    api = await startApi(kind, FileBlobs, {}, 'none', undefined, { allowedAddresses: ['127.0.0.1'] });
  });
  beforeEach(async () => {
    acme = await newOrganization(api);
    token = await newConnection(api, acme, fake.httpUrl, {
      ...{ 'service-provider': 'gitea', 'api-url': fake.apiUrl, 'oauth-token-string': fake.token },
    });
  });
  afterAll(async () => {
    await api.close();
    await fake.stop();
  });

  const clientPath = async () => {
    const { body } = await acme.owner.call('GET', `/oauth-tokens/${token}`);
    return `/oauth-clients/${body.data.relationships['oauth-client'].data.id}`;
  };
  const limit = async (...patterns: readonly string[]) => {
    const answer = await acme.owner.call('PATCH', await clientPath(), {
      data: { type: 'oauth-clients', attributes: { 'allowed-repositories': patterns } },
    });
    expect(answer.status, answer.text).toBe(200);
  };
  const follow = (identifier: string, attributes: object = {}) =>
    acme.workspace(`w-${++names}`, {
      'queue-all-runs': true,
      'vcs-repo': { identifier, 'oauth-token-id': token, ...attributes },
    });
  const get = (path: string) => acme.owner.call('GET', path);

  test('a limit that comes later stops pushes, fetches by hand and looks at the repository', async () => {
    const { fullName, git } = await fake.createRepository(`team/late-${++names}`);
    const workspace = await follow(fullName);
    await workOff(api);
    await git.commit({ 'main.tf': '# 2' }, 'second');
    await lookUp(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'second']);

    await limit('other/*');
    const late = await follow(fullName);
    await git.commit({ 'main.tf': '# 3' }, 'third');
    await lookUp(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'second']);
    expect(await messagesIn(acme, late)).toEqual([]);
    for (const path of ['vcs-explanation', 'vcs-preview']) {
      const answer = await get(`/workspaces/${workspace}/${path}`);
      expect([path, answer.status, issuesOf(answer)[0]]).toEqual([path, 422, expect.stringContaining(LIMITED)]);
    }
    const asked = await acme.owner.call('POST', `/workspaces/${workspace}/configuration-versions`, {
      data: { type: 'configuration-versions', attributes: { 'vcs-ref': 'HEAD' } },
    });
    expect([asked.status, issuesOf(asked)[0]]).toEqual([422, expect.stringContaining(LIMITED)]);

    await limit('other/*', 'team/*');
    api.advance(3_600_000);
    await workOff(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'second', 'third']);
  });

  test('a project that loses the connection gets no runs, and nobody reads the repository for it', async () => {
    const { fullName, git } = await fake.createRepository(`team/lost-${++names}`);
    const workspace = await follow(fullName);
    await workOff(api);
    await git.commit({ 'main.tf': '# 2' }, 'second');
    await lookUp(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'second']);

    const client = await clientPath();
    const attributes = { 'organization-scoped': false };
    const changed = await acme.owner.call('PATCH', client, { data: { type: 'oauth-clients', attributes } });
    expect(changed.status, changed.text).toBe(200);
    await git.commit({ 'main.tf': '# 3' }, 'third');
    await lookUp(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'second']);
    expect((await verdictsIn(api, workspace)).at(-1)).toBe('skipped connection-withdrawn');
    const refused = [409, expect.stringContaining('may no longer use the connection')];
    for (const path of ['vcs-explanation', 'vcs-preview']) {
      const answer = await get(`/workspaces/${workspace}/${path}`);
      expect([answer.status, issuesOf(answer)[0]], path).toEqual(refused);
    }
    const asked = await acme.owner.call('POST', `/workspaces/${workspace}/configuration-versions`, {
      data: { type: 'configuration-versions', attributes: { 'vcs-ref': 'HEAD' } },
    });
    expect([asked.status, issuesOf(asked)[0]]).toEqual([422, refused[1]]);

    const projects = { data: [{ type: 'projects', id: acme.defaultProjectId }] };
    expect((await acme.owner.call('POST', `${client}/relationships/projects`, projects)).status).toBe(204);
    await git.commit({ 'main.tf': '# 4' }, 'fourth');
    await lookUp(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'second', 'fourth']);
  });

  test('a repository that gets a name outside of the limit starts nothing', async () => {
    const repository = await fake.createRepository(`team/moved-${++names}`);
    await limit('team/*');
    const workspace = await follow(repository.fullName);
    await workOff(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first']);
    fake.rename(repository, `elsewhere/moved-${names}`);
    await repository.git.commit({ 'main.tf': '# 2' }, 'second');
    await lookUp(api);
    await lookUp(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first']);
  });

  /** Commits a submodule with the newest commit of another repository. */
  async function addSubmodule(git: TestRepository, url: string, other: TestRepository) {
    git.write({ '.gitmodules': `[submodule "m"]\n\tpath = m\n\turl = ${url}\n` });
    await git.git('add', '--all');
    await git.git('update-index', '--add', '--cacheinfo', `160000,${await other.id()},m`);
    await git.git('commit', '--quiet', '--message', `with ${url}`);
  }
  const requestsFor = ({ fullName }: { readonly fullName: string }) =>
    fake.git.requests.filter(({ path }) => path.toLowerCase().includes(fullName));

  test('submodules within the limit are fetched', async () => {
    const modules = await fake.createRepository(`team/modules-${++names}`);
    const { fullName, git } = await fake.createRepository(`team/outer-${names}`);
    await limit('team/*');
    const workspace = await follow(fullName, { 'ingress-submodules': true });
    await workOff(api);
    await addSubmodule(git, `../../${modules.fullName}.git`, modules.git);
    await lookUp(api);
    expect(await verdictsIn(api, workspace)).toEqual(['run whole-repository', 'run whole-repository']);
    expect(requestsFor(modules)).not.toEqual([]);
  });

  test.each([
    ['by its name', (name: string) => `../../${name}.git`],
    ['by a detour', (name: string) => `../../team/../${name}`],
    ['by an encoded detour', (name: string) => `../../team/%2e%2e%2f${name}`],
    ['in capital letters', (name: string) => `../../${name.toUpperCase()}.git`],
  ])('a submodule beyond the limit is not fetched %s', async (_how, urlOf) => {
    const vault = await fake.createRepository(`secret/vault-${++names}`);
    const { fullName, git } = await fake.createRepository(`team/outer-${names}`);
    await limit('team/*');
    const workspace = await follow(fullName, { 'ingress-submodules': true });
    await workOff(api);
    await addSubmodule(git, urlOf(vault.fullName), vault.git);
    await lookUp(api);
    expect(requestsFor(vault)).toEqual([]);
    expect(await messagesIn(acme, workspace)).toEqual(['first']);
    const events = await get(`/organizations/${acme.name}/vcs-events?filter[levels]=error`);
    expect(events.body.data[0].attributes['suggested-action']).toContain(LIMITED);
  });
});
