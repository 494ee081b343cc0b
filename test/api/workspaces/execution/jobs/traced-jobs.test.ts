import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { traceRuns } from '../../../../../src/composition/tracing.ts';
import { startTracing } from '../../../../../src/tracing/index.ts';
import { otlpCollector } from '../../../../support/collectors/otlp-collector.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { agentsOf, byAgents } from '../../support/agents.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { newOrganization } from '../../support/organization.ts';
import { runsOf } from '../../support/runs.ts';

const STEPS = [
  { name: 'fetch configuration', start: 0, end: 10, ok: true },
  { name: 'init', start: 10, end: 300, ok: true },
  { name: 'plan', start: 300, end: 900, ok: true },
];

describe.each(databaseKinds)('a run that is traced, on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  test('is one trace with its jobs and their steps, as their agents report them', async () => {
    const acme = await newOrganization(api);
    const [agents, runs] = [agentsOf(api, acme), runsOf(api, acme)];
    const pool = await agents.pool('first');
    const agent = await agents.agent(pool);
    const workspace = await runs.workspace('one', byAgents(pool));
    const untraced = await runs.run(workspace);
    const before = await agent.take();
    expect(before.data.attributes).not.toHaveProperty('traceparent');
    await before.start();
    await before.finish('finished', { 'has-changes': false });

    const collector = await otlpCollector();
    const tracing = startTracing({
      ...{ endpoint: collector.endpoint, sampleRatio: 1, tokenHeader: 'Authorization', version: '0' },
      counted: () => {},
      changed: () => {},
    });
    traceRuns(api, tracing);
    const run = await runs.run(workspace, { 'auto-apply': true });
    const plan = await agent.take();
    const [, traceId, jobSpan] = `${plan.data.attributes.traceparent}`.split('-');
    expect(plan.data.attributes.traceparent).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
    await plan.start();
    const wrong = await plan.finish('finished', { took: 1, steps: [{ ...STEPS[0], name: 'no name of a step\n' }] });
    expect(wrong.status).toBe(422);
    const many = Array.from({ length: 101 }, () => STEPS[0]);
    expect((await plan.finish('finished', { took: 1, steps: many })).status).toBe(422);
    expect((await plan.finish('finished', { 'has-changes': true, took: 1000, steps: STEPS })).status).toBe(204);
    const apply = await agent.take();
    expect(apply.data.attributes.traceparent).toContain(traceId);
    await apply.start();
    expect((await apply.finish('finished', { exit: 1, took: 500, steps: [] })).status).toBe(204);
    await tracing.close();

    const spans = collector.spans();
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
    const root = spans.find(({ name }) => name === 'run');
    expect(root).toMatchObject({
      service: 'lockkeeper',
      isError: true,
      attributes: {
        'lockkeeper.run_id': run,
        'lockkeeper.run_status': 'errored',
        'lockkeeper.workspace_id': workspace,
      },
    });
    expect(root?.parentSpanId).toBeUndefined();
    expect(root?.events).toEqual(expect.arrayContaining(['planning', 'applying', 'errored']));
    const jobs = spans.filter(({ name }) => name === 'job');
    expect(jobs).toMatchObject([
      { service: 'lockkeeper-agent', spanId: jobSpan, parentSpanId: root?.spanId, isError: false },
      { service: 'lockkeeper-agent', parentSpanId: root?.spanId, isError: true },
    ]);
    const steps = spans.filter(({ parentSpanId }) => parentSpanId === jobSpan);
    expect(steps.map(({ name }) => name)).toEqual(STEPS.map(({ name }) => name));
    const [planned] = steps.slice(-1);
    expect(planned && Number(planned.end - planned.start) / 1e6).toBeCloseTo(600, 0);
    expect(collector.text()).not.toContain(untraced);
  });
});
