import { describe, expect, test } from 'vitest';
import { readJob } from '../../../../../src/runner/agent/job/job-document.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { privateKey } from '../../../../support/samples/private-key.ts';
import { NOT_STARTED, withAgentPool } from '../../support/agent-pool.ts';
import { byAgents, type TestAgent } from '../../support/agents.ts';
import { base64, stateText, versionBody } from '../../support/states.ts';

describe.each(databaseKinds)('jobs as the server hands them out, on %s', (kind) => {
  let { acme, runs, agents, pool } = NOT_STARTED;
  let agent: TestAgent;
  withAgentPool(kind, async (made) => {
    ({ acme, runs, agents, pool } = made);
    agent = await agents.agent(pool);
  });

  const newWorkspace = (attributes: object = {}) => runs.workspace('one', { ...byAgents(pool), ...attributes });
  const begun = async (attributes: object = {}, workspace?: string) => {
    const run = await runs.run(workspace ?? (await newWorkspace()), attributes);
    const job = await agent.take();
    expect(job.runId).toBe(run);
    expect((await job.start()).status).toBe(204);
    return { run, job };
  };

  describe('as the server hands them out', () => {
    test('a run that any number of variable sets apply to fails, and its job is no larger than others', async () => {
      const value = 'x'.repeat(262_144);
      const made = async (path: string, data: object) => {
        const answer = await acme.owner.call('POST', path, { data });
        expect(answer.status, answer.text).toBe(201);
        return answer.body.data.id as string;
      };
      for (const name of ['a', 'b']) {
        const varset = { type: 'varsets', attributes: { name, global: true } };
        const set = await made(`/organizations/${acme.name}/varsets`, varset);
        for (let n = 0; n < 21; n++) {
          const attributes = { key: `${name}-${n}`, value, category: 'terraform' };
          await made(`/varsets/${set}/relationships/vars`, { type: 'vars', attributes });
        }
      }
      const { job } = await begun();
      expect(job.data.attributes).toMatchObject({
        variables: [],
        identity: { problem: expect.stringContaining('its variable sets are too large for a run') },
      });
    });

    test('a plan contains everything that its execution needs', async () => {
      const workspace = await newWorkspace({ 'working-directory': 'infra', 'terraform-version': '1.10.7' });
      const run = await runs.run(workspace, {
        'is-destroy': true,
        refresh: false,
        'target-addrs': ['a.b'],
        'replace-addrs': ['c.d'],
        'allow-config-generation': true,
      });
      const { plan, 'configuration-version': configuration } = (await runs.show(run)).relationships;
      const { data } = await agent.take();
      const job = `/api/v2/jobs/${plan.data.id}`;
      const outputs = `/api/v2/plans/${plan.data.id}`;
      expect(data).toEqual({
        id: plan.data.id,
        type: 'jobs',
        attributes: {
          phase: 'plan',
          'run-id': run,
          token: expect.stringMatching(/^lkj\./),
          'run-token': expect.stringMatching(/^lke\./),
          'server-address': null,
          organization: acme.name,
          project: 'Default Project',
          workspace: { id: workspace, name: 'one', 'working-directory': 'infra' },
          commit: null,
          engine: { kind: 'opentofu', version: '1.10.7', newest: '1.10.7' },
          log: 'structured',
          parameters: {
            ...{ destroy: true, refresh: false, 'refresh-only': false, targets: ['a.b'], replaces: ['c.d'] },
            ...{ 'generate-configuration': true, debugging: false },
          },
          variables: [],
          'ssh-key': null,
          'keep-folder': true,
          identity: null,
          timeout: 7200,
        },
        links: {
          self: job,
          start: `${job}/actions/start`,
          heartbeat: `${job}/actions/heartbeat`,
          finish: `${job}/actions/finish`,
          log: `${job}/log`,
          folder: `${outputs}/folder`,
          'state-versions': `/api/v2/workspaces/${workspace}/state-versions`,
          configuration: `/api/v2/configuration-versions/${configuration.data.id}/download`,
          'json-output': `${outputs}/json-output`,
          'json-output-redacted': `${outputs}/json-output-redacted`,
          'provider-schemas': `${outputs}/provider-schemas`,
        },
      });
    });

    test('a plan that invokes actions has a phase that agents without actions refuse', async () => {
      const { run, job } = await begun({ 'invoke-action-addrs': ['action.a.b', 'action.a.c[0]'] });
      expect((await runs.show(run)).attributes['invoke-action-addrs']).toEqual(['action.a.b', 'action.a.c[0]']);
      expect(job.data.attributes).toMatchObject({
        phase: 'plan-with-actions',
        parameters: { invokes: ['action.a.b', 'action.a.c[0]'] },
      });
      expect(readJob({ data: job.data }).job, 'as our own agent reads it').toMatchObject({
        phase: 'plan',
        parameters: { invokes: ['action.a.b', 'action.a.c[0]'] },
      });
    });

    test('an apply says the same of itself, with where the state and the folder of its plan are', async () => {
      const workspace = await newWorkspace();
      const act = (action: string) => acme.owner.call('POST', `/workspaces/${workspace}/actions/${action}`);
      await act('lock');
      const stored = await acme.owner.call(
        'POST',
        `/workspaces/${workspace}/state-versions`,
        versionBody(stateText(1), { serial: 1, state: base64(stateText(1)) }),
      );
      await act('unlock');
      const { job: plan, run } = await begun({}, workspace);
      const state = `/api/v2/state-versions/${stored.body.data.id}/download`;
      expect(plan.data.links.state).toBe(state);
      await plan.call('PUT', `/plans/${plan.id}/folder`, { of: 'the plan' });
      await plan.finish('finished', { 'has-changes': true });
      await runs.act(run, 'apply');
      const { data, call, start } = await agent.take();
      const { apply } = (await runs.show(run)).relationships;
      expect(data).toMatchObject({
        id: apply.data.id,
        attributes: { phase: 'apply', 'run-id': run, 'keep-folder': false, timeout: 86_400 },
        links: {
          state,
          self: `/api/v2/jobs/${apply.data.id}`,
          folder: `/api/v2/plans/${plan.id}/folder`,
          'errored-state': `/api/v2/applies/${apply.data.id}/errored-state`,
        },
      });
      for (const name of ['configuration', 'json-output', 'json-output-redacted', 'provider-schemas']) {
        expect(data.links, name).not.toHaveProperty(name);
      }
      expect(data.attributes.token).not.toBe(plan.token);
      await start();
      const at = async (link: string) => (await call('GET', data.links[link].replace('/api/v2', ''))).text;
      expect([await at('state'), await at('folder')]).toEqual([stateText(1), '{"of":"the plan"}']);
    });

    test('a value that is closer to the run takes the place of others, and one with priority of all', async () => {
      const workspace = await newWorkspace();
      const add = async (path: string, key: string, value: string, more: object = {}) => {
        const attributes = { key, value, category: 'terraform', ...more };
        const made = await acme.owner.call('POST', path, { data: { type: 'vars', attributes } });
        expect(made.status, made.text).toBeLessThan(300);
      };
      const varset = async (name: string, priority: boolean) => {
        const attributes = { name, global: true, priority };
        const made = await acme.owner.call('POST', `/organizations/${acme.name}/varsets`, {
          data: { type: 'varsets', attributes },
        });
        return `/varsets/${made.body.data.id}/relationships/vars`;
      };
      const [common, prior] = [await varset('common', false), await varset('prior', true)];
      const own = `/workspaces/${workspace}/vars`;
      for (const key of ['set', 'workspace', 'run']) await add(common, key, 'common');
      for (const key of ['workspace', 'run', 'prior']) await add(own, key, 'own', { sensitive: true });
      await add(prior, 'prior', 'prior', { hcl: true });
      await add(own, 'run', 'env', { category: 'env' });
      const given = ['run', 'prior'].map((key) => ({ key, value: '"given"' }));
      await runs.run(workspace, { variables: given });
      const { data } = await agent.take();
      const values = data.attributes.variables.map(
        ({ key, value, category, hcl, sensitive }: Record<string, unknown>) =>
          `${category} ${key} ${value} ${hcl} ${sensitive}`,
      );
      expect(values.toSorted()).toEqual([
        'env run env false false',
        'terraform prior prior true false',
        'terraform run "given" true false',
        'terraform set common false false',
        'terraform workspace own false true',
      ]);
    });

    test('the key of the workspace is complete, and a speculative plan leaves no folder', async () => {
      const made = await acme.owner.call('POST', `/organizations/${acme.name}/ssh-keys`, {
        data: { type: 'ssh-keys', attributes: { name: 'first', value: privateKey } },
      });
      const workspace = await newWorkspace();
      const given = await acme.owner.call('PATCH', `/workspaces/${workspace}/relationships/ssh-key`, {
        data: { type: 'workspaces', attributes: { id: made.body.data.id } },
      });
      expect(given.status, given.text).toBe(200);
      await runs.run(workspace, { 'plan-only': true });
      const { attributes } = (await agent.take()).data;
      expect(attributes).toMatchObject({ 'ssh-key': privateKey, 'keep-folder': false });
    });

    test.each([
      ['structured', {}, {}],
      ['structured', {}, { 'terraform-version': '1.10.0', 'x-terraform-integration': 'cloud' }],
      ['plain', {}, { 'terraform-version': '1.10.0' }],
      ['plain', { 'structured-run-output-enabled': false }, {}],
      [
        'plain',
        { 'structured-run-output-enabled': false },
        { 'terraform-version': '1.10.0', 'x-terraform-integration': 'cloud' },
      ],
    ])(
      'the log is %s in a workspace with %j, started with %j',
      async (log, settings, headers: Record<string, string>) => {
        const workspace = await newWorkspace(settings);
        const caller = { ...acme.owner, call: bind(acme.owner.call, headers) };
        expect((await runs.create(workspace, {}, undefined, caller)).status).toBe(201);
        expect((await agent.take()).data.attributes.log).toBe(log);
      },
    );

    test('what is current is for the agent to choose, as long as neither the workspace nor the run says', async () => {
      await runs.run(await newWorkspace({ 'terraform-version': 'latest' }));
      expect((await agent.take()).data.attributes.engine).toEqual({
        kind: 'opentofu',
        version: null,
        newest: '1.12.6',
      });
    });
  });
});

/** Returns a caller that adds these headers to each request. */
function bind(call: TestAgent['call'], more: Record<string, string>): TestAgent['call'] {
  return (method, path, body, headers = {}) => call(method, path, body, { ...headers, ...more });
}
