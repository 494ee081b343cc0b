import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { agentsOf, byAgents, jobOf, type TestAgent } from '../support/agents.ts';
import { type Answer, startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { runsOf, type TestRuns } from '../support/runs.ts';

/** Seconds. A test that waits until they have passed does not finish in time. */
const LONG = 60;

describe.each(databaseKinds)('agents that wait for a run on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let agents: ReturnType<typeof agentsOf>;
  let runs: TestRuns;
  let pool: string;
  let workspace: string;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    acme = await newOrganization(api);
    agents = agentsOf(api, acme);
    runs = runsOf(api, acme);
    pool = await agents.pool('first');
    workspace = await runs.workspace('one', byAgents(pool));
  });

  const runOf = ({ body }: Answer) => body.data.attributes['run-id'];
  const claim = ({ id, call }: TestAgent, wait: number | string = LONG) =>
    call('POST', `/agents/${id}/actions/claim?wait=${wait}`);

  test('get a response as soon as there is one', async () => {
    const agent = await agents.agent(pool);
    const answer = claim(agent);
    const run = await runs.run(workspace);
    expect(runOf(await answer)).toBe(run);
    expect(runOf(await claim(agent))).toBe(run);
  });

  test('of many, one gets it, and the others go on waiting', async () => {
    const [first, second] = [await agents.agent(pool), await agents.agent(pool)];
    const waiting = [claim(first), claim(second)];
    const run = await runs.run(workspace);
    const got = await Promise.race(waiting);
    expect(runOf(got)).toBe(run);
    const other = await runs.run(await runs.workspace('two', byAgents(pool)));
    const ids = (await Promise.all(waiting)).map(runOf);
    expect(ids.toSorted()).toEqual([run, other].toSorted());
  });

  test('get the apply, and a run that another agent has given back', async () => {
    const [first, second] = [await agents.agent(pool), await agents.agent(pool)];
    const run = await runs.run(workspace);
    const job = jobOf(api, (await claim(first)).body.data);
    await job.start();
    await job.finish('finished', { 'has-changes': true });
    const answer = claim(first);
    await acme.owner.call('POST', `/runs/${run}/actions/apply`);
    expect((await answer).body.data.attributes).toMatchObject({ 'run-id': run, phase: 'apply' });
    const next = claim(second);
    await first.say('exited');
    expect(runOf(await next)).toBe(run);
  });

  test('get no run, and none of its variables, once their token is revoked', async () => {
    const [lost, other] = [await agents.agent(pool), await agents.agent(pool)];
    const waiting = claim(lost);
    expect((await claim(other, 1)).status).toBe(204);
    expect((await acme.owner.call('DELETE', `/authentication-tokens/${lost.tokenId}`)).status).toBe(204);
    const run = await runs.run(workspace);
    expect((await waiting).status).toBe(401);
    expect(runOf(await claim(other))).toBe(run);
  });

  test('get 204 at the end of the wait, and again with the next request', async () => {
    const agent = await agents.agent(pool);
    expect((await claim(agent, 1)).status).toBe(204);
    // The server may read either of the two connections first.
    const asked = [claim(agent), claim(agent)];
    expect((await Promise.race(asked)).status).toBe(204);
    const run = await runs.run(workspace);
    const statuses = (await Promise.all(asked)).map(({ status, body }) => [status, body?.data.attributes['run-id']]);
    expect(statuses).toEqual(
      expect.arrayContaining([
        [204, undefined],
        [200, run],
      ]),
    );
  });

  test.each(['-1', '61', 'x', '1.5'])('for %s seconds are refused', async (wait) => {
    const agent = await agents.agent(pool);
    const answer = await claim(agent, wait);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].source).toEqual({ parameter: 'wait' });
  });

  test('all get a response when the server stops', async () => {
    const other = await startApi(kind);
    const theirs = await newOrganization(other);
    const pools = agentsOf(other, theirs);
    const agent = await pools.agent(await pools.pool('first'));
    const answer = claim(agent);
    await expect
      .poll(async () => (await theirs.owner.call('GET', `/agents/${agent.id}`)).body.data.attributes.status)
      .toBe('idle');
    for (const work of other.workspaces.background.toReversed()) await work.stop();
    expect((await answer).status).toBe(204);
    await other.close();
  });
});
