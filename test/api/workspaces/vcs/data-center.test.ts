import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileBlobs } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import type { FakeProvider } from '../../../support/vcs/fake-github.ts';
import { fakeBitbucketServer } from '../../../support/vcs/fake-others.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { lookUp, messagesIn, newConnection, workOff } from '../support/vcs.ts';

describe.each(databaseKinds)('a repository of Bitbucket Data Center on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let fake: FakeProvider;
  let token: string;
  beforeAll(async () => {
    fake = await fakeBitbucketServer();
    api = await startApi(kind, FileBlobs, {}, 'none', undefined, { allowedAddresses: ['127.0.0.1'] });
    acme = await newOrganization(api);
    token = await newConnection(api, acme, fake.httpUrl, {
      ...{ 'service-provider': 'bitbucket_data_center', 'api-url': fake.apiUrl, 'oauth-token-string': fake.token },
    });
  });
  afterAll(async () => {
    await api.close();
    await fake.stop();
  });

  test('is found by its last known name, because the API cannot find ids; by its id under a new name', async () => {
    const repository = await fake.createRepository('ACME/infra');
    const workspace = await acme.workspace('one', {
      ...{ 'execution-mode': 'remote', 'queue-all-runs': true, 'file-triggers-enabled': false },
      'vcs-repo': { identifier: 'ACME/infra', 'oauth-token-id': token },
    });
    await workOff(api);
    fake.server.requests.splice(0);
    await repository.git.commit({ 'main.tf': '# 2' }, 'second');
    await lookUp(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'second']);
    const lists = () => fake.server.requests.filter(({ path }) => path.endsWith('/repos'));
    expect(lists()).toEqual([]);
    const byHand = await acme.owner.call('POST', `/workspaces/${workspace}/configuration-versions`, {
      data: { type: 'configuration-versions', attributes: { 'vcs-ref': 'main', 'auto-queue-runs': false } },
    });
    expect(byHand.status, byHand.text).toBe(201);
    await workOff(api);
    expect(lists()).toEqual([]);

    fake.rename(repository, 'ACME/renamed');
    await repository.git.commit({ 'main.tf': '# 3' }, 'third');
    await lookUp(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'second', 'third']);
    expect(lists()).not.toEqual([]);
  });
});
