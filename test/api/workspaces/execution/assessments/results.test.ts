import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import type { TestAgent, TestJob } from '../../support/agents.ts';
import type { Caller, TestApi } from '../../support/api.ts';
import { type Assessing, assessmentsOf, FOUND, newAssessing } from '../../support/assessments.ts';
import { type Notifying, notificationsOf, startNotifying } from '../../support/notifications.ts';
import { newOrganization, newTeamMember, type TestOrganization } from '../../support/organization.ts';
import type { TestRuns } from '../../support/runs.ts';

describe.each(databaseKinds)('health assessments that are over on %s', (kind) => {
  let started: Notifying;
  let at: Assessing;
  let api: TestApi;
  let receiver: Receiver;
  let acme: TestOrganization;
  let runs: TestRuns;
  let agent: TestAgent;
  beforeAll(async () => {
    started = await startNotifying(kind);
  });
  afterAll(async () => {
    await started.receiver.stop();
    await started.api.close();
  });
  beforeEach(async () => {
    at = await newAssessing(started);
    ({ api, receiver, acme, runs, agent } = at);
  });
  const { good, assess, current, assessed } = assessmentsOf(() => at);
  const { attributesFor, create, deliver, newPath } = notificationsOf(() => at);

  describe('leave a result', () => {
    test('with the drift, which the workspace shows', async () => {
      const { workspace } = await good();
      expect((await runs.place(workspace)).relationships['current-assessment-result'].data).toBe(null);
      const { result } = await assessed(workspace, { 'resources-drifted': 2, 'checks-failed': 1 });
      const self = `/api/v2/assessment-results/${result.id}`;
      expect(result).toEqual({
        id: expect.stringMatching(/^asmtres-/),
        type: 'assessment-results',
        attributes: {
          ...{ ...FOUND, 'resources-drifted': 2, 'checks-failed': 1 },
          ...{ drifted: true, succeeded: true, 'all-checks-succeeded': false },
          ...{ 'error-msg': null, 'error-message': null, 'created-at': new Date(api.now()).toISOString() },
        },
        relationships: { workspace: { data: { type: 'workspaces', id: workspace } } },
        links: {
          self,
          'json-output': `${self}/json-output`,
          'json-schema': `${self}/json-schema`,
          'log-output': `${self}/log-output`,
        },
      });
      expect((await acme.owner.call('GET', `/assessment-results/${result.id}`)).body.data).toEqual(result);
      const shown = (await acme.owner.call('GET', `/workspaces/${workspace}?include=current_assessment_result`)).body;
      expect(shown.included).toEqual([result]);
      expect(shown.data.attributes['last-assessment-result-at']).toBe(result.attributes['created-at']);
      expect(shown.data.relationships['current-assessment-result']).toEqual({
        data: { type: 'assessment-results', id: result.id },
        links: { related: self },
      });
    });

    test('of an agent that counts nothing, by whether the plan has changes', async () => {
      const { workspace } = await good();
      for (const drifted of [true, false]) {
        expect((await assess(workspace)).status).toBe(200);
        const job = await agent.take();
        await job.start();
        await job.finish('finished', { 'has-changes': drifted });
        const { attributes } = (await current(workspace)).body.data;
        expect(attributes).toMatchObject({ drifted, 'resources-drifted': null, 'all-checks-succeeded': true });
      }
    });

    test('of a plan that changes only outputs: no drift', async () => {
      const { workspace } = await good();
      const { result } = await assessed(workspace, { 'has-changes': true });
      expect(result.attributes.drifted).toBe(false);
    });

    test('of a plan that went wrong, with why', async () => {
      const { workspace } = await good();
      const ended = async (...ending: Parameters<TestJob['finish']>) => {
        await assess(workspace);
        const job = await agent.take();
        await job.start();
        await job.finish(...ending);
        return (await current(workspace)).body.data.attributes;
      };
      const failed = await ended('failed', { reason: 'The disk of the agent is full' });
      expect(failed).toMatchObject({ drifted: false, succeeded: false, 'error-msg': 'The disk of the agent is full' });
      expect((await ended('finished', { exit: 1 }))['error-message']).toContain('Its log has the reason');
    });

    test('with the plan, its schemas and its log, for those who administer the workspace', async () => {
      const { workspace } = await good();
      await assess(workspace);
      const job = await agent.take();
      await job.start();
      const long = '{"@message":"planning"}\n'.repeat(20_000);
      for (let at = 0; at < long.length; at += 200_000) await job.log(at, long.slice(at, at + 200_000));
      const put = (link: string, body: object) => job.call('PUT', job.data.links[link].replace('/api/v2', ''), body);
      expect((await put('json-output', { of: 'the plan' })).status).toBe(204);
      expect((await put('provider-schemas', { of: 'providers' })).status).toBe(204);
      await job.finish('finished', { 'has-changes': false, ...FOUND });
      const { id } = (await current(workspace)).body.data;
      const files = (by: Caller) =>
        Promise.all(
          ['json-output', 'json-schema', 'log-output'].map((file) =>
            by.call('GET', `/assessment-results/${id}/${file}`),
          ),
        );
      const [plan, schemas, log] = await files(acme.owner);
      expect([plan?.text, schemas?.text]).toEqual(['{"of":"the plan"}', '{"of":"providers"}']);
      expect(plan?.headers['content-type']).toBe('application/json');
      expect(log?.text).toBe(long);

      const reader = await newTeamMember(
        api,
        await acme.team('readers', { 'read-workspaces': true }),
        `eve-${acme.name}`,
      );
      expect((await reader.call('GET', `/assessment-results/${id}`)).status).toBe(200);
      expect((await current(workspace, reader)).status).toBe(200);
      expect((await assess(workspace, reader)).status).toBe(404);
      expect((await files(reader)).map(({ status }) => status)).toEqual([404, 404, 404]);
      const token = await acme.owner.call('POST', `/organizations/${acme.name}/authentication-token`);
      const organization = api.holder(token.body.data.attributes.token);
      expect((await files(organization)).map(({ status }) => status)).toEqual([404, 404, 404]);
      const stranger = (await newOrganization(api)).owner;
      expect((await stranger.call('GET', `/assessment-results/${id}`)).status).toBe(404);
      expect((await stranger.call('GET', `/workspaces/${workspace}?include=current_assessment_result`)).status).toBe(
        404,
      );
    });

    test('for the newest thirty; older ones go, with all that was handed in of them', async () => {
      const { workspace, run } = await good();
      const { result: oldest } = await assessed(workspace);
      const { result: second } = await assessed(workspace);
      await assess(workspace);
      await runs.act(await runs.run(workspace, { 'plan-only': true }), 'cancel');
      for (let n = 0; n < 29; n++) await assessed(workspace);
      expect((await acme.owner.call('GET', `/assessment-results/${oldest.id}`)).status).toBe(404);
      expect((await acme.owner.call('GET', `/assessment-results/${second.id}`)).status).toBe(200);
      expect((await runs.show(run)).attributes.status).toBe('applied');
    });
  });

  describe('send notifications', () => {
    test('with the result and the one before it, in the form of HCP Terraform', async () => {
      const { workspace } = await good();
      const path = newPath();
      const triggers = ['assessment:drifted', 'assessment:check_failure', 'assessment:failed'];
      const { id } = await create(workspace, attributesFor(path, { triggers }));
      const { result: prior } = await assessed(workspace);
      api.advance(1000);
      const { result } = await assessed(workspace, { 'resources-drifted': 1, 'checks-errored': 1 });
      await assess(workspace);
      const job = await agent.take();
      await job.start();
      await job.finish('finished', { exit: 1 });
      await deliver();
      const [, drifted, checked, failed, ...more] = receiver.at(path).map(({ body }) => body);
      expect(more).toEqual([]);
      const origin = 'http://keeper.example.com:8443/api/v2';
      expect(drifted).toEqual({
        payload_version: '2',
        notification_configuration_id: id,
        notification_configuration_url: `${origin}/notification-configurations/${id}`,
        trigger_scope: 'assessment',
        trigger: 'assessment:drifted',
        message: 'Drift Detected',
        details: {
          new_assessment_result: {
            id: result.id,
            url: `${origin}/assessment-results/${result.id}`,
            ...{ succeeded: true, drifted: true, all_checks_succeeded: false },
            ...{ resources_drifted: 1, resources_undrifted: 3 },
            ...{ checks_passed: 2, checks_failed: 0, checks_errored: 1, checks_unknown: 0 },
            created_at: result.attributes['created-at'],
          },
          prior_assessment_result: expect.objectContaining({ id: prior.id, drifted: false, resources_drifted: 0 }),
          workspace_id: workspace,
          workspace_name: 'one',
          organization_name: acme.name,
        },
      });
      expect([checked.trigger, failed.trigger]).toEqual(['assessment:check_failure', 'assessment:failed']);
      expect(failed.details.prior_assessment_result.id).toBe(result.id);
    });

    test('to Slack and Teams in their formats, and only to configurations that select them', async () => {
      const { workspace } = await good();
      const [slack, teams, other] = [newPath(), newPath(), newPath()];
      const triggers = ['assessment:drifted'];
      await create(workspace, attributesFor(slack, { triggers, 'destination-type': 'slack' }));
      await create(workspace, attributesFor(teams, { triggers, 'destination-type': 'microsoft-teams' }));
      await create(workspace, attributesFor(other, { triggers: ['assessment:failed'] }));
      await assessed(workspace, { 'resources-drifted': 4 });
      await deliver();
      const [, inSlack] = receiver.at(slack).map(({ body }) => body);
      expect(inSlack.text).toBe(`${acme.name}/one: Drift Detected`);
      expect(inSlack.attachments[0].fields[0]).toEqual({ title: 'Resources drifted', value: '4', short: true });
      const [, inTeams] = receiver.at(teams).map(({ body }) => body);
      expect(JSON.stringify(inTeams)).toContain('Resources drifted: 4');
      expect(receiver.at(other)).toHaveLength(1);
    });
  });
});
