import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';
import { runsOf } from '../support/runs.ts';

describe.each(databaseKinds)('the engine of a workspace on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let terra: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    terra = await newOrganization(api, { 'default-engine': 'terraform' });
  });
  afterAll(() => api.close());

  function create(attributes: object, { name, owner }: TestOrganization = acme) {
    return owner.call(
      'POST',
      `/organizations/${name}/workspaces`,
      workspaceBody({ name: `w-${++names}`, ...attributes }),
    );
  }

  function update(id: string, attributes: object) {
    return acme.owner.call('PATCH', `/workspaces/${id}`, workspaceBody(attributes));
  }

  async function engineIn({ name, owner }: TestOrganization): Promise<string> {
    return (await owner.call('GET', `/organizations/${name}`)).body.data.attributes['default-engine'];
  }

  /** Returns the engine of a new run of the workspace, such as `opentofu 1.12.6`. */
  async function runIn(organization: TestOrganization, id: string, attributes: object = {}): Promise<string> {
    const runs = runsOf(api, organization);
    await runs.uploaded(id);
    const { attributes: shown } = await runs.show(await runs.run(id, attributes));
    expect(shown).not.toHaveProperty('engine-pinned');
    return `${shown.engine} ${shown['terraform-version']}`;
  }

  test('is set, changed and reset, and shown equally everywhere', async () => {
    const { body } = await create({ name: 'said', engine: 'terraform' });
    const { id, attributes } = body.data;
    expect(attributes.engine).toBe('terraform');
    expect((await update(id, { engine: 'opentofu' })).body.data.attributes.engine).toBe('opentofu');
    expect((await update(id, { description: 'kept' })).body.data.attributes.engine).toBe('opentofu');
    const list = await acme.owner.call('GET', `/organizations/${acme.name}/workspaces?search[name]=said`);
    expect(list.body.data[0].attributes.engine).toBe('opentofu');
    expect((await update(id, { engine: null })).body.data.attributes.engine).toBeNull();
    expect((await acme.owner.call('GET', `/workspaces/${id}`)).body.data.attributes.engine).toBeNull();
  });

  test.each(['tofu', 'OpenTofu', '', 7, ['opentofu']])('%j is refused', async (engine) => {
    const answer = await create({ engine });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].source.pointer).toMatch(/^\/data\/attributes\/engine/);
  });

  test('of an organization is OpenTofu by default', async () => {
    expect(await engineIn(acme)).toBe('opentofu');
    expect(await engineIn(terra)).toBe('terraform');
    const { name, owner } = await newOrganization(api);
    const set = (engine: unknown) =>
      owner.call('PATCH', `/organizations/${name}`, {
        data: { type: 'organizations', attributes: { 'default-engine': engine } },
      });
    expect((await set('terraform')).body.data.attributes['default-engine']).toBe('terraform');
    const listed = await owner.call('GET', `/organizations?q[name]=${name}`);
    expect(listed.body.data[0].attributes['default-engine']).toBe('terraform');
    expect((await set('pulumi')).status).toBe(422);
    expect((await set(null)).body.data.attributes['default-engine']).toBe('opentofu');
  });

  test('decides which releases exist, if two engines have equal version numbers', async () => {
    const runOf = async (attributes: object, organization = acme) =>
      runIn(organization, (await create(attributes, organization)).body.data.id);
    expect(await runOf({ 'engine-version': '~> 1.10.0' })).toBe('opentofu 1.10.10');
    expect(await runOf({ 'engine-version': '~> 1.10.0', engine: 'terraform' })).toBe('terraform 1.10.5');
    expect(await runOf({ 'engine-version': '~> 1.10.0' }, terra)).toBe('terraform 1.10.5');
    expect(await runOf({ 'engine-version': '~> 1.10.0', engine: 'opentofu' }, terra)).toBe('opentofu 1.10.10');
    expect(await runOf({})).toBe('opentofu 1.12.6');
    expect(await runOf({}, terra)).toBe('terraform 1.16.3');
    expect(await runOf({ 'terraform-version': '1.14.3' })).toBe('opentofu 1.14.3');
  });

  test('is Terraform for a version older than any OpenTofu, unless the workspace has its own setting', async () => {
    const { id } = (await create({ 'terraform-version': '~> 1.5.0' })).body.data;
    expect(await runIn(acme, id)).toBe('terraform 1.5.7');
    expect(await runIn(acme, id, { 'plan-only': true, 'terraform-version': '1.8.1' })).toBe('opentofu 1.8.1');
    const answer = await update(id, { engine: 'opentofu' });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([
      {
        source: { pointer: '/data/attributes/engine-version' },
        detail:
          'No known release of OpenTofu satisfies the engine version ~> 1.5.0: choose another version or another engine',
      },
    ]);
    expect((await update(id, { engine: 'opentofu', 'engine-version': '~> 1.6.0' })).status).toBe(200);
    expect(await runIn(acme, id)).toBe('opentofu 1.6.3');
  });

  test('does not change for an existing run', async () => {
    const { id } = (await create({ 'engine-version': '~> 1.11.0' })).body.data;
    const runs = runsOf(api, acme);
    await runs.uploaded(id);
    const run = await runs.run(id);
    expect((await update(id, { engine: 'terraform' })).status).toBe(200);
    expect((await runs.show(run)).attributes).toMatchObject({ engine: 'opentofu', 'terraform-version': '1.11.14' });
    expect(await runIn(acme, id)).toBe('terraform 1.11.4');
  });

  test('cannot be set by a client of a run', async () => {
    const { id } = (await create({})).body.data;
    expect(await runIn(acme, id, { engine: 'terraform', 'engine-pinned': true })).toBe('opentofu 1.12.6');
  });
});
