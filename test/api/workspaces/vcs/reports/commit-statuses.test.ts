import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import type { UserCaller } from '../../support/api.ts';
import { approvalsIn } from '../../support/approvals.ts';
import {
  ADDRESS,
  commitId,
  deliver,
  eventsOf,
  type Followed,
  type Reporting,
  startReporting,
} from '../support/reporting.ts';

describe.each(databaseKinds)('statuses of commits on %s', { timeout: 60_000 }, (kind) => {
  let reporting: Reporting;
  let names = 0;
  beforeAll(async () => {
    reporting = await startReporting(kind);
  });
  afterAll(() => reporting.stop());

  const send = () => deliver(reporting.api.workspaces.vcs.reports);
  const later = (seconds: number) => reporting.api.advance(seconds * 1000);
  const newCommit = () => commitId(`commit-${++names}`);

  /** Returns the statuses of a commit in their order, as `context: state, description`. */
  const statusesOf = (commit: string) =>
    reporting.fake.statuses
      .filter(({ of }) => of === commit)
      .map(({ body: { context, state, description } }) => `${context}: ${state}, ${description}`);
  const lastUrl = (commit: string) => reporting.fake.statuses.findLast(({ of }) => of === commit)?.body.target_url;

  async function pullOf(followed: Followed, commit: string, pull: object = {}) {
    const events = eventsOf(reporting, followed);
    const event = await events.add({ kind: 'pull', afterId: commit, pull: { number: ++names, ...pull } });
    return { events, event };
  }

  test('a pull request is pending until its verdicts and plans are there, and then shows what they change', async () => {
    const followed = await reporting.follow();
    const commit = newCommit();
    const { events, event } = await pullOf(followed, commit);
    const [net, dns] = [await events.workspace('net'), await events.workspace('dns')];
    const context = `lockkeeper/${followed.organization.name}`;
    await send();
    const first = `${context}: pending, Checking which workspaces the change concerns`;
    expect(statusesOf(commit)).toEqual([first]);
    expect(lastUrl(commit)).toBe(`${ADDRESS}/app/${followed.organization.name}/vcs-events/${event}`);
    const [one = '', two = ''] = await events.start(event, [net, dns]);
    await events.end(event);
    await send();
    expect(statusesOf(commit), 'changes are sent together').toEqual([first]);
    later(15);
    await send();
    expect(statusesOf(commit)).toEqual([first, `${context}: pending, 0 of 2 plans finished`]);
    await events.plan(one, [2, 1, 0]);
    later(15);
    await send();
    await events.plan(two);
    await send();
    expect(statusesOf(commit).slice(2)).toEqual([
      `${context}: pending, 1 of 2 plans finished`,
      `${context}: success, 2 plans: 1 with changes, 1 without changes`,
    ]);
    later(3600);
    await send();
    expect(statusesOf(commit)).toHaveLength(4);
  });

  test('one plan says what it would do, and leads to its run', async () => {
    const followed = await reporting.follow();
    const commit = newCommit();
    const { events, event } = await pullOf(followed, commit);
    const net = await events.workspace('net');
    const [run = ''] = await events.start(event, [net]);
    await events.end(event);
    await events.plan(run, [2, 1, 3]);
    await send();
    expect(statusesOf(commit)).toEqual([
      `lockkeeper/${followed.organization.name}: success, Plan: 2 to add, 1 to change, 3 to destroy`,
    ]);
    expect(lastUrl(commit)).toBe(`${ADDRESS}/app/${followed.organization.name}/net/runs/${run}`);
  });

  test('a pull request that concerns no workspace passes, so that a required check does not wait', async () => {
    const followed = await reporting.follow();
    const commit = newCommit();
    const { events, event } = await pullOf(followed, commit);
    await events.verdict(event, await events.workspace('net'), { code: 'other-files' });
    await events.end(event);
    await send();
    expect(statusesOf(commit)).toEqual([
      `lockkeeper/${followed.organization.name}: success, No workspace is concerned`,
    ]);
  });

  test('nothing is reported for a target branch or a push that no workspace follows', async () => {
    const followed = await reporting.follow();
    const [pull, push, other] = [newCommit(), newCommit(), newCommit()];
    const { events, event } = await pullOf(followed, pull, { baseRef: 'develop' });
    await events.verdict(event, await events.workspace('net'), { code: 'other-target' });
    const pushed = await events.add({ kind: 'push', afterId: push });
    const failed = await events.add({ kind: 'push', afterId: other, ref: 'elsewhere' });
    await send();
    for (const id of [event, pushed]) await events.end(id);
    await events.end(failed, 'failed');
    later(15);
    await send();
    for (const commit of [pull, push, other]) expect(statusesOf(commit)).toEqual([]);
  });

  test.each([
    [
      'fork-never',
      'failure, Not planned: a fork. Push the branch to this repository, or let an owner set fork-plans to approved',
    ],
    ['fork-waits', 'pending, The change is from a fork. A user who may queue runs must approve this commit'],
    ['refused', 'failure, The run could not start'],
  ])('the verdict %s is reported as %s', async (code, expected) => {
    const followed = await reporting.follow();
    const commit = newCommit();
    const { events, event } = await pullOf(followed, commit, { isFork: true });
    await events.verdict(event, await events.workspace('net'), { code });
    await events.end(event);
    await send();
    expect(statusesOf(commit)).toEqual([`lockkeeper/${followed.organization.name}: ${expected}`]);
  });

  test('an event that the server could not process is an error', async () => {
    const followed = await reporting.follow();
    const commit = newCommit();
    const { events, event } = await pullOf(followed, commit);
    await events.workspace('net');
    await events.end(event, 'failed');
    await send();
    expect(statusesOf(commit)).toEqual([
      `lockkeeper/${followed.organization.name}: error, The server could not read this commit. Open the details`,
    ]);
  });

  test('failed, canceled and discarded runs end a status at once', async () => {
    const followed = await reporting.follow();
    const commit = newCommit();
    const { events, event } = await pullOf(followed, commit);
    const workspaces = [await events.workspace('a'), await events.workspace('b'), await events.workspace('c')];
    const [failed = '', canceled = '', planned = ''] = await events.start(event, workspaces);
    await events.end(event);
    await send();
    await events.plan(planned, [1, 0, 0]);
    await followed.runs.through(failed, 'planning', 'errored');
    expect((await followed.runs.act(canceled, 'cancel')).status).toBe(202);
    await send();
    const context = `lockkeeper/${followed.organization.name}`;
    expect(statusesOf(commit).at(-1)).toBe(`${context}: failure, 1 of 3 failed, 1 canceled`);
  });

  test('applies of a merged commit have a context of their own', async () => {
    const followed = await reporting.follow();
    const commit = newCommit();
    const events = eventsOf(reporting, followed);
    const workspaces = [await events.workspace('a'), await events.workspace('b'), await events.workspace('c')];
    const event = await events.add({ kind: 'push', afterId: commit });
    const [one = '', two = '', three = ''] = await events.start(event, workspaces);
    await events.end(event);
    await events.plan(one, [1, 0, 0]);
    await events.plan(two, [0, 1, 0]);
    await events.plan(three);
    await send();
    const context = `lockkeeper/${followed.organization.name}`;
    expect(statusesOf(commit)).toEqual([
      `${context}: success, 3 plans: 2 with changes, 1 without changes`,
      `${context}/apply: pending, 2 of 2 wait for confirmation`,
    ]);
    expect((await followed.runs.act(one, 'apply')).status).toBe(202);
    later(15);
    await send();
    expect(statusesOf(commit).at(-1)).toBe(`${context}/apply: pending, 0 of 2 applied`);
    await followed.runs.through(one, 'applying', 'applied');
    expect((await followed.runs.act(two, 'discard')).status).toBe(202);
    await send();
    expect(statusesOf(commit).at(-1)).toBe(`${context}/apply: error, 1 of 2 discarded`);
    expect(lastUrl(commit)).toBe(`${ADDRESS}/app/${followed.organization.name}/vcs-events/${event}`);
  });

  test('an apply that waits for approvals says how many, and what a user gives or takes back is reported', async () => {
    const followed = await reporting.follow();
    const commit = newCommit();
    const events = eventsOf(reporting, followed);
    const event = await events.add({ kind: 'push', afterId: commit });
    const workspace = await events.workspace('a');
    const on = approvalsIn(reporting.api, followed.organization);
    const { team, people } = await on.approvers(2);
    const [first, second] = people as [UserCaller, UserCaller];
    await on.rule(`/workspaces/${workspace}`, [team], { 'required-approvals': 2 });
    const [run = ''] = await events.start(event, [workspace], { 'auto-apply': true });
    await events.end(event);
    await events.plan(run, [1, 0, 0]);
    await send();
    const context = `lockkeeper/${followed.organization.name}/apply`;
    const last = async () => {
      later(60);
      await send();
      return statusesOf(commit).at(-1);
    };
    expect(await last()).toBe(`${context}: pending, The plan waits for 2 approvals`);
    expect((await on.approve(run, first)).status).toBe(202);
    expect(await last()).toBe(`${context}: pending, The plan waits for 1 approval`);
    expect((await on.revoke(run, first)).status).toBe(202);
    expect(await last()).toBe(`${context}: pending, The plan waits for 2 approvals`);
    await on.approve(run, first);
    expect((await on.approve(run, second)).status).toBe(202);
    expect(await last()).toBe(`${context}: pending, The apply is running`);
  });

  test('an apply that fails ends its context, and leaves that of the plan', async () => {
    const followed = await reporting.follow();
    const commit = newCommit();
    const events = eventsOf(reporting, followed);
    const event = await events.add({ kind: 'push', afterId: commit });
    const [run = ''] = await events.start(event, [await events.workspace('a')], { 'auto-apply': true });
    await events.end(event);
    await events.plan(run, [1, 0, 0]);
    await followed.runs.through(run, 'applying', 'errored');
    await send();
    const context = `lockkeeper/${followed.organization.name}`;
    expect(statusesOf(commit)).toEqual([
      `${context}: success, Plan: 1 to add, 0 to change, 0 to destroy`,
      `${context}/apply: failure, The apply failed`,
    ]);
  });

  test('two connections of an organization to one repository have a status each', async () => {
    const followed = await reporting.follow();
    const again = await reporting.followAgain(followed);
    const commit = newCommit();
    for (const [name, one] of Object.entries({ a: followed, b: again })) {
      const { events, event } = await pullOf(one, commit);
      await events.verdict(event, await events.workspace(name), { code: 'other-files' });
      await events.end(event);
      await send();
    }
    const context = `lockkeeper/${followed.organization.name}`;
    expect(statusesOf(commit)).toEqual([
      `${context}: success, No workspace is concerned`,
      `${context}:${again.connectionId}: success, No workspace is concerned`,
    ]);
  });

  const OWN = { 'aggregated-commit-status-enabled': false };
  const PASSING = 'send-passing-statuses-for-untriggered-speculative-plans';

  test.each([
    [false, ['a: success, No changes']],
    [true, ['a: success, No changes', 'b: success, Not concerned by the change']],
  ])('each workspace has a status if the organization wants it; untouched ones: %s', async (passing, expected) => {
    const followed = await reporting.follow({ ...OWN, [PASSING]: passing });
    const commit = newCommit();
    const { events, event } = await pullOf(followed, commit);
    const [a, b, other] = [await events.workspace('a'), await events.workspace('b'), await events.workspace('c', 'x')];
    const [run = ''] = await events.start(event, [a]);
    await events.verdict(event, b, { code: 'other-files' });
    await events.verdict(event, other, { code: 'other-target' });
    await events.end(event);
    await events.plan(run);
    await send();
    const context = `lockkeeper/${followed.organization.name}`;
    expect(statusesOf(commit).toSorted()).toEqual(expected.map((line) => `${context}/${line}`));
  });

  test('a status that is no longer wanted is finished, so that nothing waits for it', async () => {
    const followed = await reporting.follow();
    const commit = newCommit();
    const { events, event } = await pullOf(followed, commit);
    const [run = ''] = await events.start(event, [await events.workspace('a')]);
    await send();
    const { owner, name } = followed.organization;
    const changed = await owner.call('PATCH', `/organizations/${name}`, {
      data: { type: 'organizations', attributes: OWN },
    });
    expect(changed.status).toBe(200);
    await events.end(event);
    await events.plan(run);
    await send();
    expect(statusesOf(commit).slice(1).toSorted()).toEqual([
      `lockkeeper/${name}/a: success, No changes`,
      `lockkeeper/${name}: success, Nothing more to report here`,
    ]);
  });
});
