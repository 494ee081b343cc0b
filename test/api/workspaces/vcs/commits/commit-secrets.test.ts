import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readJob } from '../../../../../src/runner/agent/job/job-document.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { privateKey } from '../../../../support/samples/private-key.ts';
import { agentsOf, byAgents, type TestAgent } from '../../support/agents.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { commitsOf, INGRESS, PULL } from '../../support/commits.ts';
import { created, issuesOf, newOrganization, type TestOrganization } from '../../support/organization.ts';
import { runsOf, type TestRuns } from '../../support/runs.ts';

const ISSUER = 'https://lockkeeper.example.com';
const TELLS_APART = 'LOCKKEEPER_WORKLOAD_IDENTITY_SPECULATIVE_SUBJECT';

describe.each(databaseKinds)('what runs of commits get, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let commits: ReturnType<typeof commitsOf>;
  let agent: TestAgent;
  let workspace: string;
  beforeAll(async () => {
    api = await startApi(kind, undefined, undefined, undefined, ISSUER);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
    commits = commitsOf(api, acme);
    const agents = agentsOf(api, acme);
    const pool = await agents.pool('first');
    agent = await agents.agent(pool);
    workspace = await acme.workspace('network', byAgents(pool));
  });

  const set = async (key: string, attributes: object = {}) => {
    const data = { type: 'vars', attributes: { key, value: `value of ${key}`, category: 'env', ...attributes } };
    return created(await acme.owner.call('POST', `/workspaces/${workspace}/vars`, { data }));
  };
  const patch = (id: string, attributes: object) =>
    acme.owner.call('PATCH', `/workspaces/${workspace}/vars/${id}`, { data: { type: 'vars', attributes } });
  const keysOf = (job: { data: { attributes: { variables: { key: string }[] } } }) =>
    job.data.attributes.variables.map(({ key }) => key).toSorted();
  const identify = () => set('TFC_WORKLOAD_IDENTITY_AUDIENCE', { value: 'somebody' });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  const claimsOf = (job: any) => decodeJwt(job.data.attributes.identity.environment.TFC_WORKLOAD_IDENTITY_TOKEN);

  test('the commit is in the environment of the engine', async () => {
    await commits.run(workspace, { ingress: { ...INGRESS, tag: 'v1.2.3' } });
    const { data } = await agent.take();
    const commit = { branch: 'main', sha: INGRESS.commitSha, tag: 'v1.2.3' };
    expect(data.attributes.commit).toEqual(commit);
    expect(readJob({ data }).job.commit).toEqual(commit);
  });

  test('a run of a stranger gets no secrets, no identity and no states, and only plans', async () => {
    await identify();
    await set('PLAIN');
    await set('SECRET', { sensitive: true });
    await set('LATER', { 'apply-only': true });
    const key = await acme.owner.call('POST', `/organizations/${acme.name}/ssh-keys`, {
      data: { type: 'ssh-keys', attributes: { name: 'modules', value: privateKey } },
    });
    await acme.owner.call('PATCH', `/workspaces/${workspace}/relationships/ssh-key`, {
      data: { type: 'workspaces', attributes: { id: key.body.data.id } },
    });
    const { runId } = await commits.run(workspace, { untrusted: true, speculative: false, ingress: PULL });
    expect((await runs.show(runId)).attributes).toMatchObject({ 'plan-only': true, 'auto-apply': false });
    const job = await agent.take();
    expect(keysOf(job)).toEqual(['PLAIN', 'TFC_WORKLOAD_IDENTITY_AUDIENCE']);
    expect(job.data.attributes).toMatchObject({ identity: null, 'run-token': null, 'ssh-key': null });
    expect(readJob({ data: job.data }).runToken).toBeNull();
    // The plan itself needs the state and the configuration, through its agent.
    expect((await job.start()).status).toBe(204);
    const { pathname } = new URL(job.data.links.configuration, ISSUER);
    expect((await job.call('GET', pathname.replace('/api/v2', ''))).status).toBe(200);

    await job.finish('failed');
    await commits.run(workspace, { speculative: true, ingress: PULL });
    const trusted = await agent.take();
    expect(keysOf(trusted)).toEqual(['PLAIN', 'SECRET', 'TFC_WORKLOAD_IDENTITY_AUDIENCE']);
    expect(trusted.data.attributes['run-token']).toMatch(/^lke\./);
    expect(claimsOf(trusted).lockkeeper_speculative).toBe('true');
  });

  test("a run that a user starts of a stranger's configuration gets no secrets either", async () => {
    await identify();
    await set('SECRET', { sensitive: true });
    const { runId, configurationVersionId } = await commits.run(workspace, { untrusted: true, ingress: PULL });
    const first = await agent.take();
    expect(first.runId).toBe(runId);
    await first.start();
    await first.finish('failed');
    const again = await runs.run(workspace, {}, configurationVersionId);
    const job = await agent.take();
    expect([job.runId, keysOf(job)]).toEqual([again, ['TFC_WORKLOAD_IDENTITY_AUDIENCE']]);
    expect(job.data.attributes).toMatchObject({ identity: null, 'run-token': null });
    expect((await runs.show(again)).attributes).toMatchObject({ 'plan-only': true, untrusted: true });
  });

  test('variables for applies are given to runs that can be applied, and to no speculative plan', async () => {
    await set('PLAIN');
    const id = await set('LATER', { 'apply-only': true });
    const { configurationVersionId } = await commits.run(workspace);
    const push = await agent.take();
    expect(keysOf(push)).toEqual(['LATER', 'PLAIN']);
    await push.start();
    await push.finish('finished', { 'has-changes': true });
    await commits.run(workspace, { speculative: true, ingress: PULL });
    const pull = await agent.take();
    expect(keysOf(pull), 'a pull request').toEqual(['PLAIN']);
    await pull.start();
    await pull.finish('failed');
    const byHand = await runs.run(workspace, { 'plan-only': true }, configurationVersionId);
    const plan = await agent.take();
    expect([plan.runId, keysOf(plan)]).toEqual([byHand, ['PLAIN']]);
    const shown = await acme.owner.call('GET', `/workspaces/${workspace}/vars/${id}`);
    expect(shown.body.data.attributes).toMatchObject({ key: 'LATER', 'apply-only': true });
  });

  test('a sensitive variable is opened for plans only together with its value', async () => {
    const id = await set('SECRET', { sensitive: true, 'apply-only': true });
    const refused = await patch(id, { 'apply-only': false });
    expect([refused.status, issuesOf(refused)[0]]).toEqual([
      422,
      expect.stringContaining('/data/attributes/apply-only: Apply only cannot be switched off'),
    ]);
    expect((await patch(id, { description: 'kept' })).body.data.attributes['apply-only']).toBe(true);
    expect((await patch(id, { 'apply-only': false, value: 'new' })).body.data.attributes['apply-only']).toBe(false);
    expect((await patch(id, { 'apply-only': true })).status).toBe(200);
    const plain = await set('PLAIN', { 'apply-only': true });
    expect((await patch(plain, { 'apply-only': null })).body.data.attributes['apply-only']).toBe(false);
  });

  test('the token says whether the run is speculative, and its subject if the workspace wants it so', async () => {
    await identify();
    const subject = `organization:${acme.name}:project:Default Project:workspace:network:run_phase`;
    const planned = async (speculative: boolean) => {
      await commits.run(workspace, { speculative });
      const job = await agent.take();
      const { sub, lockkeeper_speculative } = claimsOf(job);
      await job.start();
      await job.finish('failed');
      return [sub, lockkeeper_speculative];
    };
    expect(await planned(true)).toEqual([`${subject}:plan`, 'true']);
    expect(await planned(false)).toEqual([`${subject}:plan`, 'false']);
    const id = await set(TELLS_APART, { value: 'yes' });
    expect(await planned(true)).toEqual([`${subject}:plan`, 'true']);
    await patch(id, { value: 'true' });
    expect(await planned(true)).toEqual([`${subject}:speculative_plan`, 'true']);
    expect(await planned(false)).toEqual([`${subject}:plan`, 'false']);
  });
});
