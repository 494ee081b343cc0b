import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { broken, json } from '../../../../support/vcs/misbehaviour.ts';
import {
  commitId,
  deliver,
  eventsOf,
  type Followed,
  otherNode,
  type Reporting,
  startReporting,
  storedReports,
} from '../support/reporting.ts';

const POLL = { timeout: 30_000 };
/** Longer than a claim, milliseconds. */
const LEASE = 61_000;
const COMMENTS = { 'pull-request-comments': true };

describe.each(databaseKinds)('how results are reported on %s', { timeout: 120_000 }, (kind) => {
  let reporting: Reporting;
  let names = 0;
  beforeAll(async () => {
    reporting = await startReporting(kind);
  });
  afterEach(() => {
    reporting.fake.server.misbehave = undefined;
    reporting.fake.rateLimit = undefined;
  });
  afterAll(() => reporting.stop());

  const reports = () => reporting.api.workspaces.vcs.reports;
  const send = () => deliver(reports());
  const later = (seconds: number) => reporting.api.advance(seconds * 1000);
  const newCommit = () => commitId(`delivery-${++names}`);
  const statesOf = (commit: string) =>
    reporting.fake.statuses.filter(({ of }) => of === commit).map(({ body }) => body.state);
  const commentsOf = ({ fake: { id } }: Followed) =>
    reporting.fake.comments.filter(({ repositoryId }) => repositoryId === id);
  const requests = () => reporting.fake.server.requests;
  const problems = async () => (await storedReports(reporting)).flatMap(({ problem }) => problem ?? []);

  /** Stores a pull request whose only plan is over. */
  async function plannedPull(settings: object = {}, connectionStatus?: string) {
    const followed = await reporting.follow(settings, connectionStatus);
    const events = eventsOf(reporting, followed);
    const commit = newCommit();
    const event = await events.add({ kind: 'pull', afterId: commit, pull: { number: 1 } });
    const [run = ''] = await events.start(event, [await events.workspace('net')]);
    await events.end(event);
    await events.plan(run, [1, 0, 0]);
    return { followed, events, event, commit, run };
  }

  test('a provider that is away for an hour gets the results afterwards, once', async () => {
    const { commit } = await plannedPull();
    reporting.fake.server.misbehave = broken;
    for (let minute = 0; minute < 60; minute++) {
      later(60);
      await reports().loop.begin();
      await reports().loop.settled();
    }
    const tries = requests().filter(({ path }) => path.endsWith(commit)).length;
    expect(tries).toBeGreaterThan(2);
    expect(tries, 'with growing pauses').toBeLessThan(15);
    expect(await problems()).toEqual([expect.stringContaining('cannot be reached')]);
    reporting.fake.server.misbehave = undefined;
    later(3600);
    await send();
    expect(statesOf(commit)).toEqual(['success']);
    expect(await problems()).toEqual([]);
    later(3600);
    await send();
    expect(statesOf(commit)).toHaveLength(1);
  });

  test('a lost response leads to the same status again, and to no second comment', async () => {
    const { followed, commit } = await plannedPull(COMMENTS);
    let lost = 0;
    // The fake stores everything, and its responses are lost.
    reporting.fake.server.misbehave = (request: IncomingMessage, response: ServerResponse, next: () => void) => {
      if (request.method !== 'POST') return next();
      lost++;
      response.writeHead = (() => response) as never;
      response.end = (() => request.socket.destroy()) as never;
      next();
    };
    await send();
    expect(lost).toBe(2);
    expect(commentsOf(followed)).toHaveLength(1);
    reporting.fake.server.misbehave = undefined;
    later(60);
    await send();
    expect(statesOf(commit)).toEqual(['success', 'success']);
    expect(commentsOf(followed)).toHaveLength(1);
    const before = requests().length;
    later(3600);
    await send();
    expect(requests().length, 'nothing is left to send').toBe(before);
  });

  test('what a node was sending when it was killed is sent by another, and the comment stays one', async () => {
    const { followed, commit } = await plannedPull(COMMENTS);
    const held: (() => void)[] = [];
    // The fake creates the comment, and the node never gets the response.
    reporting.fake.server.misbehave = (request, response, next) => {
      if (request.method !== 'POST') return next();
      const end = response.end.bind(response);
      response.end = ((...given: Parameters<typeof end>) => void held.push(() => end(...given))) as never;
      next();
    };
    const killed = otherNode(reporting);
    await killed.loop.begin();
    await expect.poll(() => held.length, POLL).toBe(2);
    await send();
    expect(held.length, 'the claims have not expired').toBe(2);
    reporting.fake.server.misbehave = undefined;
    reporting.api.advance(LEASE);
    await send();
    expect(statesOf(commit)).toEqual(['success', 'success']);
    expect(commentsOf(followed)).toHaveLength(1);
    // The node was only slow: it must not store its result any more.
    for (const answer of held) answer();
    await killed.loop.settled();
    const before = requests().length;
    later(3600);
    await send();
    expect(requests().length).toBe(before);
  });

  test('two nodes that find the same reports at once send each of them once', async () => {
    const pulls = [];
    for (let i = 0; i < 4; i++) pulls.push(await plannedPull(COMMENTS));
    const nodes = [reports(), otherNode(reporting)];
    for (let round = 0; round < 6; round++) {
      await Promise.all(nodes.map(({ loop }) => loop.begin()));
      await Promise.all(nodes.map(({ loop }) => loop.settled()));
    }
    for (const { followed, commit } of pulls) {
      expect(statesOf(commit)).toEqual(['success']);
      expect(commentsOf(followed)).toHaveLength(1);
    }
  });

  test('a process that dies before it marks the reports of a run delays them by minutes at most', async () => {
    const { followed, commit, run } = await startedPull();
    await send();
    expect(statesOf(commit)).toEqual(['pending']);
    // The run ends at another node, which marks nothing, because its background tasks do not run.
    const node = await reporting.api.forgetful();
    const caller = node.holder(followed.organization.owner.token);
    for (const status of ['planning', 'planned']) await followed.runs.report(run, status, {}, caller);
    await node.close();
    later(14);
    await send();
    expect(statesOf(commit)).toEqual(['pending']);
    later(1);
    await send();
    expect(statesOf(commit)).toEqual(['pending', 'success']);
  });

  async function startedPull() {
    const followed = await reporting.follow();
    const events = eventsOf(reporting, followed);
    const commit = newCommit();
    const event = await events.add({ kind: 'pull', afterId: commit, pull: { number: 1 } });
    const [run = ''] = await events.start(event, [await events.workspace('net')]);
    await events.end(event);
    return { followed, commit, run };
  }

  test('a rate limit postpones a report until the provider allows it, whatever happens to the runs', async () => {
    const { commit, events, event } = await plannedPull();
    const limited = json(429, { message: 'slow down' }, { 'retry-after': '120' });
    reporting.fake.server.misbehave = limited;
    await send();
    const before = requests().length;
    later(100);
    await events.start(event, [await events.workspace('dns')]);
    await send();
    expect(requests().length, 'no request while the provider refuses them').toBe(before);
    reporting.fake.server.misbehave = undefined;
    later(21);
    await send();
    expect(statesOf(commit)).toHaveLength(1);
  });

  test('a rejected status is not sent again until it changes, and the others are sent', async () => {
    const followed = await reporting.follow({ 'aggregated-commit-status-enabled': false });
    const events = eventsOf(reporting, followed);
    const commit = newCommit();
    const event = await events.add({ kind: 'pull', afterId: commit, pull: { number: 1 } });
    const runs = await events.start(event, [await events.workspace('a'), await events.workspace('b')]);
    await events.end(event);
    for (const run of runs) await events.plan(run);
    let rejected = 0;
    reporting.fake.server.misbehave = (request, response, next) => {
      if (rejected++ > 0) next();
      else json(422, { message: 'no' })(request, response, next);
    };
    await send();
    expect(statesOf(commit)).toEqual(['success']);
    expect(await problems()).toEqual([expect.stringContaining('422')]);
    later(3600);
    await send();
    expect(statesOf(commit)).toEqual(['success']);
  });

  test.each(['unverified', 'refused', 'unreachable'])(
    'a connection that is %s reports nothing, and says so',
    async (status) => {
      const before = requests().length;
      const { commit, followed } = await plannedPull({}, status);
      await send();
      expect(requests().length).toBe(before);
      expect(await problems()).toContain(`The connection is ${status}, so it reports no results. Check it`);
      const { owner, name } = followed.organization;
      const shown = await owner.call('GET', `/organizations/${name}/vcs-events`);
      expect(shown.body.data[0].attributes['report-problem']).toContain(`The connection is ${status}`);
      const clients = await owner.call('GET', `/organizations/${name}/oauth-clients`);
      await owner.call('POST', `/oauth-clients/${clients.body.data[0].id}/actions/check`);
      // The check makes the report due at once: no time passes.
      await send();
      expect(statesOf(commit)).toEqual(['success']);
      expect((await owner.call('GET', `/organizations/${name}/vcs-events`)).body.data[0].attributes).toMatchObject({
        'report-problem': null,
      });
    },
  );

  test('a push of many workspaces takes few requests, however long its runs take', async () => {
    const followed = await reporting.follow();
    const events = eventsOf(reporting, followed);
    const commit = newCommit();
    const event = await events.add({ kind: 'push', afterId: commit });
    const workspaces: string[] = [];
    for (let i = 0; i < 60; i++) workspaces.push(await events.workspace(`w-${i}`));
    const runs = await events.start(event, workspaces);
    await events.end(event);
    const before = requests().length;
    for (const run of runs) {
      await events.plan(run);
      later(30);
      await reports().loop.begin();
      await reports().loop.settled();
    }
    await send();
    expect(statesOf(commit).at(-1)).toBe('success');
    expect(requests().length - before).toBeLessThan(30);
  });
});
