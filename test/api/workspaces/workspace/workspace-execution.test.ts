import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Answer, startApi, type TestApi } from '../support/api.ts';
import { issuesOf, newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';

const INHERITS = { 'setting-overwrites': { 'execution-mode': false, 'agent-pool': false } };

describe.each(databaseKinds)('the execution mode of workspaces on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let pool: string;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    pool = await newPool(acme, 'everywhere');
  });
  afterAll(() => api.close());

  async function newPool(organization: TestOrganization, name: string, attributes = {}, relationships = {}) {
    const body = { data: { type: 'agent-pools', attributes: { name, ...attributes }, relationships } };
    const made = await organization.owner.call('POST', `/organizations/${organization.name}/agent-pools`, body);
    expect(made.status, made.text).toBe(201);
    return made.body.data.id as string;
  }
  const create = (attributes: object, relationships = {}) =>
    acme.owner.call(
      'POST',
      `/organizations/${acme.name}/workspaces`,
      workspaceBody({ name: `e-${++names}`, ...attributes }, relationships),
    );
  const patch = (id: string, attributes: object) =>
    acme.owner.call('PATCH', `/workspaces/${id}`, workspaceBody(attributes));
  const poolOf = ({ body }: Answer): { data: unknown; links?: unknown } => body.data.relationships['agent-pool'];

  test('§4.1: the mode agent takes a pool of the organization, and the document points at it', async () => {
    const made = await create({ 'execution-mode': 'agent', 'agent-pool-id': pool });
    expect(made.status, made.text).toBe(201);
    expect(made.body.data.attributes).toMatchObject({
      'execution-mode': 'agent',
      operations: true,
      'setting-overwrites': { 'execution-mode': true, 'agent-pool': true },
    });
    expect(made.body.data.attributes).not.toHaveProperty('agent-pool-id');
    expect(poolOf(made)).toEqual({
      data: { type: 'agent-pools', id: pool },
      links: { related: `/api/v2/agent-pools/${pool}` },
    });

    const { id } = made.body.data;
    expect(poolOf(await patch(id, { description: 'the pool stays' })).data).toEqual({ type: 'agent-pools', id: pool });
    expect(poolOf(await patch(id, { 'execution-mode': 'remote' }))).toEqual({ data: null });
    const without = await patch(id, { 'execution-mode': 'agent' });
    expect(issuesOf(without)).toEqual([
      '/data/attributes/agent-pool-id: Agent pool is required when execution mode is agent',
    ]);
  });

  test('§4.1: a pool of another organization, or none at all, is not found', async () => {
    const foreign = await newPool(await newOrganization(api), 'foreign');
    for (const id of [foreign, 'apool-none']) {
      const refused = await create({ 'execution-mode': 'agent', 'agent-pool-id': id });
      expect(issuesOf(refused)).toEqual(['/data/attributes/agent-pool-id: Agent pool not found']);
    }
  });

  test('facts §6.7: a pool with a limited scope is for the listed workspaces and projects, and never for excluded ones', async () => {
    const project = await acme.project('Pooled');
    const [allowed, excluded, other] = [
      await acme.workspace('allowed'),
      await acme.workspace('excluded'),
      await acme.workspace('other'),
    ];
    const inProject = await acme.workspace('in-project', {}, { project: { data: { type: 'projects', id: project } } });
    const scoped = await newPool(
      acme,
      'scoped',
      { 'organization-scoped': false },
      {
        'allowed-workspaces': { data: [{ type: 'workspaces', id: allowed }] },
        'allowed-projects': { data: [{ type: 'projects', id: project }] },
      },
    );
    const open = await newPool(
      acme,
      'open',
      {},
      { 'excluded-workspaces': { data: [{ type: 'workspaces', id: excluded }] } },
    );
    const uses = async (id: string, wanted: string) =>
      (await patch(id, { 'execution-mode': 'agent', 'agent-pool-id': wanted })).status;
    expect(await uses(allowed, scoped)).toBe(200);
    expect(await uses(inProject, scoped)).toBe(200);
    expect(await uses(other, scoped)).toBe(422);
    expect(await uses(excluded, open)).toBe(422);
    expect(await uses(other, open)).toBe(200);
    const made = await create({ 'execution-mode': 'agent', 'agent-pool-id': scoped });
    expect(made.status).toBe(422);
    const madeInProject = await create(
      { 'execution-mode': 'agent', 'agent-pool-id': scoped },
      { project: { data: { type: 'projects', id: project } } },
    );
    expect(madeInProject.status).toBe(201);
  });

  test('facts §1.9: missing settings are inherited from the project, or else from the organization', async () => {
    const inheriting = await newOrganization(api);
    const { owner, name } = inheriting;
    const [ofOrganization, ofProject] = [await newPool(inheriting, 'one'), await newPool(inheriting, 'two')];
    const setOrganization = await owner.call('PATCH', `/organizations/${name}`, {
      data: {
        type: 'organizations',
        attributes: { 'default-execution-mode': 'agent' },
        relationships: { 'default-agent-pool': { data: { type: 'agent-pools', id: ofOrganization } } },
      },
    });
    expect(setOrganization.status, setOrganization.text).toBe(200);
    const project = await inheriting.project('Own');
    const id = await inheriting.workspace('plain');
    const within = await inheriting.workspace('within', {}, { project: { data: { type: 'projects', id: project } } });
    const show = async (workspace: string) => (await owner.call('GET', `/workspaces/${workspace}`)).body.data;
    const expectInherited = async (workspace: string, mode: string, wanted: string | null) => {
      const { attributes, relationships } = await show(workspace);
      expect(attributes['execution-mode']).toBe(mode);
      expect(attributes['setting-overwrites']).toEqual({ 'execution-mode': false, 'agent-pool': false });
      expect(relationships['agent-pool'].data).toEqual(wanted && { type: 'agent-pools', id: wanted });
    };
    await expectInherited(id, 'agent', ofOrganization);
    await expectInherited(within, 'agent', ofOrganization);

    const setProject = (attributes: object, relationships: object) =>
      owner.call('PATCH', `/projects/${project}`, { data: { type: 'projects', attributes, relationships } });
    const ownPool = { 'default-agent-pool': { data: { type: 'agent-pools', id: ofProject } } };
    expect((await setProject({ 'default-execution-mode': 'agent' }, ownPool)).status).toBe(200);
    await expectInherited(within, 'agent', ofProject);
    expect((await setProject({ 'default-execution-mode': 'local' }, {})).status).toBe(200);
    await expectInherited(within, 'local', null);
    await expectInherited(id, 'agent', ofOrganization);

    const list = await owner.call('GET', `/organizations/${name}/workspaces`);
    for (const shown of list.body.data) expect(shown).toEqual(await show(shown.id));
  });

  test('facts §1.9: an overwrite of false restores the inherited value, whatever else is sent', async () => {
    const { body } = await create({ 'execution-mode': 'agent', 'agent-pool-id': pool });
    const back = await patch(body.data.id, { 'execution-mode': 'agent', 'agent-pool-id': pool, ...INHERITS });
    expect(back.status).toBe(200);
    expect(back.body.data.attributes).toMatchObject({ 'execution-mode': 'remote', ...INHERITS });
    expect(poolOf(back).data).toBeNull();
  });

  test('facts §1.9: overwrites that differ, or have nothing to overwrite with, are refused', async () => {
    const differ = await create({ 'setting-overwrites': { 'execution-mode': true, 'agent-pool': null } });
    expect(issuesOf(differ)[0]).toContain('/data/attributes/execution-mode');
    const both = await create({
      'execution-mode': 'local',
      'setting-overwrites': { 'execution-mode': true, 'agent-pool': false },
    });
    expect(issuesOf(both)).toEqual([
      '/data/attributes/setting-overwrites: If agent-pool and execution-mode are both included in setting-overwrites, ' +
        'their values must be the same.',
    ]);
  });

  test('an empty id of a pool is none (trap 8), as is null', async () => {
    for (const id of ['', null]) {
      const made = await create({ 'execution-mode': 'remote', 'agent-pool-id': id });
      expect(made.status).toBe(201);
      expect(poolOf(made).data).toBeNull();
    }
  });
});
