import { describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { NOT_STARTED, withAgentPool } from '../../support/agent-pool.ts';
import { byAgents, type TestAgent } from '../../support/agents.ts';
import type { Answer, Caller, UserCaller } from '../../support/api.ts';
import { approvalsIn, ruleBody } from '../../support/approvals.ts';
import { created, identify, newTeamMember, workspaceBody } from '../../support/organization.ts';
import { plannedRun } from '../../support/planned-runs.ts';
import { change, onProject, onWorkspace } from '../../support/team-access.ts';

describe.each(databaseKinds)('attempts to apply without approvals, on %s', (kind) => {
  let { api, acme, runs, agents, pool } = NOT_STARTED;
  let on: ReturnType<typeof approvalsIn>;
  let agent: TestAgent;
  let workspace: string;
  let team: string;
  let people: UserCaller[];
  let rule: string;
  let suites = 0;
  const person = (at: number): UserCaller => people[at] as UserCaller;
  withAgentPool(kind, async (made) => {
    ({ api, acme, runs, agents, pool } = made);
    on = approvalsIn(api, acme);
    agent = await agents.agent(pool);
    workspace = await runs.workspace('one', byAgents(pool));
    ({ team, people } = await on.approvers(3));
    rule = await on.rule(`/workspaces/${workspace}`, [team]);
    suites++;
  });

  const planned = (attributes: object = {}) => plannedRun(runs, agent, workspace, attributes);
  const detailOf = ({ status, body }: Answer) => [status, body?.errors?.[0]?.detail ?? ''];
  const leave = (user: UserCaller) =>
    acme.owner.call('DELETE', `/teams/${team}/relationships/users`, { data: [{ type: 'users', id: user.username }] });
  async function setRule(attributes: object, teams?: readonly string[]): Promise<void> {
    const data = teams?.map((id) => ({ type: 'teams', id }));
    const relationships = data === undefined ? {} : { teams: { data } };
    const answer = await acme.owner.call('PATCH', `/approval-rules/${rule}`, {
      data: { type: 'approval-rules', attributes, relationships },
    });
    expect(answer.status, answer.text).toBe(200);
  }
  /** A run that was confirmed with its approval, and waits for its agent. */
  async function approved(): Promise<string> {
    const run = await planned();
    await on.approve(run, person(0));
    expect((await on.confirm(run, acme.owner)).status).toBe(202);
    expect(await runs.statusOf(run)).toBe('apply_queued');
    return run;
  }
  async function expectEnded(run: string, reason: string): Promise<void> {
    expect(await runs.statusOf(run)).toBe('errored');
    const { data } = (await acme.owner.call('GET', `/runs/${run}/run-events`)).body;
    expect(data.at(-1).attributes.description).toContain(reason);
    expect(await on.applyLog(run)).toContain(reason);
  }

  test('an approver who leaves the team before the confirmation', async () => {
    const run = await planned();
    await on.approve(run, person(0));
    expect((await leave(person(0))).status).toBe(204);
    expect((await on.list(run)).data[0].attributes).toMatchObject({
      counts: false,
      'counts-not-because': expect.stringContaining('in no team'),
    });
    expect((await on.confirm(run, acme.owner)).status).toBe(202);
    expect(await runs.statusOf(run)).toBe('planned');
  });

  test('an approver who leaves the team between the confirmation and the claim, or the start, of the apply', async () => {
    const run = await approved();
    await leave(person(0));
    expect((await agent.claim()).status).toBe(204);
    await expectEnded(run, '0 of 1 approvals');

    const second = await planned();
    await on.approve(second, person(1));
    await on.confirm(second, acme.owner);
    const job = await agent.take();
    await leave(person(1));
    expect(detailOf(await job.start())).toEqual([409, expect.stringContaining('0 of 1 approvals')]);
    await expectEnded(second, '0 of 1 approvals');
  });

  test('an approver who loses the permission to apply', async () => {
    const run = await planned();
    await on.approve(run, person(0));
    await acme.owner.call(
      'PATCH',
      `/teams/${team}`,
      change('teams', { 'organization-access': { 'manage-workspaces': false, 'read-workspaces': true } }),
    );
    await on.confirm(run, acme.owner);
    expect(await runs.statusOf(run)).toBe('planned');
    expect((await on.list(run)).data[0].attributes['counts-not-because']).toContain('may not apply');
    // A member of the team who may not apply cannot approve either.
    expect((await on.approve(run, person(1))).status).toBe(404);
  });

  test('credentials that belong to no person', async () => {
    const run = await planned();
    const tokenOfTeam = await acme.owner.call('POST', `/teams/${team}/authentication-token`);
    await identify(acme.owner, team, { mount: 'cert', role: `${acme.name}/runner` });
    const callers: Caller[] = [
      api.holder(tokenOfTeam.body.data.attributes.token),
      api.machine({ role: `${acme.name}/runner` }),
    ];
    for (const caller of callers) {
      expect((await on.seenBy(run, caller)).permissions).toMatchObject({ 'can-apply': true, 'can-approve': false });
      expect(detailOf(await on.approve(run, caller))).toEqual([
        409,
        expect.stringContaining('Only a user can approve'),
      ]);
      expect((await on.revoke(run, caller)).status).toBe(409);
    }
    // The confirmation of a pipeline is stored, and counts as no approval.
    for (const caller of callers) await on.confirm(run, caller);
    expect(await runs.statusOf(run)).toBe('planned');
    expect((await on.seenBy(run, acme.owner)).approvals).toMatchObject({ given: 0, confirmed: true });
    const ofOrganization = await acme.owner.call('POST', `/organizations/${acme.name}/authentication-token`);
    expect((await on.approve(run, api.holder(ofOrganization.body.data.attributes.token))).status).toBe(404);
    const other = await runs.workspace('two', byAgents(pool));
    await runs.run(other);
    const job = await agent.take();
    for (const action of ['approve', 'revoke-approval', 'apply']) {
      expect((await job.call('POST', `/runs/${run}/actions/${action}`)).status).toBe(404);
      expect((await job.call('POST', `/runs/${job.runId}/actions/${action}`)).status).toBe(404);
    }
  });

  test('a member of the team whose token started the run', async () => {
    const tokenOfTeam = await acme.owner.call('POST', `/teams/${team}/authentication-token`);
    const made = await runs.create(workspace, {}, undefined, api.holder(tokenOfTeam.body.data.attributes.token));
    const run = created(made);
    const job = await agent.take();
    await job.start();
    await job.finish('finished', { 'has-changes': true, engine: { kind: 'opentofu', version: '1.10.7' } });
    const refused = detailOf(await on.approve(run, person(0)));
    expect(refused).toEqual([409, expect.stringContaining('A token of a team started the run')]);
    await setRule({ 'requester-may-approve': true });
    expect((await on.approve(run, person(0))).status).toBe(202);
  });

  test('a rule that becomes stricter between the approval and the apply', async () => {
    const run = await planned();
    await on.approve(run, person(0));
    await setRule({ 'required-approvals': 2 });
    await on.confirm(run, acme.owner);
    expect(await runs.statusOf(run)).toBe('planned');
    await on.approve(run, person(1));
    expect(await runs.statusOf(run)).toBe('apply_queued');
    await setRule({ 'required-approvals': 3 });
    expect((await agent.claim()).status).toBe(204);
    await expectEnded(run, '2 of 3 approvals');
  });

  test('a rule that is created after the confirmation', async () => {
    const run = await approved();
    await on.rule(`/projects/${acme.defaultProjectId}`, [team], { 'required-approvals': 2 });
    expect((await agent.claim()).status).toBe(204);
    await expectEnded(run, '1 of 2 approvals');
  });

  test('a rule that is weaker or gone starts nothing by itself: the run is confirmed again', async () => {
    const run = await planned({ 'auto-apply': true });
    expect((await on.seenBy(run, acme.owner)).actions['is-confirmable']).toBe(false);
    expect((await acme.owner.call('DELETE', `/approval-rules/${rule}`)).status).toBe(204);
    expect(await runs.statusOf(run)).toBe('planned');
    expect((await on.seenBy(run, acme.owner)).actions['is-confirmable']).toBe(true);
    expect((await on.confirm(run, acme.owner)).status).toBe(202);
    expect((await agent.take()).runId).toBe(run);
  });

  test('a rule whose team is deleted refuses every apply, and an administrator repairs it', async () => {
    const run = await planned();
    await on.approve(run, person(0));
    expect((await acme.owner.call('DELETE', `/teams/${team}`)).status).toBe(204);
    await on.confirm(run, acme.owner);
    expect(await runs.statusOf(run)).toBe('planned');
    const { missing } = (await on.seenBy(run, acme.owner)).approvals;
    expect(missing).toMatch(
      /No user can approve, because its team was deleted.*An administrator of the workspace must/,
    );
    const shown = (await acme.owner.call('GET', `/approval-rules/${rule}`)).body.data;
    expect(shown.attributes).toMatchObject({ teams: [{ id: team, exists: false }], warning: expect.any(String) });
    expect(shown.relationships.teams.data).toEqual([]);
    const next = await on.approvers(1);
    await setRule({}, [next.team]);
    expect((await on.approve(run, next.people[0] as UserCaller)).status).toBe(202);
    expect(await runs.statusOf(run)).toBe('apply_queued');
  });

  test('a user who manages only the workspace cannot weaken the rules of its project', async () => {
    const owned = await acme.team(`workspace-admins-${suites}`);
    await acme.owner.call('POST', '/team-workspaces', onWorkspace(owned, workspace, { access: 'admin' }));
    const admin = await newTeamMember(api, owned, `workspace-admin-${kind}-${suites}`);
    const ofProject = await on.rule(`/projects/${acme.defaultProjectId}`, [team]);
    const listed = await admin.call('GET', `/workspaces/${workspace}/approval-rules`);
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([ofProject, rule]);
    const path = `/approval-rules/${ofProject}`;
    expect((await admin.call('PATCH', path, change('approval-rules', { name: 'x' }))).status).toBe(404);
    expect((await admin.call('DELETE', path)).status).toBe(404);
    const project = `/projects/${acme.defaultProjectId}/approval-rules`;
    expect((await admin.call('POST', project, ruleBody([team], { name: 'x' }))).status).toBe(404);
    expect((await admin.call('DELETE', `/approval-rules/${rule}`)).status).toBe(204);
    const run = await planned();
    await on.confirm(run, acme.owner);
    expect(await runs.statusOf(run)).toBe('planned');
  });

  test('a user who moves workspaces cannot take one out of the rules of its project', async () => {
    const other = await acme.project('Elsewhere');
    await on.rule(`/projects/${acme.defaultProjectId}`, [team]);
    const movers = await acme.team(`movers-${suites}`);
    const mover = await newTeamMember(api, movers, `mover-${kind}-${suites}`);
    const mayMove = { access: 'custom', 'workspace-access': { runs: 'apply', move: true } };
    const access: string[] = [];
    for (const project of [acme.defaultProjectId, other]) {
      access.push(created(await acme.owner.call('POST', '/team-projects', onProject(movers, project, mayMove))));
    }
    const run = await planned();
    const to = workspaceBody({}, { project: { data: { type: 'projects', id: other } } });
    const many = { data: [{ type: 'workspaces', id: workspace }] };
    const move = () => mover.call('PATCH', `/workspaces/${workspace}`, to);
    const moveMany = () => mover.call('POST', `/projects/${other}/relationships/workspaces`, many);
    for (const answer of [await move(), await moveMany()]) {
      expect(detailOf(answer)).toEqual([422, expect.stringContaining('The project has approval rules')]);
    }
    await on.confirm(run, mover);
    expect(await runs.statusOf(run)).toBe('planned');
    // A user who manages the rules of the project could delete them too.
    const manages = { 'project-access': { settings: 'update' } };
    const path = `/team-projects/${access[0]}`;
    expect((await acme.owner.call('PATCH', path, change('team-projects', manages))).status).toBe(200);
    expect((await moveMany()).status).toBe(204);
    const answer = await acme.owner.call('GET', `/workspaces/${workspace}/approval-rules`);
    expect(answer.body.data.map(({ id }: { id: string }) => id)).toEqual([rule]);
  });

  test('a run of a run trigger with auto-apply', async () => {
    const source = await runs.workspace('source', byAgents(pool));
    const relationships = { sourceable: { data: { type: 'workspaces', id: source } } };
    await acme.owner.call('POST', `/workspaces/${workspace}/run-triggers`, {
      data: { type: 'run-triggers', relationships },
    });
    await acme.owner.call(
      'PATCH',
      `/workspaces/${workspace}`,
      change('workspaces', { 'auto-apply-run-trigger': true }),
    );
    const first = await plannedRun(runs, agent, source);
    await on.confirm(first, acme.owner);
    const apply = await agent.take();
    await apply.start();
    expect((await apply.finish('finished')).status).toBe(204);
    const job = await agent.take();
    await job.start();
    await job.finish('finished', { 'has-changes': true, engine: { kind: 'opentofu', version: '1.10.7' } });
    expect(await runs.statusOf(job.runId)).toBe('planned');
    expect((await on.seenBy(job.runId, acme.owner)).approvals).toMatchObject({ given: 0, confirmed: true });
    await on.approve(job.runId, person(0));
    expect((await agent.take()).runId).toBe(job.runId);
  });

  test('a plan that its requester reports', async () => {
    const run = await runs.run(workspace);
    expect(await runs.statusOf(run)).toBe('plan_queued');
    const { id: plan } = (await runs.show(run)).relationships.plan.data;
    const piece = { data: { attributes: { offset: 0, content: Buffer.from('forged').toString('base64') } } };
    async function expectRefused(): Promise<void> {
      const answers = [
        await runs.report(run, 'planning'),
        await runs.report(run, 'planned', { 'has-changes': true }),
        await acme.owner.call('POST', `/plans/${plan}/actions/append-log`, piece),
        await acme.owner.call('PUT', `/plans/${plan}/folder`, { forged: true }),
        await acme.owner.call('PUT', `/plans/${plan}/json-output`, { forged: true }),
      ];
      for (const answer of answers) {
        expect(detailOf(answer)).toEqual([409, expect.stringContaining('Agents execute the runs of this workspace')]);
      }
    }
    await expectRefused();
    expect(await runs.statusOf(run)).toBe('plan_queued');
    const job = await agent.take();
    expect(job.runId).toBe(run);
    await job.start();
    expect((await acme.owner.call('PUT', `/plans/${plan}/folder`, { forged: true })).status).toBe(404);
    await job.finish('finished', { 'has-changes': true, engine: { kind: 'opentofu', version: '1.10.7' } });
    await on.approve(run, person(0));
    await on.confirm(run, acme.owner);
    expect(await runs.statusOf(run)).toBe('apply_queued');
    expect(detailOf(await runs.report(run, 'applying'))).toEqual([409, expect.stringContaining('Agents execute')]);
  });

  test('a plan that its requester reported before agents executed the runs of the workspace', async () => {
    const other = await runs.workspace('two', { 'execution-mode': 'remote' });
    await on.rule(`/workspaces/${other}`, [team]);
    const run = await runs.run(other);
    await runs.through(run, 'planning');
    const { id: plan } = (await runs.show(run)).relationships.plan.data;
    expect((await acme.owner.call('PUT', `/plans/${plan}/folder`, { forged: true })).status).toBe(204);
    await runs.through(run, 'planned');
    const switched = change('workspaces', byAgents(pool));
    expect((await acme.owner.call('PATCH', `/workspaces/${other}`, switched)).status).toBe(200);
    await on.approve(run, person(0));
    expect(detailOf(await on.confirm(run, acme.owner))).toEqual([
      409,
      expect.stringContaining('No agent made the plan'),
    ]);
    expect((await agent.claim()).status).toBe(204);
    expect(await runs.statusOf(run)).toBe('planned');
  });

  test('a run of the queue that is executed by force', async () => {
    const blocking = await planned();
    const run = await runs.run(workspace, { 'auto-apply': true });
    expect((await runs.act(run, 'force-execute')).status).toBe(202);
    expect(await runs.statusOf(blocking)).toBe('discarded');
    const job = await agent.take();
    await job.start();
    await job.finish('finished', { 'has-changes': true, engine: { kind: 'opentofu', version: '1.10.7' } });
    expect(await runs.statusOf(run)).toBe('planned');
    expect((await runs.act(run, 'force-execute')).status).toBe(409);
  });

  test('the log of an apply continues after the messages of its approvals', async () => {
    const run = await approved();
    const job = await agent.take();
    await job.start();
    expect((await job.heartbeat()).body.data.attributes['log-bytes']).toBe(0);
    expect((await job.log(0, 'OpenTofu v1.10.7\n')).body.data.attributes['log-bytes']).toBe(17);
    expect((await job.log(0, 'OpenTofu v1.10.7\n')).body.data.attributes['log-bytes']).toBe(17);
    expect((await job.log(17, 'Applied.\n')).status).toBe(200);
    expect((await job.log(99, 'lost')).status).toBe(409);
    expect(await on.applyLog(run)).toMatch(/approved the run: 1 of 1 approvals\.\nOpenTofu v1\.10\.7\nApplied\.\n$/);
  });
});
