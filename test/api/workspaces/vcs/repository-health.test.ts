import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileBlobs } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { type FakeProvider, fakeGitea } from '../../../support/vcs/fake-github.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { lookUp, newConnection, workOff } from '../support/vcs.ts';

describe.each(databaseKinds)('the health of a repository with pull requests on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let fake: FakeProvider;
  let token: string;
  beforeAll(async () => {
    fake = await fakeGitea();
    api = await startApi(kind, FileBlobs, {}, 'none', undefined, { allowedAddresses: ['127.0.0.1'] });
    acme = await newOrganization(api);
    token = await newConnection(api, acme, fake.httpUrl, {
      ...{ 'service-provider': 'gitea', 'api-url': fake.apiUrl, 'oauth-token-string': fake.token },
    });
  });
  afterAll(async () => {
    await api.close();
    await fake.stop();
  });

  test('a deleted repository is gone, although the provider refuses to list its pull requests for another reason', async () => {
    const repository = await fake.createRepository('acme/doomed');
    const workspace = await acme.workspace('doomed', {
      'vcs-repo': { identifier: repository.fullName, 'oauth-token-id': token },
    });
    await workOff(api);
    const link = async () => (await acme.owner.call('GET', `/workspaces/${workspace}/vcs-link`)).body.data.attributes;
    expect(await link()).toMatchObject({ state: 'linked', health: 'ok', 'health-reason': null });
    fake.repositories.splice(fake.repositories.indexOf(repository), 1);
    rmSync(repository.git.folder, { recursive: true });
    await lookUp(api);
    expect(await link()).toMatchObject({
      ...{ state: 'linked', health: 'gone' },
      'health-reason': expect.stringContaining('no such repository'),
    });
  });
});
