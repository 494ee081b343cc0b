import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileBlobs } from '../../../../src/storage/index.ts';
import { type ExecutionKind, ExecutionRollout } from '../../../../src/workspaces/execution/execution-rollout.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { agentsOf } from '../support/agents.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';

const operationsOf = async ({ owner, name }: TestOrganization) =>
  (await owner.call('GET', `/organizations/${name}/entitlement-set`)).body.data.attributes.operations;

describe.each(databaseKinds)('the first execution of runs after an upgrade, on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  const begin = (execution: ExecutionKind) => new ExecutionRollout(api.workspaces.database, execution).start();

  test('leave every workspace that is there as it was, and say so once', async () => {
    const acme = await newOrganization(api);
    const modeOf = async (id: string) =>
      (await acme.owner.call('GET', `/workspaces/${id}`)).body.data.attributes['execution-mode'];
    const [silent, remote] = [
      await acme.workspace('silent'),
      await acme.workspace('remote', { 'execution-mode': 'remote' }),
    ];
    expect(await begin('none')).toBeUndefined();
    expect([await modeOf(silent), await modeOf(remote)]).toEqual(['remote', 'remote']);
    expect(await begin('embedded')).toMatchObject({ organizations: expect.any(Number), remote: 1 });
    expect([await modeOf(silent), await modeOf(remote)]).toEqual(['local', 'remote']);
    const back = { data: { type: 'organizations', attributes: { 'default-execution-mode': 'remote' } } };
    expect((await acme.owner.call('PATCH', `/organizations/${acme.name}`, back)).status).toBe(200);
    expect(await begin('embedded')).toBeUndefined();
    expect(await modeOf(silent)).toBe('remote');
  });
});

describe.each([
  ['none', false, false],
  ['embedded', true, true],
  ['agents', false, true],
] as const)('execution: %s', (execution, atFirst, withPool) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi('sqlite', FileBlobs, {}, execution);
  });
  afterAll(() => api.close());

  test(`lets \`tofu\` and \`terraform\` run on the server: ${atFirst}, with a pool ${withPool}`, async () => {
    const acme = await newOrganization(api);
    expect(await operationsOf(acme)).toBe(atFirst);
    await agentsOf(api, acme).pool('first');
    expect(await operationsOf(acme)).toBe(withPool);
    const { body } = await acme.owner.call('GET', `/organizations/${acme.name}`);
    expect(body.data.attributes['default-execution-mode']).toBe('remote');
    expect(await new ExecutionRollout(api.workspaces.database, execution).start()).toBeUndefined();
  });
});
