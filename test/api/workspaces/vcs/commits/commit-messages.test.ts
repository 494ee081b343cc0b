import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import { agentsOf, byAgents } from '../../support/agents.ts';
import type { TestApi } from '../../support/api.ts';
import { commitsOf, INGRESS, PULL } from '../../support/commits.ts';
import { notificationsOf, startNotifying } from '../../support/notifications.ts';
import type { TestOrganization } from '../../support/organization.ts';
import { runTasksOf } from '../../support/run-tasks.ts';
import type { TestRuns } from '../../support/runs.ts';
import { base64, stateText, versionBody } from '../../support/states.ts';

const REPOSITORY = 'https://git.example.com/acme/network';

describe.each(databaseKinds)('messages about runs of commits, on %s', (kind) => {
  let api: TestApi;
  let receiver: Receiver;
  let acme: TestOrganization;
  let runs: TestRuns;
  let commits: ReturnType<typeof commitsOf>;
  beforeAll(async () => {
    ({ api, receiver, acme, runs } = await startNotifying(kind));
    commits = commitsOf(api, acme);
  });
  afterAll(async () => {
    await receiver.stop();
    await api.close();
  });

  const given = () => ({ api, receiver, acme, runs });
  const { newWorkspace, newPath, attributesFor, create, deliver } = notificationsOf(given);
  const { judge, ask, lastAt } = runTasksOf(given);

  test('notifications and run tasks name the commit, the pull request and who pushed', async () => {
    const workspace = await newWorkspace();
    const path = newPath();
    await create(workspace, attributesFor(path));
    const task = await judge(workspace, ['post_plan']);
    const { runId } = await commits.run(workspace, { ingress: PULL });
    await deliver();
    await runs.through(runId, 'planning', 'planned');
    await ask();
    const commit = {
      vcs_branch: 'port-443',
      vcs_commit_url: PULL.commitUrl,
      vcs_pull_request_url: `${REPOSITORY}/pulls/7`,
      vcs_repo_url: REPOSITORY,
    };
    expect(receiver.at(path).at(-1)?.body).toMatchObject({ ...commit, run_created_by: 'grace' });
    expect(lastAt(task.path)).toMatchObject({ ...commit, run_created_by: 'grace' });
  });

  test('those about a run that a user starts of the same commit name this user', async () => {
    const workspace = await newWorkspace();
    const path = newPath();
    await create(workspace, attributesFor(path));
    const task = await judge(workspace, ['post_plan']);
    await runs.act((await commits.run(workspace)).runId, 'cancel');
    const run = await runs.run(workspace);
    await deliver();
    await runs.through(run, 'planning', 'planned');
    await ask();
    const expected = { vcs_commit_url: INGRESS.commitUrl, run_created_by: acme.owner.username };
    expect(receiver.at(path).at(-1)?.body).toMatchObject({ ...expected, run_id: run });
    expect(lastAt(task.path)).toMatchObject({ ...expected, run_id: run });
  });

  test('those about uploads name none', async () => {
    const workspace = await newWorkspace();
    const path = newPath();
    await create(workspace, attributesFor(path));
    const task = await judge(workspace, ['post_plan']);
    const run = await runs.run(workspace);
    await deliver();
    await runs.through(run, 'planning', 'planned');
    await ask();
    const [message, asked] = [receiver.at(path).at(-1)?.body, lastAt(task.path)];
    expect(Object.keys(message).filter((key) => key.startsWith('vcs_'))).toEqual([]);
    expect([asked.vcs_repo_url, asked.run_created_by]).toEqual([null, acme.owner.username]);
  });

  test('a state version names the commit that was applied', async () => {
    const agents = agentsOf(api, acme);
    const pool = await agents.pool('first');
    const workspace = await acme.workspace('applied', { ...byAgents(pool), 'auto-apply': true });
    await commits.run(workspace);
    const agent = await agents.agent(pool);
    const plan = await agent.take();
    await plan.start();
    await plan.finish('finished', { 'has-changes': true });
    const apply = await agent.take();
    await apply.start();
    const run = { data: { type: 'runs', id: apply.runId } };
    const body = versionBody(stateText(1), { serial: 1, state: base64(stateText(1)) }, { run });
    const written = await apply.call('POST', `/workspaces/${workspace}/state-versions`, body);
    expect(written.status, written.text).toBe(201);
    const commit = { 'vcs-commit-sha': INGRESS.commitSha, 'vcs-commit-url': INGRESS.commitUrl };
    const current = await acme.owner.call('GET', `/workspaces/${workspace}/current-state-version`);
    expect(current.body.data.attributes).toMatchObject(commit);
    const listed = await acme.owner.call(
      'GET',
      `/state-versions?filter[organization][name]=${acme.name}&filter[workspace][name]=applied`,
    );
    expect(listed.body.data).toMatchObject([{ attributes: commit }]);
  });
});
