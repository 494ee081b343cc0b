import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileBlobs, sql } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { type FakeProvider, type FakeRepository, fakeGitea } from '../../../support/vcs/fake-github.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { lookUp, newConnection, runsIn, workOff } from '../support/vcs.ts';
import { deliver } from './support/reporting.ts';

const selectArchived = sql<{ identifier: string }, { commitId: string }>(
  `SELECT a.commit_id AS "commitId" FROM vcs_archive a JOIN vcs_repository r ON r.id = a.repository_id
   WHERE r.identifier = :identifier`,
);

describe.each(databaseKinds)('plan-merge-result on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let fake: FakeProvider;
  let token: string;
  let names = 0;
  beforeAll(async () => {
    fake = await fakeGitea();
    api = await startApi(kind, FileBlobs, {}, 'none', undefined, { allowedAddresses: ['127.0.0.1'] });
    acme = await newOrganization(api, { 'plan-merge-result': true });
    token = await newConnection(api, acme, fake.httpUrl, {
      ...{ 'service-provider': 'gitea', 'api-url': fake.apiUrl, 'oauth-token-string': fake.token },
    });
  });
  afterAll(async () => {
    await api.close();
    await fake.stop();
  });

  /** Opens a pull request, while the target branch goes on. Returns the id of its head. */
  async function pullBesideMain() {
    const repository = await fake.createRepository(`acme/merged-${++names}`);
    const workspace = await acme.workspace(`w-${names}`, {
      ...{ 'queue-all-runs': true, 'file-triggers-enabled': false },
      'vcs-repo': { identifier: repository.fullName, 'oauth-token-id': token },
    });
    await workOff(api);
    await repository.git.git('checkout', '--quiet', '-b', 'change');
    await repository.git.commit({ 'change.tf': '# change' }, 'change');
    await repository.git.git('checkout', '--quiet', 'main');
    await repository.git.commit({ 'other.tf': '# other' }, 'other');
    const pull = await fake.openPull(repository, 'change');
    return { repository, workspace, pull };
  }
  /** Merges as the provider does after a push. */
  async function mergeAtProvider({ git: repository }: FakeRepository, number: number): Promise<void> {
    await repository.git('checkout', '--quiet', '--detach', 'main');
    await repository.git('merge', '--quiet', '--no-ff', '--message', 'merge', 'change');
    await repository.git('update-ref', `refs/pull/${number}/merge`, 'HEAD');
    await repository.git('checkout', '--quiet', 'main');
  }
  const planOf = async (workspace: string) =>
    (await runsIn(acme, workspace)).find(
      ({ attributes }: { attributes: { 'plan-only': boolean } }) => attributes['plan-only'],
    );
  const archived = async ({ fullName: identifier }: FakeRepository) =>
    (await api.workspaces.database.all(selectArchived, { identifier })).map(({ commitId }) => commitId);

  test('plans the merge of the provider, and its status belongs to the head', async () => {
    const { repository, workspace, pull } = await pullBesideMain();
    await mergeAtProvider(repository, pull.number);
    await lookUp(api);
    const run = await planOf(workspace);
    expect(run.attributes.message).toBe('change (merged into main)');
    expect(await archived(repository)).toContain(await repository.git.id(`refs/pull/${pull.number}/merge`));
    await deliver(api.workspaces.vcs.reports);
    expect(fake.statuses.filter(({ of }) => of === pull.headId)).not.toEqual([]);
    const version = run.relationships['configuration-version'].data.id;
    const ingress = await acme.owner.call('GET', `/configuration-versions/${version}/ingress-attributes`);
    expect(ingress.body.data.attributes['commit-sha']).toBe(pull.headId);
  });

  test('plans the head, and says so, if the provider has no merge of these two commits', async () => {
    const { repository, workspace, pull } = await pullBesideMain();
    await mergeAtProvider(repository, pull.number);
    await repository.git.commit({ 'newer.tf': '# newer' }, 'newer');
    await lookUp(api);
    expect(await planOf(workspace)).toBeUndefined();
    await lookUp(api);
    const run = await planOf(workspace);
    expect(run.attributes.message).toMatch(/^change \(without main: the provider has not merged it/);
    expect(await archived(repository)).toContain(pull.headId);
  });
});
