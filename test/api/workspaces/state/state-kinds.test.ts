import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { lockedWorkspace, stateText } from '../support/states.ts';

const json = (members: object): string => JSON.stringify({ serial: 2, lineage: 'lineage-1', ...members });
/** A state in the format of Terraform 0.11. */
const OLD = json({
  ...{ version: 3, terraform_version: '0.11.14' },
  modules: [{ path: ['root'], outputs: {}, resources: {}, depends_on: [] }],
});
const NO_STATE = 'has no format of Terraform or OpenTofu: it may be a plan file, an archive or a web page';
const TODO = 'which Terraform before 0.12 wrote: an apply with a newer release writes format 4';

describe.each(databaseKinds)('an unreadable state names its kind, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  test.each([
    ['of format 3', OLD, 3, `is of format 3, ${TODO}`],
    ['of format 1', json({ version: 1 }), 1, `is of format 1, ${TODO}`],
    ['of format 5', json({ version: 5 }), 5, 'is of format 5, which is newer than this server: upgrade the server'],
    ['that OpenTofu encrypted', json({ encrypted_data: 'AAAA', encryption_version: 'v0' }), null, 'is encrypted'],
    ['that is a web page', '<!DOCTYPE html><html><body>Not found</body></html>', null, NO_STATE],
    ['that is an empty object', '{}', null, NO_STATE],
    ['that is a list', '[{"version":3}]', null, NO_STATE],
    ['whose format is a text', '{"version":"3"}', null, NO_STATE],
    ['that is a zip, as plan files are', 'PK\u0003\u0004 and what follows', null, NO_STATE],
    ['that is compressed', gzipSync(stateText(2)).toString('latin1'), null, NO_STATE],
    ['that is cut off', stateText(2).slice(0, -5), null, NO_STATE],
  ])('%s', async (_, text, format, why) => {
    const { path, write, upload, unlock, show } = await lockedWorkspace(api, acme, `k-${++names}`);
    await write(stateText(1, { resources: [] }), { serial: 1 });
    const { id, attributes } = await upload(text, { serial: 2, lineage: 'lineage-1' });
    expect(attributes).toMatchObject({ 'state-version': format, encrypted: why === 'is encrypted' });
    const get = async (address: string) => (await acme.owner.call('GET', address)).body.data.attributes;
    expect((await get(`/state-versions/${id}/graph`)).reason).toBe(`This state ${why}`);
    const difference = await get(`/state-versions/${id}/diff`);
    expect(difference).toMatchObject({ comparable: false, reason: `One of the two states ${why}` });
    await unlock();
    const refused = await acme.owner.call('POST', `${path}/actions/safe-delete`);
    expect([refused.status, refused.body.errors[0].detail]).toEqual([
      409,
      `Workspace cannot be safely deleted because it may be still managing resources: its state ${why}`,
    ]);
    expect((await show()).attributes.name).toBe(`k-${names}`);
  });

  test('that is of format 3 is rolled back to as it is', async () => {
    const { path, write } = await lockedWorkspace(api, acme, `k-${++names}`);
    const { id } = await write(OLD, { serial: 2 });
    await write(stateText(3), { serial: 3 });
    const rolledBack = await acme.owner.call('PATCH', `${path}/state-versions`, {
      data: {
        type: 'state-versions',
        relationships: { 'rollback-state-version': { data: { type: 'state-versions', id } } },
      },
    });
    expect(rolledBack.status, rolledBack.text).toBe(201);
    expect(rolledBack.body.data.attributes).toMatchObject({ 'state-version': 3, serial: 2 });
  });
});
