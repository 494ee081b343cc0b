import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileBlobs } from '../../../../../src/storage/index.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { type FakeProvider, type FakeRepository, fakeGitea } from '../../../../support/vcs/fake-github.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { newOrganization, type TestOrganization } from '../../support/organization.ts';
import { runsOf, type TestRuns } from '../../support/runs.ts';
import { lookUp, newConnection, runsIn, workOff } from '../../support/vcs.ts';
import { deliver } from '../support/reporting.ts';

describe.each(databaseKinds)('a pull request from its opening to its apply on %s', { timeout: 120_000 }, (kind) => {
  let fake: FakeProvider;
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let repository: FakeRepository;
  beforeAll(async () => {
    fake = await fakeGitea();
    api = await startApi(kind, FileBlobs, {}, 'none', undefined, { allowedAddresses: ['127.0.0.1'] });
    acme = await newOrganization(api, { 'pull-request-comments': true });
    runs = runsOf(api, acme);
    repository = await fake.createRepository('acme/infra');
  });
  afterAll(async () => {
    await api.close();
    await fake.stop();
  });

  const send = () => deliver(api.workspaces.vcs.reports);
  const statusesOf = (commit: string) =>
    fake.statuses
      .filter(({ of }) => of === commit)
      .map(({ body: { context, state, description } }) => `${context}: ${state}, ${description}`);

  test('is reported at each step, and so is the push that merges it', async () => {
    const token = await newConnection(api, acme, fake.httpUrl, {
      ...{ 'service-provider': 'gitea', 'api-url': fake.apiUrl, 'oauth-token-string': fake.token },
    });
    const workspace = await acme.workspace('net', {
      ...{ 'execution-mode': 'remote', 'queue-all-runs': true },
      // The branch that is checked out in the repository is its default branch.
      'vcs-repo': { identifier: 'acme/infra', branch: 'main', 'oauth-token-id': token },
    });
    await workOff(api);
    const [first] = await runsIn(acme, workspace);
    await runs.through(first.id, 'planning');
    await runs.report(first.id, 'planned');
    const context = `lockkeeper/${acme.name}`;

    await repository.git.git('checkout', '--quiet', '-b', 'feature');
    await repository.git.commit({ 'main.tf': '# changed\n' }, 'change');
    const pull = await fake.openPull(repository, 'feature');
    await lookUp(api);
    await send();
    const [, speculative] = await runsIn(acme, workspace);
    expect(statusesOf(pull.headId)).toEqual([`${context}: pending, The plan is waiting`]);
    const counts = { 'has-changes': true, 'resource-additions': 1 };
    await runs.report(speculative.id, 'planning');
    await runs.report(speculative.id, 'planned', counts);
    await send();
    expect(statusesOf(pull.headId).at(-1)).toBe(`${context}: success, Plan: 1 to add, 0 to change, 0 to destroy`);
    expect(fake.comments).toMatchObject([{ of: '1', body: { body: expect.stringContaining('1 to add') } }]);

    await repository.git.git('checkout', '--quiet', 'main');
    await repository.git.git('merge', '--quiet', '--no-ff', '-m', 'merge', 'feature');
    Object.assign(pull, { state: 'closed', isMerged: true, updatedAt: pull.updatedAt + 1 });
    await lookUp(api);
    await send();
    const merged = await repository.git.id('refs/heads/main');
    const run = (await runsIn(acme, workspace)).at(-1);
    await runs.report(run.id, 'planning');
    await runs.report(run.id, 'planned', counts);
    expect((await runs.act(run.id, 'apply')).status).toBe(202);
    await runs.through(run.id, 'applying', 'applied');
    await send();
    expect(statusesOf(merged).slice(-2)).toEqual([
      `${context}: success, Plan: 1 to add, 0 to change, 0 to destroy`,
      `${context}/apply: success, Applied`,
    ]);
    expect(fake.comments).toMatchObject([{ body: { body: expect.stringContaining('(closed)') } }]);
  });
});
