import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readJob } from '../../../../../src/runner/agent/job/job-document.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { agentsOf, byAgents, jobOf } from '../../support/agents.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { created, newOrganization, type TestOrganization } from '../../support/organization.ts';
import { runsOf, type TestRuns } from '../../support/runs.ts';

const ISSUER = 'https://lockkeeper.example.com';
const AUDIENCE = 'TFC_WORKLOAD_IDENTITY_AUDIENCE';

describe.each(databaseKinds)('the identity of jobs on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let agents: ReturnType<typeof agentsOf>;
  let runs: TestRuns;
  let pool: string;
  let workspace: string;
  beforeAll(async () => {
    api = await startApi(kind, undefined, undefined, undefined, ISSUER);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    acme = await newOrganization(api);
    agents = agentsOf(api, acme);
    runs = runsOf(api, acme);
    pool = await agents.pool('first');
    workspace = await runs.workspace('network', byAgents(pool));
  });

  const set = async (key: string, value: string, attributes: object = {}) => {
    const body = { data: { type: 'vars', attributes: { key, value, category: 'env', ...attributes } } };
    const answer = await acme.owner.call('POST', `/workspaces/${workspace}/vars`, body);
    expect(answer.status, answer.text).toBe(201);
  };
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  const claimsOf = (job: any) => decodeJwt(job.attributes.identity.environment.TFC_WORKLOAD_IDENTITY_TOKEN);

  test('is empty where no workspace requires it', async () => {
    const agent = await agents.agent(pool);
    await set(AUDIENCE, 'x', { category: 'terraform' });
    await runs.run(workspace);
    expect((await agent.take()).data.attributes.identity).toBeNull();
  });

  test('is for the executing phase, and only for its agent', async () => {
    await set(AUDIENCE, 'somebody', { sensitive: true });
    await set('TFC_VAULT_PROVIDER_AUTH', 'true');
    await set('TFC_VAULT_ADDR', 'https://vault.example.com');
    await set('TFC_VAULT_PLAN_ROLE', 'reader');
    await set('TFC_VAULT_APPLY_ROLE', 'writer');
    const agent = await agents.agent(pool);
    const run = await runs.run(workspace, { 'auto-apply': true });
    const plan = await agent.take();
    const full = `organization:${acme.name}:project:Default Project:workspace:network`;
    expect(claimsOf(plan.data)).toMatchObject({
      iss: ISSUER,
      aud: 'somebody',
      sub: `${full}:run_phase:plan`,
      terraform_organization_name: acme.name,
      terraform_project_id: expect.stringMatching(/^prj-/),
      terraform_workspace_id: workspace,
      terraform_run_id: run,
    });
    expect(claimsOf(plan.data)).not.toHaveProperty('cnf');
    const { exp = 0, iat = 0 } = claimsOf(plan.data);
    expect(exp - iat).toBe(plan.data.attributes.timeout);
    const { identity } = plan.data.attributes;
    expect(readJob({ data: plan.data }).job.identity, 'as our own agent reads it').toEqual(identity);
    expect(identity.logins).toMatchObject([{ role: 'reader', address: 'https://vault.example.com' }]);
    expect(decodeJwt(identity.logins[0].token)).toMatchObject({ aud: 'vault.workload.identity' });

    const path = `/jobs/${plan.id}`;
    const again = await plan.call('GET', path);
    expect([again.status, again.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(claimsOf(again.body.data).sub).toBe(`${full}:run_phase:plan`);
    const other = await agents.agent(pool);
    for (const caller of [acme.owner, other, agent, api.nobody(), await api.user('stranger-1')])
      expect([401, 404]).toContain((await caller.call('GET', path)).status);
    expect((await other.claim()).status).toBe(204);
    expect(JSON.stringify(api.lastEvent())).not.toContain('eyJ');

    await plan.start();
    await plan.finish('finished', { 'has-changes': true, 'resource-additions': 1 });
    const apply = await agent.take();
    expect(claimsOf(apply.data)).toMatchObject({ sub: `${full}:run_phase:apply`, terraform_run_phase: 'apply' });
    expect(apply.data.attributes.identity.logins).toMatchObject([{ role: 'writer' }]);
    expect((await plan.call('GET', path)).status).not.toBe(200);
  });

  test('names the certificate that the agent came in by', async () => {
    await set(AUDIENCE, 'somebody');
    const role = `${acme.name}/agents`;
    const body = { data: { type: 'machine-identities', attributes: { mount: 'cert', role } } };
    await created(await acme.owner.call('POST', `/agent-pools/${pool}/machine-identities`, body));
    const machine = api.machine({ role, commonName: 'agent-1', serialNumber: '77', subject: 'CN=agent-1' });
    const register = { data: { type: 'agents', attributes: { name: 'a' } } };
    const agent = created(await machine.call('POST', `/agent-pools/${pool}/agents`, register));
    await runs.run(workspace);
    const path = `/agents/${agent}/actions/claim`;
    const job = jobOf(api, (await machine.call('POST', path, undefined, { 'agent-id': agent })).body.data);
    const certificate = {
      cnf: { 'x5t#S256': Buffer.from('ab'.repeat(32), 'hex').toString('base64url') },
      lockkeeper_agent_mount: 'cert',
      lockkeeper_agent_role: role,
      lockkeeper_agent_common_name: 'agent-1',
      lockkeeper_agent_subject: 'CN=agent-1',
      lockkeeper_agent_serial: '77',
    };
    expect(claimsOf(job.data)).toMatchObject(certificate);
    expect(claimsOf((await job.call('GET', `/jobs/${job.id}`)).body.data)).toMatchObject(certificate);
  });

  test('that cannot be handed out fails with a reason', async () => {
    await set('TFC_AWS_PROVIDER_AUTH', 'true');
    const agent = await agents.agent(pool);
    await runs.run(workspace);
    const { identity } = (await agent.take()).data.attributes;
    expect(identity.problem).toContain('TFC_AWS_RUN_ROLE_ARN is missing');
  });
});
