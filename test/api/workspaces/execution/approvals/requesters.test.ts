import { beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { NOT_STARTED, withAgentPool } from '../../support/agent-pool.ts';
import type { Answer, Caller, UserCaller } from '../../support/api.ts';
import { approvalsIn } from '../../support/approvals.ts';
import { autoDestroyOf, HOUR } from '../../support/auto-destroy.ts';
import { commitsOf, INGRESS } from '../../support/commits.ts';
import { created, identify, joinTeam, workspaceBody } from '../../support/organization.ts';
import { schedulesOf } from '../../support/schedules.ts';
import { change } from '../../support/team-access.ts';

describe.each(databaseKinds)('requesters of runs, whose approval does not count, on %s', (kind) => {
  let { api, acme, runs } = NOT_STARTED;
  let on: ReturnType<typeof approvalsIn>;
  let schedules: ReturnType<typeof schedulesOf>;
  let destroying: ReturnType<typeof autoDestroyOf>;
  let team: string;
  let people: UserCaller[];
  let workspace: string;
  const person = (at: number): UserCaller => people[at] as UserCaller;
  withAgentPool(kind, async (made) => {
    ({ api, acme, runs } = made);
    on = approvalsIn(api, acme);
    schedules = schedulesOf(api, acme);
    destroying = autoDestroyOf(api, acme);
    schedules.until('12:00');
    ({ team, people } = await on.approvers(3));
  });
  beforeEach(async () => {
    workspace = await runs.workspace('guarded');
    await on.rule(`/workspaces/${workspace}`, [team]);
  });

  /** Plans the newest run of a workspace, and returns its ID. */
  async function planned(of = workspace): Promise<string> {
    const [run] = await schedules.runsIn(of);
    if (run === undefined) throw new Error('no run started');
    await runs.through(run.id, 'planning', 'planned');
    expect(await runs.statusOf(run.id)).toBe('planned');
    return run.id;
  }
  const because = (act: string) =>
    expect.stringMatching(`^The user ${act}, and the rule does not count the approval of that user`);
  const detailOf = ({ status, body }: Answer) => [status, body?.errors?.[0]?.detail ?? ''];

  async function expectRefused(run: string, user: UserCaller, reason: unknown): Promise<void> {
    expect(detailOf(await on.approve(run, user))).toEqual([409, reason]);
    const seen = await on.seenBy(run, user);
    expect(seen.permissions['can-approve']).toBe(false);
    expect(seen.approvals['cannot-approve-because']).toEqual(reason);
    // A confirmation is no approval either.
    await on.confirm(run, user);
    expect(await runs.statusOf(run)).toBe('planned');
  }
  async function expectApproved(run: string, user: UserCaller): Promise<void> {
    expect((await on.approve(run, user)).status).toBe(202);
    expect((await on.list(run)).meta.approvals).toMatchObject({ given: 1, missing: null });
  }

  /** Uploads a configuration version. */
  async function upload(caller: Caller, to = workspace): Promise<string> {
    const data = { type: 'configuration-versions', attributes: { 'auto-queue-runs': false } };
    const made = await caller.call('POST', `/workspaces/${to}/configuration-versions`, { data });
    const id = created(made);
    expect((await runs.put(made.body.data.attributes['upload-url'], id)).statusCode).toBe(200);
    api.advance(1);
    return id;
  }

  async function trigger(from: string, to = workspace): Promise<void> {
    const relationships = { sourceable: { data: { type: 'workspaces', id: from } } };
    created(
      await acme.owner.call('POST', `/workspaces/${to}/run-triggers`, {
        data: { type: 'run-triggers', relationships },
      }),
    );
  }

  test('the creator of the configuration version, although another user starts the run', async () => {
    await upload(person(0));
    const run = await runs.run(workspace);
    await planned();
    await expectRefused(run, person(0), because('created the configuration version of the run'));
    await expectApproved(run, person(1));
  });

  test('the users who report the plan and its log, because no agent makes them', async () => {
    await upload(acme.owner);
    const run = await runs.run(workspace);
    expect((await runs.report(run, 'planning', {}, person(2))).status).toBe(200);
    const { plan } = (await runs.show(run)).relationships;
    const log = { type: 'plans', attributes: { offset: 0, content: Buffer.from('No changes.').toString('base64') } };
    expect((await person(0).call('POST', `/plans/${plan.data.id}/actions/append-log`, { data: log })).status).toBe(200);
    expect((await runs.report(run, 'planned', { 'has-changes': true }, person(1))).status).toBe(200);
    for (const at of [0, 1]) await expectRefused(run, person(at), because('reported the plan of the run'));
    await expectApproved(run, person(2));
  });

  test('the user who uploads the plan as JSON, which approvers read, but not who was refused', async () => {
    await upload(acme.owner);
    const run = await runs.run(workspace);
    const { plan } = (await runs.show(run)).relationships;
    const output = async (kind: string, user: UserCaller) =>
      (await user.call('PUT', `/plans/${plan.data.id}/${kind}`, {}, { 'content-type': 'application/json' })).status;
    expect((await runs.report(run, 'planning', {}, acme.owner)).status).toBe(200);
    expect(await output('json-output-redacted', person(0))).toBe(204);
    const log = { type: 'plans', attributes: { offset: 9, content: Buffer.from('No changes.').toString('base64') } };
    expect((await person(1).call('POST', `/plans/${plan.data.id}/actions/append-log`, { data: log })).status).toBe(409);
    expect((await runs.report(run, 'planned', { 'has-changes': true }, acme.owner)).status).toBe(200);
    expect(await output('json-output', person(2))).toBe(409);
    await expectRefused(run, person(0), because('reported the plan of the run'));
    await expectApproved(run, person(1));
  });

  test('the creator of the configuration version counts if the rule allows it', async () => {
    const other = await runs.workspace('allowing');
    await on.rule(`/workspaces/${other}`, [team], { 'requester-may-approve': true });
    await upload(person(0), other);
    await runs.run(other);
    await expectApproved(await planned(other), person(0));
  });

  test('the last user who changed what a schedule does, as it was when the run started', async () => {
    const path = `/workspaces/${workspace}`;
    const schedule = created(await schedules.create(path, { operation: 'apply' }, person(0)));
    // A name and a pause decide about no run.
    expect((await schedules.change(schedule, { name: 'each night' }, person(1))).status).toBe(200);
    expect((await schedules.change(schedule, { paused: true }, person(1))).status).toBe(200);
    expect((await schedules.change(schedule, { paused: false }, person(0))).status).toBe(200);
    await schedules.at('02:00');
    const run = await planned();
    expect((await schedules.change(schedule, { cron: '0 3 * * *' }, person(1))).status).toBe(200);
    await expectRefused(run, person(0), because('last changed the schedule that started the run'));
    expect((await schedules.change(schedule, { paused: true }, acme.owner)).status).toBe(200);
    await expectApproved(run, person(1));

    const second = await runs.workspace('second');
    await on.rule(`/workspaces/${second}`, [team]);
    const other = created(await schedules.create(`/workspaces/${second}`, { operation: 'apply' }, person(0)));
    expect((await schedules.change(other, { cron: '0 4 * * *' }, person(1))).status).toBe(200);
    await schedules.at('04:00');
    const later = await planned(second);
    await expectRefused(later, person(1), because('last changed the schedule that started the run'));
    await expectApproved(later, person(0));
    await acme.owner.call('DELETE', `/schedules/${other}`);
  });

  test('the user who uploaded the configuration that a schedule applies', async () => {
    await upload(person(0));
    const schedule = await schedules.made(`/workspaces/${workspace}`, { operation: 'apply' });
    await schedules.at('02:00');
    const run = await planned();
    await expectRefused(run, person(0), because('created the configuration version of the run'));
    await expectApproved(run, person(1));
    await acme.owner.call('DELETE', `/schedules/${schedule}`);
  });

  test('the last user who changed the auto-destroy setting of the workspace, and who retried its run', async () => {
    const id = await destroying.workspace();
    await on.rule(`/workspaces/${id}`, [team]);
    const body = workspaceBody({ 'auto-destroy-at': destroying.inTime(HOUR) });
    expect((await person(0).call('PATCH', `/workspaces/${id}`, body)).status).toBe(200);
    expect((await person(1).call('PATCH', `/workspaces/${id}`, workspaceBody({ description: 'x' }))).status).toBe(200);
    await destroying.later(HOUR);
    const run = await destroying.begun(id);
    await runs.through(run, 'planning', 'planned');
    await expectRefused(run, person(0), because('last changed the auto-destroy setting that started the run'));
    expect((await runs.act(run, 'discard')).status).toBe(202);

    expect((await person(1).call('POST', `/workspaces/${id}/actions/retry-auto-destroy`)).status).toBe(200);
    const again = await destroying.begun(id);
    await runs.through(again, 'planning', 'planned');
    await expectRefused(again, person(0), because('last changed the auto-destroy setting that started the run'));
    await expectRefused(again, person(1), because('retried the automatic destroy run'));
    await expectApproved(again, person(2));
  });

  test('the last user who changed the auto-destroy setting of the project, or moved the workspace there', async () => {
    const attributes = { name: `Ephemeral ${kind}`, 'auto-destroy-activity-duration': null };
    const project = created(
      await acme.owner.call('POST', `/organizations/${acme.name}/projects`, { data: { type: 'projects', attributes } }),
    );
    await acme.owner.call('PATCH', `/teams/${team}`, change('teams', { 'organization-access': MANAGES }));
    const set = { data: { type: 'projects', attributes: { 'auto-destroy-activity-duration': '2h' } } };
    expect((await person(0).call('PATCH', `/projects/${project}`, set)).status).toBe(200);
    const id = await destroying.workspace();
    await on.rule(`/workspaces/${id}`, [team]);
    const moved = workspaceBody({}, { project: { data: { type: 'projects', id: project } } });
    expect((await person(1).call('PATCH', `/workspaces/${id}`, moved)).status).toBe(200);
    await destroying.later(3 * HOUR);
    const run = await destroying.begun(id);
    await runs.through(run, 'planning', 'planned');
    const reason = because('last changed the auto-destroy setting that started the run');
    await expectRefused(run, person(0), reason);
    await expectRefused(run, person(1), reason);
    await expectApproved(run, person(2));
  });

  test('who retried a destroy run is no requester of the runs after it', async () => {
    const id = await destroying.workspace();
    await on.rule(`/workspaces/${id}`, [team]);
    const body = workspaceBody({ 'auto-destroy-activity-duration': '1h' });
    expect((await person(0).call('PATCH', `/workspaces/${id}`, body)).status).toBe(200);
    await destroying.later(HOUR);
    await runs.through(await destroying.begun(id), 'planning', 'errored');
    expect((await person(1).call('POST', `/workspaces/${id}/actions/retry-auto-destroy`)).status).toBe(200);
    const retried = await destroying.begun(id);
    await runs.through(retried, 'planning', 'planned');
    await expectRefused(retried, person(1), because('retried the automatic destroy run'));
    await expectApproved(retried, person(2));
    await runs.through(retried, 'applying', 'applied');

    // A new state makes the destruction due again.
    api.advance(1);
    await destroying.write(id, 2);
    await destroying.later(HOUR);
    const next = await destroying.begun(id);
    await runs.through(next, 'planning', 'planned');
    await expectRefused(next, person(0), because('last changed the auto-destroy setting that started the run'));
    await expectApproved(next, person(1));
  });

  test('the organization token, so that no approval counts', async () => {
    const made = await acme.owner.call('POST', `/organizations/${acme.name}/authentication-token`);
    const token = api.holder(made.body.data.attributes.token);
    const id = await destroying.workspace();
    await on.rule(`/workspaces/${id}`, [team]);
    const body = workspaceBody({ 'auto-destroy-at': destroying.inTime(HOUR) });
    expect((await token.call('PATCH', `/workspaces/${id}`, body)).status).toBe(200);
    await destroying.later(HOUR);
    const run = await destroying.begun(id);
    await runs.through(run, 'planning', 'planned');
    const reason = (act: string) => expect.stringMatching(`^The organization token ${act}, so that no person is known`);
    await expectRefused(run, person(0), reason('last changed the auto-destroy setting that started the run'));
    await expectRefused(run, acme.owner, expect.stringContaining('in none of the teams'));

    // A user takes over the setting, and the token retries the run.
    expect((await runs.act(run, 'discard')).status).toBe(202);
    const set = workspaceBody({ 'auto-destroy-at': destroying.inTime(HOUR) });
    expect((await person(0).call('PATCH', `/workspaces/${id}`, set)).status).toBe(200);
    await destroying.later(HOUR);
    const second = await destroying.begun(id);
    await runs.through(second, 'planning', 'planned');
    expect((await runs.act(second, 'discard')).status).toBe(202);
    expect((await token.call('POST', `/workspaces/${id}/actions/retry-auto-destroy`)).status).toBe(200);
    const third = await destroying.begun(id);
    await runs.through(third, 'planning', 'planned');
    await expectRefused(third, person(1), reason('retried the automatic destroy run'));
  });

  test('the requester of the run that triggered the run', async () => {
    const source = await runs.workspace('source');
    await trigger(source);
    const first = created(await runs.create(source, { 'auto-apply': true }, undefined, person(0)));
    await runs.through(first, 'planning', 'planned', 'applying', 'applied');
    const run = await planned();
    await expectRefused(run, person(0), because('started a run that triggered this run'));
    await expectApproved(run, person(1));
  });

  test('who changed the schedule of the first run in a chain of triggers, but not the author of its configuration', async () => {
    const [source, between] = [await runs.workspace('source'), await runs.workspace('between')];
    await trigger(source, between);
    await trigger(between);
    await upload(person(1), source);
    const body = workspaceBody({ 'auto-apply-run-trigger': true });
    expect((await acme.owner.call('PATCH', `/workspaces/${between}`, body)).status).toBe(200);
    const schedule = created(await schedules.create(`/workspaces/${source}`, { operation: 'apply' }, person(0)));
    await schedules.at('02:00');
    for (const each of [source, between]) {
      const [one] = await schedules.runsIn(each);
      await runs.through(one?.id ?? '', 'planning', 'planned', 'applying', 'applied');
    }
    const run = await planned();
    await expectRefused(run, person(0), because('started a run that triggered this run'));
    await expectApproved(run, person(1));
    await acme.owner.call('DELETE', `/schedules/${schedule}`);
  });

  test('a user who was in the team at the start of its run, or joins it later', async () => {
    const pipeline = await acme.team('pipeline', { 'manage-workspaces': true });
    await joinTeam(api, pipeline, person(0).id);
    await identify(acme.owner, pipeline, { mount: 'cert', role: `${acme.name}/pipeline` });
    const machine = api.machine({ role: `${acme.name}/pipeline` });
    const run = created(await runs.create(workspace, {}, undefined, machine));
    await planned();
    const leaves = { data: [{ type: 'users', id: person(0).username }] };
    expect((await acme.owner.call('DELETE', `/teams/${pipeline}/relationships/users`, leaves)).status).toBe(204);
    await joinTeam(api, pipeline, person(1).id);
    const reason = expect.stringContaining('A token of a team started the run, and the user is or was a member');
    await expectRefused(run, person(0), reason);
    await expectRefused(run, person(1), reason);
    expect((await acme.owner.call('DELETE', `/teams/${pipeline}`)).status).toBe(204);
    await expectRefused(run, person(0), reason);
    await expectApproved(run, person(2));
  });

  test('the user with the name of the pusher, who may be renamed later, of a commit and of later runs of it', async () => {
    const [ada, bo] = [person(0), person(1)];
    const commits = commitsOf(api, acme);
    await commits.run(workspace, { ingress: { ...INGRESS, senderUsername: ada.username } });
    const run = await planned();
    await expectRefused(run, ada, because('pushed the commit of the run'));
    const renamed = { data: { type: 'users', attributes: { username: `${ada.username}-renamed` } } };
    expect((await ada.call('PATCH', '/account/update', renamed)).status).toBe(200);
    await expectRefused(run, ada, because('pushed the commit of the run'));
    await expectApproved(run, bo);

    const other = await runs.workspace('other');
    await on.rule(`/workspaces/${other}`, [team]);
    await commits.run(other, { ingress: { ...INGRESS, senderUsername: bo.username.toUpperCase() } });
    const first = await planned(other);
    expect((await runs.act(first, 'discard')).status).toBe(202);
    const schedule = await schedules.made(`/workspaces/${other}`, { operation: 'apply' });
    await schedules.at('02:00');
    const second = await planned(other);
    await expectRefused(second, bo, because('pushed the commit of the run'));
    await expectApproved(second, person(2));
    await acme.owner.call('DELETE', `/schedules/${schedule}`);
  });

  test('a member of the team whose token created the configuration version', async () => {
    const pipeline = await acme.team('uploads', { 'manage-workspaces': true });
    await joinTeam(api, pipeline, person(0).id);
    const token = await acme.owner.call('POST', `/teams/${pipeline}/authentication-token`);
    await upload(api.holder(token.body.data.attributes.token));
    const run = await runs.run(workspace);
    await planned();
    const reason = 'A token of a team created the configuration version of the run, and the user is or was a member';
    await expectRefused(run, person(0), expect.stringContaining(reason));
    await expectApproved(run, person(1));
  });
});

const MANAGES = { 'manage-workspaces': true, 'manage-projects': true };
