import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileBlobs } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { type FakeProvider, fakeGitea } from '../../../support/vcs/fake-github.ts';
import { page } from '../../../support/vcs/misbehaviour.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { issuesOf, newOrganization, type TestOrganization } from '../support/organization.ts';
import { newConnection } from '../support/vcs.ts';

interface Shown {
  readonly message: string | null;
  readonly code: string;
}

describe.each(databaseKinds)('the choice of a repository on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let gitea: FakeProvider;
  let token: string;
  let narrow: string;
  beforeAll(async () => {
    gitea = await fakeGitea();
    const infra = await gitea.createRepository('acme/infra');
    await gitea.createRepository('team/app');
    await infra.git.commit({ 'net/vpc/main.tf': '#', 'app/main.tf': '#' }, 'folders');
    await infra.git.git('branch', 'next');
    gitea.git.credential = { username: 'x-access-token', password: gitea.token };
    api = await startApi(kind, FileBlobs, {}, 'none', undefined, { allowedAddresses: ['127.0.0.1'] });
    acme = await newOrganization(api);
    const attributes = { 'service-provider': 'gitea', 'api-url': gitea.apiUrl, 'oauth-token-string': gitea.token };
    token = await newConnection(api, acme, gitea.httpUrl, attributes);
    narrow = await newConnection(api, acme, gitea.httpUrl, { ...attributes, 'allowed-repositories': ['team/*'] });
  });
  afterAll(async () => {
    await api.close();
    await gitea.stop();
  });

  const get = (path: string) => acme.owner.call('GET', path);
  const inAcme = (path: string, query: Record<string, string>) =>
    get(`/organizations/${acme.name}/vcs/${path}?${new URLSearchParams({ oauth_token_id: token, ...query })}`);
  const names = async (path: string) => (await get(path)).body.data.map(({ id }: { id: string }) => id).toSorted();

  test('shows the repositories of a connection and their owners, and only the allowed ones', async () => {
    expect(await names(`/oauth-tokens/${token}/authorized-repos`)).toEqual(['acme/infra', 'team/app']);
    expect(await names(`/oauth-tokens/${token}/authorized-repos?search[name]=infra`)).toEqual(['acme/infra']);
    expect(await names(`/oauth-tokens/${token}/vcs-organizations`)).toEqual(['acme', 'team']);
    expect(await names(`/oauth-tokens/${narrow}/authorized-repos`)).toEqual(['team/app']);
    const { body } = await get(`/oauth-tokens/${token}/authorized-repos`);
    expect(body.meta).toEqual({ 'next-page': null });
    expect(body.data[0].relationships['oauth-token'].data).toEqual({ type: 'oauth-tokens', id: token });
  });

  test('says whether a repository is there', async () => {
    expect((await inAcme('repo', { identifier: 'acme/infra' })).body.data).toMatchObject({
      type: 'vcs-repo-check',
      attributes: { exists: true, identifier: 'acme/infra', 'default-branch': 'main' },
    });
    expect((await inAcme('repo', { identifier: 'acme/none' })).body.data.attributes.exists).toBe(false);
    const outside = await inAcme('repo', { identifier: 'acme/infra', oauth_token_id: narrow });
    expect([outside.status, issuesOf(outside)]).toEqual([422, [expect.stringContaining('allowed-repositories')]]);
    const both = await inAcme('repo', { identifier: 'acme/infra', githubAppInstallationId: 'ghain-1' });
    expect(both.status).toBe(422);
  });

  test('shows the folders of a branch', async () => {
    const folders = async (query: Record<string, string>) =>
      (await inAcme('tree', { identifier: 'acme/infra', ...query })).body.data.map(({ id }: { id: string }) => id);
    expect(await folders({})).toEqual(['app', 'net', 'net/vpc']);
    expect(await folders({ branch: 'next' })).toEqual(['app', 'net', 'net/vpc']);
    const none = await inAcme('tree', { identifier: 'acme/infra', branch: 'none' });
    expect([none.status, issuesOf(none)]).toEqual([422, [expect.stringContaining('no branch none')]]);
    expect((await inAcme('tree', { identifier: 'acme/none' })).status).toBe(422);
  });

  test('shows the branches of a repository, and finds them by name', async () => {
    const branches = async (query: Record<string, string>) =>
      (await inAcme('branches', { identifier: 'acme/infra', ...query })).body.data.map(
        ({ attributes }: { attributes: object }) => Object.values(attributes).join(' '),
      );
    expect(await branches({})).toEqual(['main true', 'next false']);
    expect(await branches({ 'search[name]': 'NEX' })).toEqual(['next false']);
    expect((await inAcme('branches', { identifier: 'acme/none' })).status).toBe(422);
  });

  test('previews a repository that no workspace follows yet', async () => {
    const preview = (attributes: object, query: Record<string, string> = {}) => {
      const search = new URLSearchParams({ oauth_token_id: token, identifier: 'acme/infra', ...query });
      const body = { data: { type: 'workspaces', attributes } };
      return acme.owner.call('POST', `/organizations/${acme.name}/vcs/preview?${search}`, body);
    };
    const codes = async (attributes: object) =>
      (await preview(attributes)).body.data.map(({ attributes: { message, code } }: { attributes: Shown }) =>
        [message, code].join(' '),
      );
    expect(await codes({ 'working-directory': 'app' })).toEqual(['folders directory-matches', 'first first-commit']);
    expect((await codes({ 'trigger-patterns': ['/none/*'] }))[0]).toBe('folders other-files');
    expect(await codes({ 'vcs-repo': { branch: 'next' } })).toHaveLength(2);
    const refused = await preview({ 'vcs-repo': { branch: 'none' } });
    expect([refused.status, issuesOf(refused)]).toEqual([422, ['branch: The repository has no branch none']]);
    expect((await preview({ 'trigger-patterns': ['/{a}'] })).status).toBe(422);
    expect((await preview({}, { oauth_token_id: narrow })).status).toBe(422);
  });

  test('is for members who may choose connections, and a provider that fails is no failure of ours', async () => {
    const other = await newOrganization(api);
    for (const path of ['authorized-repos', 'vcs-organizations'])
      expect((await other.owner.call('GET', `/oauth-tokens/${token}/${path}`)).status).toBe(404);
    const query = new URLSearchParams({ oauth_token_id: token, identifier: 'acme/infra' });
    for (const path of ['repo', 'tree', 'branches'])
      expect((await other.owner.call('GET', `/organizations/${other.name}/vcs/${path}?${query}`)).status).toBe(404);
    gitea.server.misbehave = page();
    const failed = await get(`/oauth-tokens/${token}/authorized-repos`);
    gitea.server.misbehave = undefined;
    expect([failed.status, issuesOf(failed)]).toEqual([422, [expect.stringContaining('web page')]]);
  });
});
