import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approvalStates } from '../../../../../src/workspaces/execution/approval/approvals.ts';
import { approvalsOf } from '../../../../../src/workspaces/execution/run/approval/run-approvals.ts';
import { findRun } from '../../../../../src/workspaces/execution/run/store.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { startApi, type TestApi, type UserCaller } from '../../support/api.ts';
import { approvalsIn } from '../../support/approvals.ts';
import { newOrganization, newTeamMember, type TestOrganization } from '../../support/organization.ts';

describe.each(databaseKinds)('approvals on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let on: ReturnType<typeof approvalsIn>;
  let team: string;
  let people: UserCaller[];
  const person = (at: number): UserCaller => people[at] as UserCaller;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    on = approvalsIn(api, acme);
    ({ team, people } = await on.approvers(4));
  });
  afterAll(() => api.close());

  const guarded = (required: number, attributes: object = {}, run: object = {}) =>
    on.planned(run, (workspace) =>
      on.rule(`/workspaces/${workspace}`, [team], { 'required-approvals': required, ...attributes }),
    );

  test('a run without rules is confirmed as before', async () => {
    const { run } = await on.planned();
    expect((await on.seenBy(run, acme.owner)).approvals).toBeNull();
    const refused = await on.approve(run, person(0));
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Confirm it instead')]);
    expect((await on.confirm(run, acme.owner)).status).toBe(202);
    expect(await on.runs.statusOf(run)).toBe('apply_queued');
    expect(await on.events(run)).not.toContain('approvals_awaited');
  });

  test('runs without rules cost one query, however many there are', async () => {
    const { database } = api.workspaces;
    const { run } = await on.planned();
    const one = await findRun(database, run);
    if (one === undefined) throw new Error('the run is gone');
    let queries = 0;
    const counting = new Proxy(database, {
      get(target, name) {
        if (['one', 'all', 'run', 'dynamic'].includes(String(name))) queries++;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    expect((await approvalStates(counting, Array(50).fill(one))).size).toBe(0);
    expect(queries).toBe(1);
    expect((await approvalStates(counting, [{ ...one, status: 'applied' }])).size).toBe(0);
    expect(queries).toBe(1);
  });

  test('numbers of approvals are read for many runs', async () => {
    const [first, second] = [await guarded(2), await on.planned()];
    await on.approve(first.run, person(0));
    const counts = await approvalsOf(api.workspaces.database, [first.run, second.run, 'run-none']);
    expect([...counts]).toEqual([[first.run, { required: 2, given: 1 }]]);
  });

  test('a confirmation of the requester waits for approvals, and the last approval starts the apply', async () => {
    const { run } = await guarded(2);
    const before = await on.seenBy(run, acme.owner);
    expect(before.actions['is-confirmable']).toBe(true);
    expect(before.permissions['can-approve']).toBe(false);
    expect(before.approvals).toMatchObject({ required: 2, given: 0, confirmed: false });

    expect((await on.confirm(run, acme.owner)).status).toBe(202);
    expect(await on.runs.statusOf(run)).toBe('planned');
    const waiting = await on.seenBy(run, acme.owner);
    expect(waiting.actions['is-confirmable']).toBe(false);
    expect(waiting['confirmed-by-name']).toBe(acme.owner.username);
    expect(waiting.approvals.missing).toMatch(
      /has 0 of 2 approvals\. Members of team approvers-\d+ can approve, but not/,
    );
    expect(await on.applyLog(run)).toContain('The run waits for approvals.');
    // The CLI sends the request again after a lost answer.
    expect((await on.confirm(run, acme.owner)).status).toBe(202);

    const offered = await on.seenBy(run, person(0));
    expect([offered.permissions['can-approve'], offered.actions['is-confirmable']]).toEqual([true, true]);
    expect((await on.approve(run, person(0), 'Looks fine')).status).toBe(202);
    expect(await on.runs.statusOf(run)).toBe('planned');
    expect((await on.seenBy(run, person(0))).approvals).toMatchObject({
      given: 1,
      'cannot-approve-because': 'The user has approved the run already',
    });
    expect((await on.approve(run, person(1))).status).toBe(202);
    expect(await on.runs.statusOf(run)).toBe('apply_queued');
    const { data } = await on.list(run);
    expect(data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
      { 'user-name': person(0).username, comment: 'Looks fine', counts: true },
      { 'user-name': person(1).username, comment: null, counts: true },
    ]);
    expect((await on.runs.show(run)).attributes['confirmed-by-name']).toBe(acme.owner.username);
    const events = await on.events(run);
    expect(events.filter((action) => action === 'approved')).toHaveLength(2);
    expect(events.filter((action) => action === 'confirmed')).toHaveLength(1);
    const log = await on.applyLog(run);
    // `tofu` and `terraform` skip three lines.
    expect(log.slice(1)).toMatch(/^\n\n\nThe run waits/);
    expect(log).toContain(`${person(1).username} approved the run: 2 of 2 approvals.`);
    await on.runs.through(run, 'applying', 'applied');
    expect((await on.list(run)).data[0].attributes.counts).toBeNull();
  });

  test('without a confirmation, a run with all approvals waits for one', async () => {
    const { run } = await guarded(1);
    await on.approve(run, person(0));
    expect(await on.runs.statusOf(run)).toBe('planned');
    expect((await on.seenBy(run, acme.owner)).approvals).toMatchObject({ given: 1, missing: null });
    expect((await on.confirm(run, acme.owner)).status).toBe(202);
    expect(await on.runs.statusOf(run)).toBe('apply_queued');
  });

  test('a confirmation of an approver is an approval', async () => {
    const { run } = await guarded(2);
    expect((await on.confirm(run, person(0))).status).toBe(202);
    expect((await on.seenBy(run, acme.owner)).approvals).toMatchObject({ given: 1, confirmed: true });
    expect((await on.confirm(run, person(1))).status).toBe(202);
    expect(await on.runs.statusOf(run)).toBe('apply_queued');
  });

  test('a second confirmation that is no approval is refused with the missing approvals', async () => {
    const { run } = await guarded(1);
    await on.confirm(run, acme.owner);
    const other = await newTeamMember(api, acme.ownersTeamId, `second-owner-${kind}`);
    const refused = await on.confirm(run, other);
    expect(refused.status).toBe(409);
    expect(refused.body.errors[0].detail).toMatch(/confirmed already.*none of the teams.*0 of 1 approvals/);
  });

  test('the requester cannot approve, with any token, unless the rule allows it', async () => {
    const allowed = await guarded(1, { 'requester-may-approve': true });
    const { text } = await api.workspaces.tenancy.tokens.issue(person(0).id, { description: 'other', expiresAt: null });
    const start = async (workspace: string) => {
      const answer = await on.runs.create(workspace, {}, undefined, person(0));
      return answer.body.data.id as string;
    };
    const workspace = await on.runs.workspace(`mine-${kind}`);
    await on.rule(`/workspaces/${workspace}`, [team]);
    const run = await start(workspace);
    await on.runs.through(run, 'planning', 'planned');
    for (const caller of [person(0), api.holder(text)]) {
      const refused = await on.approve(run, caller);
      expect(refused.status).toBe(409);
      expect(refused.body.errors[0].detail).toContain('The user started the run');
    }
    expect((await on.seenBy(run, api.holder(text))).permissions['can-approve']).toBe(false);
    expect((await on.confirm(run, person(0))).status).toBe(202);
    expect(await on.runs.statusOf(run)).toBe('planned');
    expect((await on.approve(run, person(1))).status).toBe(202);
    expect(await on.runs.statusOf(run)).toBe('apply_queued');

    await on.confirm(allowed.run, person(1));
    expect(await on.runs.statusOf(allowed.run)).toBe('apply_queued');
  });

  test('auto-apply waits for approvals and then applies by itself', async () => {
    const { run } = await guarded(1, {}, { 'auto-apply': true });
    const shown = await on.seenBy(run, acme.owner);
    expect([shown.status, shown['auto-apply'], shown.approvals.confirmed]).toEqual(['planned', true, true]);
    expect(shown.actions['is-confirmable']).toBe(false);
    expect(await on.applyLog(run)).toContain('0 of 1 approvals');
    // `tofu apply -auto-approve` of the remote backend confirms such a run too.
    expect((await on.confirm(run, acme.owner)).status).toBe(202);
    expect(await on.runs.statusOf(run)).toBe('planned');
    expect((await on.approve(run, person(2))).status).toBe(202);
    expect(await on.runs.statusOf(run)).toBe('apply_queued');
  });

  test('a saved plan needs approvals too', async () => {
    const { run } = await guarded(1, {}, { 'save-plan': true });
    expect(await on.runs.statusOf(run)).toBe('planned_and_saved');
    expect((await on.confirm(run, acme.owner)).status).toBe(202);
    expect(await on.runs.statusOf(run)).toBe('planned_and_saved');
    expect((await on.approve(run, person(0))).status).toBe(202);
    expect(await on.runs.statusOf(run)).toBe('apply_queued');
  });

  test('a rule for destroy runs leaves other runs alone', async () => {
    const workspace = await on.runs.workspace(`destroyed-${kind}`);
    await on.rule(`/workspaces/${workspace}`, [team], { operations: 'destroy' });
    const plain = await on.runs.run(workspace);
    await on.runs.through(plain, 'planning', 'planned');
    expect((await on.seenBy(plain, acme.owner)).approvals).toBeNull();
    await on.confirm(plain, acme.owner);
    await on.runs.through(plain, 'applying', 'applied');
    const destroying = await on.runs.run(workspace, { 'is-destroy': true });
    await on.runs.through(destroying, 'planning', 'planned');
    await on.confirm(destroying, acme.owner);
    expect(await on.runs.statusOf(destroying)).toBe('planned');
  });

  test('an approval can be revoked until the apply starts', async () => {
    const { run } = await guarded(1);
    await on.approve(run, person(0));
    expect((await on.revoke(run, person(1))).status).toBe(409);
    expect((await on.revoke(run, person(0))).status).toBe(202);
    expect((await on.list(run)).data).toEqual([]);
    await on.confirm(run, acme.owner);
    expect(await on.runs.statusOf(run)).toBe('planned');
    await on.approve(run, person(0));
    expect(await on.runs.statusOf(run)).toBe('apply_queued');
    expect((await on.revoke(run, person(0))).status).toBe(202);
    const refused = await on.runs.report(run, 'applying');
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('0 of 1 approvals')]);
    await on.approve(run, person(1));
    expect(await on.events(run)).toContain('approval_revoked');
  });

  test('an approval that a user revokes again and again ends', async () => {
    const { run } = await guarded(2);
    for (let times = 0; times < 10; times++) {
      expect((await on.approve(run, person(0))).status).toBe(202);
      expect((await on.revoke(run, person(0))).status).toBe(202);
    }
    const refused = await on.approve(run, person(0));
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('10 times')]);
  });

  test('runs that wait for no approval refuse one', async () => {
    const workspace = await on.runs.workspace(`early-${kind}`);
    await on.rule(`/workspaces/${workspace}`, [team]);
    const run = await on.runs.run(workspace);
    expect((await on.approve(run, person(0))).status).toBe(409);
    await on.runs.through(run, 'planning', 'planned');
    await on.runs.act(run, 'discard');
    expect((await on.approve(run, person(0))).status).toBe(409);
    expect((await on.revoke(run, person(0))).status).toBe(409);
    const stranger = await api.user(`stranger-${kind}`);
    expect((await on.approve(run, stranger)).status).toBe(404);
    expect((await on.revoke(run, stranger)).status).toBe(404);
  });

  test('a run that is discarded while a command line waits for its approvals says so in the log', async () => {
    const { run } = await guarded(1);
    await on.confirm(run, acme.owner);
    expect((await on.runs.act(run, 'discard', undefined, person(0))).status).toBe(202);
    expect(await on.applyLog(run)).toContain('The run was discarded. Nothing was applied.');
  });

  test('two approvals at the same time on two nodes both count, and confirm once', async () => {
    const node = await api.forgetful();
    try {
      for (let round = 0; round < 5; round++) {
        const { run } = await guarded(2);
        await on.confirm(run, acme.owner);
        const [here, there] = await Promise.all([
          person(0).call('POST', `/runs/${run}/actions/approve`),
          node.holder(person(1).token).call('POST', `/runs/${run}/actions/approve`),
        ]);
        expect([here.status, there.status]).toEqual([202, 202]);
        expect(await on.runs.statusOf(run)).toBe('apply_queued');
        expect((await on.events(run)).filter((action) => action === 'confirmed')).toHaveLength(1);
        expect((await on.list(run)).data).toHaveLength(2);
      }
    } finally {
      await node.close();
    }
  });
});
