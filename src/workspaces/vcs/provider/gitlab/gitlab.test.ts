import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AdapterBench, resetBench, startBench } from '../../../../../test/support/vcs/adapter-bench.ts';
import { ADAPTERS, type AdapterCase } from '../../../../../test/support/vcs/adapters.ts';
import { json } from '../../../../../test/support/vcs/misbehaviour.ts';
import type { CommitStatus } from '../port.ts';
import { gitlabProvider } from './gitlab.ts';

const CASE = ADAPTERS.find(({ serviceProvider }) => serviceProvider === 'gitlab_hosted') as AdapterCase;
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

const status: CommitStatus = {
  ...{ commitId: 'c'.repeat(40), ref: 'main', context: 'lockkeeper/acme', state: 'pending' },
  ...{ description: 'two plans', url: 'https://lockkeeper.example/runs/1' },
};

describe('GitLab', () => {
  it('takes the URL of the server or of its API', async () => {
    for (const apiUrl of [bench.fake.httpUrl, `${bench.fake.httpUrl}/`, `${bench.fake.httpUrl}/api/v4/`])
      expect(await gitlabProvider.whoAmI({ ...bench.access(), apiUrl })).toEqual({ name: 'ada', scopes: ['api'] });
  });

  it('asks for no scopes of an OAuth token', async () => {
    expect(await gitlabProvider.whoAmI(bench.access(undefined, 'oauth'))).toEqual({ name: 'ada', scopes: [] });
  });

  it('does not take a number for the name of a project, nor a name for an id', async () => {
    expect(await gitlabProvider.repository(bench.access(), { identifier: bench.ref.providerId })).toBeUndefined();
    expect(
      await gitlabProvider.repository(bench.access(), { ...bench.ref, providerId: bench.ref.identifier }),
    ).toBeUndefined();
  });

  it('subscribes to tags, too', async () => {
    const url = 'https://lockkeeper.example/hook';
    await gitlabProvider.hooks?.ensure(bench.access(), bench.ref, { url, secret: 'secret-12', hookId: null });
    expect(bench.repository.hooks[0]?.events).toEqual(['push', 'tag_push', 'merge_request']);
    const sent = bench.fake.server.requests.find(({ method }) => method === 'POST')?.body;
    expect(sent).toMatchObject({ enable_ssl_verification: true });
  });

  it('puts a status into the pipeline of the commit, if there is one', async () => {
    const last = () => bench.fake.statuses.at(-1)?.body;
    await gitlabProvider.reports?.status(bench.access(), bench.ref, status);
    expect(last()).toMatchObject({ ref: 'main', name: 'lockkeeper/acme', state: 'pending' });
    expect(last()).not.toHaveProperty('pipeline_id');
    const commit = { id: status.commitId, last_pipeline: { id: 77, ref: 'refs/merge-requests/3/head' } };
    bench.fake.server.misbehave = (request, response, next) =>
      request.url?.includes('/commits/') ? json(200, commit)(request, response, next) : next();
    await gitlabProvider.reports?.status(bench.access(), bench.ref, { ...status, state: 'success' });
    expect(last()).toMatchObject({ pipeline_id: 77, ref: 'refs/merge-requests/3/head', state: 'success' });
  });

  it('fails for a refused status, unless the commit has it already', async () => {
    const answer = (message: unknown) => {
      bench.fake.server.misbehave = (request, response, next) =>
        request.method === 'POST' ? json(400, { message })(request, response, next) : next();
      return gitlabProvider.reports?.status(bench.access(), bench.ref, status);
    };
    await answer('Cannot transition status via :enqueue from :pending (Reason(s): Status cannot transition)');
    await expect(answer('ref is missing')).rejects.toMatchObject({ kind: 'rejected' });
  });

  it('leaves out a merge request without commits', async () => {
    const pull = await bench.fake.openPull(bench.repository, 'main');
    pull.headId = '';
    expect(await gitlabProvider.pulls?.one(bench.access(), bench.ref, pull.number)).toBeUndefined();
    expect((await gitlabProvider.pulls?.open(bench.access(), bench.ref, undefined))?.items).toEqual([]);
  });
});
