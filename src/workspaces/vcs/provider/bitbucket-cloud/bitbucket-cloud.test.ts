import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AdapterBench,
  branchWith,
  resetBench,
  startBench,
} from '../../../../../test/support/vcs/adapter-bench.ts';
import { ADAPTERS, type AdapterCase } from '../../../../../test/support/vcs/adapters.ts';
import { bitbucketCloudProvider as bitbucket } from './bitbucket-cloud.ts';

const CASE = ADAPTERS.find(({ serviceProvider }) => serviceProvider === 'bitbucket_hosted') as AdapterCase;
let bench: AdapterBench;

beforeAll(async () => {
  bench = await startBench(CASE);
});
beforeEach(() => {
  resetBench(bench, CASE);
  bench.fake.server.requests.length = 0;
});
afterAll(() => bench.fake.stop());

const paths = (): string[] => bench.fake.server.requests.map(({ path }) => path.replace(/^.*\{00000000[^}]*\}/, ''));

describe('Bitbucket Cloud', () => {
  it('takes access tokens, and API tokens of people with their email address', async () => {
    const token = `ada@example.com:${bench.fake.token}`;
    expect(await bitbucket.whoAmI(bench.access(token))).toEqual({
      name: 'ada',
      scopes: ['account', 'repository:admin'],
    });
    expect(bitbucket.gitCredentials({ kind: 'token', token })).toEqual({
      ...{ username: 'x-bitbucket-api-token-auth', password: bench.fake.token },
    });
  });

  it('lists the repositories of all workspaces, or of one', async () => {
    bench.fake.repositories.push({ ...bench.repository, id: 201, fullName: 'other/tools' });
    const list = (page: number, organization?: string) =>
      bitbucket.repositories(bench.access(), { search: '', page, organization });
    const first = await list(1);
    const second = await list(first.nextPage ?? 0);
    expect([first, second].map(({ items }) => items.map(({ identifier }) => identifier))).toEqual([
      ['acme/mono'],
      ['other/tools'],
    ]);
    expect(second.nextPage).toBeNull();
    expect((await list(1, 'acme')).items.map(({ identifier }) => identifier)).toEqual(['acme/mono']);
    expect((await list(77)).items).toEqual([]);
  });

  it('finds the full commits of many pull requests in few requests', async () => {
    await branchWith(bench.repository, 'feature/x');
    const pull = await bench.fake.openPull(bench.repository, 'feature/x');
    for (let i = 2; i <= 30; i++) bench.repository.pulls.push({ ...pull, number: i });
    const items = (await bitbucket.pulls?.open(bench.access(), bench.ref, undefined))?.items ?? [];
    expect(new Set(items.map(({ headId }) => headId))).toEqual(new Set([pull.headId]));
    expect(items).toHaveLength(30);
    expect(paths()).toEqual(['/pullrequests', ...Array(3).fill('/refs/branches')]);
  });

  it('asks for the commit of a pull request whose branch has moved meanwhile', async () => {
    await branchWith(bench.repository, 'feature/x');
    const pull = await bench.fake.openPull(bench.repository, 'feature/x');
    bench.repository.pulls.push({ ...pull, number: 2, headId: 'd'.repeat(40) });
    const items = (await bitbucket.pulls?.open(bench.access(), bench.ref, undefined))?.items ?? [];
    expect(items.map(({ headId }) => headId).sort()).toEqual([pull.headId, 'd'.repeat(40)].sort());
  });

  it('shortens the key of a status to 40 characters, so that each context has its own', async () => {
    const status = {
      commitId: 'c'.repeat(40),
      ref: 'main',
      state: 'success',
      description: '',
      url: 'https://a.example',
    } as const;
    const long = `lockkeeper/acme/${'w'.repeat(60)}`;
    for (const context of ['lockkeeper/acme', `${long}a`, `${long}b`])
      await bitbucket.reports?.status(bench.access(), bench.ref, { ...status, context });
    const keys = bench.fake.statuses.map(({ body }) => body.key);
    expect(keys[0]).toBe('lockkeeper/acme');
    expect(new Set(keys).size).toBe(3);
    expect(Math.max(...keys.map((key) => key.length))).toBe(40);
    expect(bench.fake.statuses[1]?.body).toMatchObject({ name: `${long}a`, refname: 'main' });
  });
});
