import { describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { NOT_STARTED, withAgentPool } from '../../support/agent-pool.ts';
import { byAgents, type TestAgent, type TestJob } from '../../support/agents.ts';
import type { Answer } from '../../support/api.ts';

const MINUTE = 60_000;
const PART = 262_144;
const MOST = 16 * 1_048_576;
const CUT = /\nThe log reached its limit of [^\n]*\n/g;

describe.each(databaseKinds)('log and control messages of a job, on %s', (kind) => {
  let { api, acme, runs, agents, pool } = NOT_STARTED;
  let agent: TestAgent;
  let workspace: string;
  let run: string;
  let job: TestJob;
  withAgentPool(kind, async (made) => {
    ({ api, acme, runs, agents, pool } = made);
    agent = await agents.agent(pool);
    workspace = await runs.workspace('one', byAgents(pool));
    run = await runs.run(workspace);
    job = await agent.take();
  });

  const standing = ({ status, body }: Answer) => [status, body.data?.attributes];
  const going = (bytes: number, cancel = 'none') => [200, { 'log-bytes': bytes, cancel, interval: 1 }];
  const read = async (offset: number, limit: number) => {
    const { attributes } = (await acme.owner.call('GET', `/plans/${job.id}`)).body.data;
    const url = `${new URL(attributes['log-read-url']).pathname}?limit=${limit}&offset=${offset}`;
    return (await api.app.inject({ method: 'GET', url })).payload;
  };
  /** Starts an apply that does not finish. */
  const applying = async () => {
    await job.start();
    await job.finish('finished', { 'has-changes': true });
    await runs.act(run, 'apply');
    const apply = await agent.take();
    await apply.start();
    return apply;
  };

  test('the log grows by what is new of each part: one that is sent again is taken, a gap is not', async () => {
    expect((await job.log(0, 'early')).status, 'not begun').toBe(409);
    await job.start();
    expect(standing(await job.log(0, ''))).toEqual(going(0));
    expect(standing(await job.log(0, 'one '))).toEqual(going(4));
    expect(standing(await job.log(0, 'one '))).toEqual(going(4));
    expect(standing(await job.log(0, 'one two '))).toEqual(going(8));
    expect(standing(await job.log(6, 'o three'))).toEqual(going(13));
    expect((await job.log(14, 'x')).status).toBe(409);
    expect(standing(await job.heartbeat())).toEqual(going(13));
    expect(await read(0, 100)).toBe('\u0002one two three');
  });

  test('of many who send the same part at once it is kept once', async () => {
    await job.start();
    const answers = await Promise.all(Array.from({ length: 8 }, () => job.log(0, 'once')));
    expect(answers.map(({ status }) => status)).toContain(200);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(standing(await job.log(0, 'once'))).toEqual(going(4));
    expect(await read(0, 100)).toBe('\u0002once');
  });

  test('it consists of bytes: the end mark of a log is not part of it, and no character is split for readers', async () => {
    await job.start();
    const bytes = Buffer.from('Größe\u0003\u0002');
    expect(standing(await job.log(0, bytes.subarray(0, 3)))).toEqual(going(3));
    expect(standing(await job.log(3, bytes.subarray(3)))).toEqual(going(9));
    expect(await read(0, 100)).toBe('\u0002Größe??');
  });

  test('a part that is too large is refused, as is one without a place', async () => {
    await job.start();
    expect(standing(await job.log(0, Buffer.alloc(PART, 'x')))).toEqual(going(PART));
    const large = await job.log(PART, Buffer.alloc(PART + 1, 'y'));
    expect([large.status, large.body.errors[0].status]).toEqual([413, '413']);
    expect(standing(await job.heartbeat())).toEqual(going(PART));
    for (const query of ['', '?offset=-1', '?offset=x', '?offset=1.5', `?offset=${'9'.repeat(13)}`]) {
      const answer = await job.call('PATCH', `/jobs/${job.id}/log${query}`, 'x', {
        'content-type': 'application/octet-stream',
      });
      expect(answer.status, query).toBe(400);
    }
  });

  test('it is cut once it is too long, and the job goes on', async () => {
    await job.start();
    let sent = 0;
    for (const part = Buffer.alloc(PART, 'x'); sent <= MOST; sent += PART) {
      expect(standing(await job.log(sent, part))).toEqual(going(sent + PART));
    }
    expect(standing(await job.log(sent, 'more'))).toEqual(going(sent + 4));
    const kept = (await acme.owner.call('GET', `/plans/${job.id}`)).body.data.attributes['log-bytes'];
    expect(kept).toBeLessThanOrEqual(MOST);
    expect((await read(kept - 500, 1000)).match(CUT)).toHaveLength(1);
    expect((await job.finish('finished', { 'has-changes': true })).status).toBe(204);
    expect(await read(kept + 1, 10)).toBe('\u0003');
  });

  test('a cancel request reaches the agent with the next part, and with the next heartbeat', async () => {
    await job.start();
    expect(standing(await job.heartbeat())).toEqual(going(0));
    await runs.act(run, 'cancel');
    expect(standing(await job.heartbeat())).toEqual(going(0, 'interrupt'));
    expect(standing(await job.log(0, 'Interrupted'))).toEqual(going(11, 'interrupt'));
    await job.finish('canceled');
    expect(await runs.statusOf(run)).toBe('canceled');
  });

  test('after a force-cancel the agent is notified for ten minutes, and may only send its remaining results', async () => {
    const apply = await applying();
    const state = { version: 4, serial: 9 };
    const handIn = (path: string, body: object = state) => apply.call('PUT', path, body);
    await apply.log(0, 'Applying');
    await runs.act(run, 'cancel');
    api.advance(MINUTE);
    expect((await runs.act(run, 'force-cancel')).status).toBe(202);
    const ended = api.now();
    for (const answer of [await apply.heartbeat(), await apply.log(8, 'more')]) {
      expect([answer.status, answer.body.data.attributes.cancel]).toEqual([200, 'kill']);
    }
    expect((await acme.owner.call('GET', `/applies/${apply.id}`)).body.data.attributes['log-bytes']).toBe(8);
    expect((await handIn(`/applies/${apply.id}/errored-state`)).status).toBe(204);
    expect((await acme.owner.call('GET', `/applies/${apply.id}/errored-state`)).body).toEqual(state);
    expect((await handIn(`/plans/${job.id}/json-output`)).status).toBe(404);
    expect((await apply.call('GET', `/plans/${job.id}/folder`)).status).toBe(409);
    for (const answer of [await apply.start(), await apply.finish('finished')]) expect(answer.status).toBe(409);
    expect((await apply.call('GET', `/jobs/${apply.id}`)).status).toBe(409);
    expect((await apply.call('GET', `/workspaces/${workspace}/current-state-version`)).status).toBe(404);
    api.advance(ended + 10 * MINUTE - api.now());
    expect((await handIn(`/applies/${apply.id}/errored-state`, { version: 4, serial: 10 })).status).toBe(204);
    api.advance(1);
    expect((await handIn(`/applies/${apply.id}/errored-state`)).status).toBe(401);
    expect((await apply.heartbeat()).status).toBe(401);
    expect((await acme.owner.call('GET', `/applies/${apply.id}/errored-state`)).body.serial).toBe(10);
  });

  test('a plan that is force-canceled has no state to send', async () => {
    await job.start();
    await runs.act(run, 'cancel');
    api.advance(MINUTE);
    await runs.act(run, 'force-cancel');
    const { apply } = (await runs.show(run)).relationships;
    expect((await job.heartbeat()).body.data.attributes.cancel).toBe('kill');
    expect((await job.call('PUT', `/applies/${apply.data.id}/errored-state`, {})).status).toBe(404);
  });

  test('it is a sign of life', async () => {
    await job.start();
    for (let minutes = 0; minutes < 6; minutes++) {
      api.advance(MINUTE);
      expect((await (minutes % 2 === 0 ? job.heartbeat() : job.log(0, 'x'))).status).toBe(200);
      await api.workspaces.execution.runClaims.sweep();
    }
    expect(await runs.statusOf(run)).toBe('planning');
    api.advance(2 * MINUTE + 1);
    await api.workspaces.execution.runClaims.sweep();
    expect(await runs.statusOf(run)).toBe('errored');
    // An agent that missed its heartbeats must not kill the engine: an interrupted engine writes the state of its
    // changes.
    for (const answer of [await job.heartbeat(), await job.log(1, 'y')]) {
      expect([answer.status, answer.text]).toEqual([
        409,
        expect.stringContaining('its agent sent no heartbeat in time'),
      ]);
    }
  });
});
