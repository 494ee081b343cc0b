import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AdapterBench, resetBench, startBench } from '../../../../../test/support/vcs/adapter-bench.ts';
import { ADAPTERS, type AdapterCase } from '../../../../../test/support/vcs/adapters.ts';
import type { FakeRepository } from '../../../../../test/support/vcs/fake-github.ts';
import { json } from '../../../../../test/support/vcs/misbehaviour.ts';
import { bitbucketServerProvider as bitbucket } from './bitbucket-server.ts';

const CASE = ADAPTERS.find(({ serviceProvider }) => serviceProvider === 'bitbucket_data_center') as AdapterCase;
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

/** Gives the repository another name, and its old name to a repository of somebody else. */
function takeOver(): FakeRepository {
  bench.fake.rename(bench.repository, 'ACME/renamed');
  const stranger = { ...bench.repository, id: 666, fullName: 'ACME/mono', pulls: [], hooks: [], oldNames: [] };
  bench.fake.repositories.push(stranger);
  return stranger;
}

describe('Bitbucket Data Center', () => {
  it('takes the URL of the server or of its API', async () => {
    for (const path of ['', '/', '/rest', '/rest/api/1.0', '/rest/api/latest/'])
      expect(await bitbucket.whoAmI({ ...bench.access(), apiUrl: bench.fake.httpUrl + path })).toMatchObject({
        name: 'ada',
      });
  });

  it('does not take the answer to a stranger for an account', async () => {
    bench.fake.server.misbehave = json(200, { version: '9.4.0', displayName: 'Bitbucket' });
    await expect(bitbucket.whoAmI(bench.access())).rejects.toMatchObject({ kind: 'refused' });
  });

  it('finds repositories of people, and none by another form of name', async () => {
    Object.assign(bench.repository, { fullName: '~ada/mono' });
    expect(await bitbucket.repository(bench.access(), { identifier: '~ada/mono' })).toMatchObject({
      ...{ providerId: '101', identifier: '~ada/mono', defaultBranch: 'main' },
      httpUrl: `${bench.fake.httpUrl}/projects/~ada/repos/mono`,
    });
  });

  it('finds a repository by its id in one request if its name is the known one, else in the list', async () => {
    for (let i = 0; i < 700; i++)
      bench.fake.repositories.unshift({ ...bench.repository, id: 1000 + i, fullName: `ACME/r${i}` });
    expect(await bitbucket.repository(bench.access(), bench.ref)).toMatchObject(bench.ref);
    expect(bench.fake.server.requests.filter(({ path }) => path.endsWith('/repos'))).toHaveLength(0);
    bench.fake.rename(bench.repository, 'OTHER/mono');
    const found = await bitbucket.repository(bench.access(), bench.ref);
    expect(found).toMatchObject({ providerId: '101', identifier: 'OTHER/mono', defaultBranch: 'main' });
    expect(bench.fake.server.requests.filter(({ path }) => path.endsWith('/repos'))).toHaveLength(2);
  });

  it('has no default branch in an empty repository', async () => {
    bench.fake.server.misbehave = (request, response, next) =>
      request.url?.endsWith('/default-branch') ? void response.writeHead(204).end() : next();
    expect(await bitbucket.repository(bench.access(), bench.ref)).toMatchObject({ defaultBranch: null });
  });

  it('sends nothing to a repository that has taken over the name', async () => {
    const stranger = takeOver();
    const status = {
      commitId: 'c'.repeat(40),
      ref: null,
      context: 'a/b',
      state: 'success',
      description: '',
      url: 'https://a.example',
    } as const;
    const { hooks, reports } = bitbucket;
    const calls = [
      () => hooks?.ensure(bench.access(), bench.ref, { url: 'https://a.example/h', secret: 'secret-12', hookId: null }),
      () => reports?.status(bench.access(), bench.ref, status),
      () => reports?.comment(bench.access(), bench.ref, { number: 1, commentId: null, text: 'a' }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ kind: 'rejected' });
    stranger.hooks.push({ id: 5, url: 'https://theirs.example', secret: '', events: [] });
    await hooks?.remove(bench.access(), bench.ref, '5');
    expect(stranger.hooks).toHaveLength(1);
    expect([bench.fake.statuses, bench.fake.comments]).toEqual([[], []]);
  });
});
