import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AdapterBench, resetBench, startBench } from '../../../../../test/support/vcs/adapter-bench.ts';
import { ADAPTERS, type AdapterCase } from '../../../../../test/support/vcs/adapters.ts';
import { json } from '../../../../../test/support/vcs/misbehaviour.ts';
import { findProviderKind } from '../providers.ts';
import { organizationOf, organizationUrl } from './api.ts';
import { azureServicesProvider as azure } from './azure.ts';

const CASE = ADAPTERS.find(({ serviceProvider }) => serviceProvider === 'ado_services') as AdapterCase;
let bench: AdapterBench;

beforeAll(async () => {
  bench = await startBench(CASE);
});
beforeEach(() => {
  resetBench(bench, CASE);
  bench.fake.server.requests.length = 0;
  bench.fake.server.misbehave = undefined;
});
afterAll(() => bench.fake.stop());

const status = {
  ...{ commitId: 'c'.repeat(40), ref: null, context: 'lockkeeper/acme/network', description: '' },
  url: 'https://lockkeeper.example/runs/1',
};

describe('the URL of an Azure DevOps organization', () => {
  it.each([
    ['https://dev.azure.com', 'acme', 'https://dev.azure.com/acme'],
    ['https://dev.azure.com/', 'acme', 'https://dev.azure.com/acme'],
    ['https://dev.azure.com/Acme/', 'acme', 'https://dev.azure.com/Acme'],
    ['https://acme.visualstudio.com', 'acme', 'https://acme.visualstudio.com'],
    ['https://tfs.example.com/tfs', 'DefaultCollection', 'https://tfs.example.com/tfs/DefaultCollection'],
    ['https://tfs.example.com/tfs/Default%20One', 'Default One', 'https://tfs.example.com/tfs/Default%20One'],
    ['https://dev.azure.com/acme', 'other', 'https://dev.azure.com/acme/other'],
  ])('is made of %s and %s', (url, organization, expected) => {
    expect(organizationUrl(url, organization)).toBe(expected);
  });

  it('may be that of the connection', () => {
    const found = ['https://dev.azure.com', 'https://dev.azure.com/acme', 'https://acme.visualstudio.com/'].map(
      organizationOf,
    );
    expect(found).toEqual([undefined, 'acme', 'acme']);
  });
});

describe('Azure DevOps', () => {
  it('has a sign-in at the tenant of the connection, and none at a server', () => {
    const app = { httpUrl: 'https://dev.azure.com', apiUrl: 'https://dev.azure.com', key: 'client-1', secret: 's' };
    const request = { state: 'a', redirectUri: 'https://lockkeeper.example/auth/1/callback', challenge: 'abc' };
    const page = (tenant?: string) =>
      new URL(azure.oauth?.authorizeUrl({ ...app, ...(tenant && { tenant }) }, request) ?? '');
    expect(page().pathname).toBe('/organizations/oauth2/v2.0/authorize');
    expect(page('a/../b').pathname).toBe('/a%2F..%2Fb/oauth2/v2.0/authorize');
    expect(page('11111111-2222').origin).toBe('https://login.microsoftonline.com');
    expect(page().searchParams.get('code_challenge_method')).toBe('S256');
    expect(findProviderKind('ado_server', 'token')?.provider.oauth).toBeUndefined();
  });

  it('finds a repository whose names have spaces, encoded or not', async () => {
    for (const identifier of ['acme/My App/_git/mono', 'acme/My%20App/_git/mono'])
      expect(await azure.repository(bench.access(), { identifier })).toMatchObject(bench.ref);
    expect(bench.ref.providerId).toBe('acme/00000000-0000-4000-8000-000000000101');
  });

  it('advises when the token is for one organization only', async () => {
    bench.fake.server.misbehave = json(401, { message: 'TF400813' });
    await expect(azure.whoAmI(bench.access())).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('use its URL as the API URL of the connection'),
    });
  });

  it('lists one organization, or one project', async () => {
    bench.fake.repositories.push({ ...bench.repository, id: 201, fullName: 'acme/other/_git/tools' });
    const list = async (organization: string) =>
      (await azure.repositories(bench.access(), { search: '', page: 1, organization })).items.map(
        (each) => each.identifier,
      );
    expect(await list('acme')).toEqual(['acme/My App/_git/mono', 'acme/other/_git/tools']);
    expect(await list('acme/other')).toEqual(['acme/other/_git/tools']);
    bench.fake.server.misbehave = (request, response, next) =>
      request.url === '/acme/_apis/git/repositories'
        ? json(200, { value: [{ ...disabled }] })(request, response, next)
        : next();
    expect(await list('acme')).toEqual([]);
  });

  const disabled = {
    ...{ id: '00000000-0000-4000-8000-000000000301', name: 'old', isDisabled: true, remoteUrl: 'https://a.example/x' },
    project: { id: '1', name: 'app' },
  };

  it('has one subscription for each kind of event, and no others', async () => {
    const wanted = { url: 'https://lockkeeper.example/hook', secret: 'secret-12' };
    const id = (await azure.hooks?.ensure(bench.access(), bench.ref, { ...wanted, hookId: null })) ?? '';
    const events = () => bench.repository.hooks.map(({ events }) => events[0]);
    expect(events()).toEqual([
      'git.push',
      'git.pullrequest.created',
      'git.pullrequest.updated',
      'git.pullrequest.merged',
    ]);
    expect(bench.repository.hooks[0]?.headers).toEqual({ 'x-lockkeeper-repository': bench.ref.providerId });
    const first = bench.fake.server.requests.find(({ method }) => method === 'POST')?.body;
    expect(first).toMatchObject({
      ...{ publisherId: 'tfs', consumerId: 'webHooks', consumerActionId: 'httpRequest', resourceVersion: '1.0' },
      publisherInputs: { repository: '00000000-0000-4000-8000-000000000101' },
    });
    // Somebody has deleted one, and a killed server has made another one twice.
    bench.repository.hooks.splice(1, 1);
    bench.repository.hooks.push({ id: 9001, url: wanted.url, secret: '', events: ['git.push'] });
    const repaired = await azure.hooks?.ensure(bench.access(), bench.ref, { ...wanted, hookId: id });
    expect(events().sort()).toEqual([
      'git.pullrequest.created',
      'git.pullrequest.merged',
      'git.pullrequest.updated',
      'git.push',
    ]);
    expect(repaired?.split(',')).toHaveLength(4);
  });

  it('sets the status of the commit, and of the pull request, with genre and name apart', async () => {
    await azure.reports?.status(bench.access(), bench.ref, { ...status, state: 'success', pullNumber: 7 });
    await azure.reports?.status(bench.access(), bench.ref, { ...status, state: 'canceled', context: 'alone' });
    expect(bench.fake.statuses.map(({ of }) => of)).toEqual([status.commitId, '7', status.commitId]);
    expect(bench.fake.statuses[1]?.body).toMatchObject({
      ...{ state: 'succeeded', context: { genre: 'lockkeeper', name: 'acme/network' }, targetUrl: status.url },
    });
    // Policies count "notApplicable" as a success.
    expect(bench.fake.statuses[2]?.body).toMatchObject({
      state: 'error',
      context: { genre: 'lockkeeper', name: 'alone' },
    });
  });

  it('leaves out a pull request whose head is unknown yet', async () => {
    const pull = await bench.fake.openPull(bench.repository, 'main');
    pull.headId = '';
    expect(await azure.pulls?.one(bench.access(), bench.ref, pull.number)).toBeUndefined();
    expect((await azure.pulls?.open(bench.access(), bench.ref, undefined))?.items).toEqual([]);
  });

  it('refuses ids of other providers', async () => {
    await expect(azure.repository(bench.access(), { ...bench.ref, providerId: '12' })).rejects.toMatchObject({
      kind: 'rejected',
    });
  });
});
