import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileBlobs } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { type GitServer, startGitServer } from '../../../support/git-server.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { lookUp, newConnection, runsIn, workOff } from '../support/vcs.ts';

describe.each(databaseKinds)('pushes to a repository on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let server: GitServer;
  let token: string;
  let names = 0;
  beforeAll(async () => {
    server = await startGitServer();
    server.credential = { username: 'ada', password: 'secret' };
    api = await startApi(kind, FileBlobs, {}, 'none', undefined, { allowedAddresses: ['127.0.0.1'] });
    acme = await newOrganization(api);
    token = await newConnection(api, acme, server.address);
  });
  afterAll(async () => {
    await api.close();
    await server.stop();
  });

  const newRepository = async () => {
    const repository = await server.createRepository(`team/infra-${++names}.git`);
    await repository.commit({ 'main.tf': '# 1' }, 'first');
    return { repository, identifier: `team/infra-${names}.git` };
  };
  const follow = (identifier: string, attributes: object = {}, repo: object = {}) =>
    acme.workspace(`w-${++names}`, {
      'execution-mode': 'remote',
      'queue-all-runs': true,
      'file-triggers-enabled': false,
      'vcs-repo': { identifier, 'oauth-token-id': token, ...repo },
      ...attributes,
    });

  test('a push to the branch starts a run of its commit', async () => {
    const { repository, identifier } = await newRepository();
    const workspace = await follow(identifier);
    await workOff(api);
    const [first] = await runsIn(acme, workspace);
    expect(first?.attributes.message).toBe('first');
    await repository.commit({ 'main.tf': '# 2' }, 'second\n\nbody');
    await lookUp(api);
    const runs = await runsIn(acme, workspace);
    expect(runs.map(({ attributes }: { attributes: { message: string } }) => attributes.message)).toEqual([
      'first',
      'second',
    ]);
  });
});
