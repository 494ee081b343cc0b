import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileBlobs } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { type FakeProvider, type FakeRepository, fakeGitea } from '../../../support/vcs/fake-github.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { identify, issuesOf, joinTeam, newOrganization, type TestOrganization } from '../support/organization.ts';
import { onWorkspace } from '../support/team-access.ts';
import { lookUp, messagesIn, newConnection, runsIn, verdictsIn, workOff } from '../support/vcs.ts';
import { deliver } from './support/reporting.ts';

describe.each(databaseKinds)('pull requests from forks on %s', { timeout: 120_000 }, (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let fake: FakeProvider;
  let token: string;
  let names = 0;
  beforeAll(async () => {
    fake = await fakeGitea();
    api = await startApi(kind, FileBlobs, {}, 'none', undefined, { allowedAddresses: ['127.0.0.1'] });
    acme = await newOrganization(api);
    token = await newConnection(api, acme, fake.httpUrl, {
      ...{ 'service-provider': 'gitea', 'api-url': fake.apiUrl, 'oauth-token-string': fake.token },
    });
  });
  afterAll(async () => {
    await api.close();
    await fake.stop();
  });

  const setForkPlans = async (value: string | null) => {
    const answer = await acme.owner.call('PATCH', `/organizations/${acme.name}`, {
      data: { type: 'organizations', attributes: { 'fork-plans': value } },
    });
    expect([answer.status, answer.body.data.attributes['fork-plans']]).toEqual([200, value ?? 'never']);
  };
  /** Creates a repository with a fork, and a workspace that follows it and had a run. */
  async function forked() {
    const repository = await fake.createRepository(`acme/forked-${++names}`);
    const fork = await fake.fork(repository, `mallory-${names}`);
    const workspace = await acme.workspace(`w-${++names}`, {
      ...{ 'queue-all-runs': true, 'vcs-repo': { identifier: repository.fullName, 'oauth-token-id': token } },
    });
    await workOff(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first']);
    return { repository, fork, workspace };
  }
  async function change(fork: FakeRepository, branch: string, message: string): Promise<string> {
    await fork.git.git('checkout', '--quiet', '-B', branch);
    return fork.git.commit({ 'main.tf': `# ${message}` }, message).then(() => fork.git.id(`refs/heads/${branch}`));
  }
  const approve = (
    workspace: string,
    number: unknown,
    commit: unknown,
    caller: Pick<typeof acme.owner, 'call'> = acme.owner,
  ) => {
    // The ids of events have an order only if their times differ.
    api.advance(1);
    return caller.call('POST', `/workspaces/${workspace}/actions/approve-fork`, {
      data: { type: 'fork-approvals', attributes: { 'pull-request-number': number, 'commit-sha': commit } },
    });
  };
  const newest = async (workspace: string) => (await verdictsIn(api, workspace)).at(-1);

  test('are never planned by default, nor can a user approve one', async () => {
    await setForkPlans(null);
    const { repository, fork, workspace } = await forked();
    const commit = await change(fork, 'evil', 'stolen');
    const { number } = await fake.openPull(repository, 'evil', fork);
    await lookUp(api);
    expect(await newest(workspace)).toBe('skipped fork-never');
    const answer = await approve(workspace, number, commit);
    expect([answer.status, issuesOf(answer)[0]]).toEqual([409, expect.stringContaining('fork-plans')]);
    await lookUp(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first']);
    const explained = await acme.owner.call('GET', `/workspaces/${workspace}/vcs-explanation?pull=${number}`);
    expect(explained.body.data.attributes).toMatchObject({
      source: 'decided',
      code: 'fork-never',
      'commit-sha': commit,
    });
  });

  test('and only they need an approval: one of the repository itself says so, whatever the organization allows', async () => {
    await setForkPlans(null);
    const { repository, workspace } = await forked();
    const commit = await change(repository, 'own', 'own change');
    const { number } = await fake.openPull(repository, 'own');
    await lookUp(api);
    for (const plans of [null, 'approved']) {
      await setForkPlans(plans);
      const answer = await approve(workspace, number, commit);
      expect([answer.status, issuesOf(answer)[0]]).toEqual([409, expect.stringContaining('is not from a fork')]);
    }
    const missing = await approve(workspace, 4711, commit);
    expect([missing.status, issuesOf(missing)[0]]).toEqual([409, expect.stringContaining('no open pull request')]);
  });

  test('have a status that is no success where a workspace is concerned, and success otherwise', async () => {
    const statusesAfter = async (plans: string | null, directory: string) => {
      await setForkPlans(plans);
      const { repository, fork, workspace } = await forked();
      const path = `/workspaces/${workspace}`;
      const data = { type: 'workspaces', attributes: { 'working-directory': directory } };
      expect((await acme.owner.call('PATCH', path, { data })).status).toBe(200);
      const commit = await change(fork, 'evil', `status ${names}`);
      await fake.openPull(repository, 'evil', fork);
      await lookUp(api);
      await deliver(api.workspaces.vcs.reports);
      const sent = fake.statuses
        .filter(({ of }) => of === commit)
        .map(({ body }) => `${body.state} ${body.description}`);
      return [await newest(workspace), sent.at(-1)];
    };
    expect(await statusesAfter(null, '')).toEqual([
      'skipped fork-never',
      expect.stringMatching(/^failure .*fork-plans/),
    ]);
    expect(await statusesAfter('approved', '')).toEqual([
      'skipped fork-waits',
      expect.stringMatching(/^pending .*must approve this commit/),
    ]);
    for (const plans of [null, 'approved'])
      expect(await statusesAfter(plans, 'net')).toEqual(['skipped other-files', 'success No workspace is concerned']);
  });

  test('one commit is planned after a user approved it, without secrets; the next commit needs another approval', async () => {
    await setForkPlans('approved');
    const { repository, fork, workspace } = await forked();
    const commit = await change(fork, 'help', 'helpful');
    const pull = await fake.openPull(repository, 'help', fork);
    await lookUp(api);
    expect(await newest(workspace)).toBe('skipped fork-waits');
    const answer = await approve(workspace, pull.number, commit);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.data).toMatchObject({
      type: 'fork-approvals',
      attributes: { 'pull-request-number': pull.number, 'commit-sha': commit, 'approved-by-name': acme.owner.username },
      relationships: { workspace: { data: { id: workspace } }, 'approved-by': { data: { id: acme.owner.id } } },
    });
    expect((await approve(workspace, pull.number, commit)).body).toEqual(answer.body);
    await workOff(api);
    expect(await newest(workspace)).toBe('speculative whole-repository');
    const [, run] = await runsIn(acme, workspace);
    expect(run.attributes).toMatchObject({ message: 'helpful', 'plan-only': true });
    const explained = await acme.owner.call('GET', `/workspaces/${workspace}/vcs-explanation?pull=${pull.number}`);
    expect(explained.body.data).toMatchObject({
      attributes: { source: 'decided', outcome: 'speculative', 'without-secrets': true },
      relationships: { run: { data: { id: run.id } } },
    });

    const second = await change(fork, 'help', 'no longer helpful');
    await fake.updatePull(repository, pull);
    await lookUp(api);
    expect(await newest(workspace)).toBe('skipped fork-waits');
    const late = await approve(workspace, pull.number, commit);
    expect([late.status, issuesOf(late)[0]]).toEqual([409, expect.stringContaining(second)]);
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'helpful']);
  });

  test('a plan of a fork has no submodules, which the server would fetch with its own credential', async () => {
    await setForkPlans('approved');
    const vault = await fake.createRepository(`acme/vault-${++names}`);
    const repository = await fake.createRepository(`acme/forked-${names}`);
    const fork = await fake.fork(repository, `mallory-${names}`);
    const repo = { identifier: repository.fullName, 'oauth-token-id': token, 'ingress-submodules': true };
    const workspace = await acme.workspace(`w-${++names}`, { 'queue-all-runs': true, 'vcs-repo': repo });
    await workOff(api);
    await fork.git.git('checkout', '--quiet', '-B', 'nosy');
    fork.git.write({ '.gitmodules': `[submodule "m"]\n\tpath = m\n\turl = ../../${vault.fullName}.git\n` });
    await fork.git.git('add', '--all');
    await fork.git.git('update-index', '--add', '--cacheinfo', `160000,${await vault.git.id()},m`);
    await fork.git.git('commit', '--quiet', '--message', 'nosy');
    const { number, headId } = await fake.openPull(repository, 'nosy', fork);
    await lookUp(api);
    fake.git.requests.length = 0;
    expect((await approve(workspace, number, headId)).status).toBe(200);
    await workOff(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'nosy']);
    expect(fake.git.requests.filter(({ path }) => path.includes('vault'))).toEqual([]);
  });

  test('an approval is for one workspace', async () => {
    await setForkPlans('approved');
    const { repository, fork, workspace } = await forked();
    const other = await acme.workspace(`w-${++names}`, {
      ...{ 'queue-all-runs': true, 'vcs-repo': { identifier: repository.fullName, 'oauth-token-id': token } },
    });
    await workOff(api);
    const commit = await change(fork, 'half', 'half');
    const { number } = await fake.openPull(repository, 'half', fork);
    await lookUp(api);
    expect((await approve(workspace, number, commit)).status).toBe(200);
    await workOff(api);
    expect([await messagesIn(acme, workspace), await messagesIn(acme, other)]).toEqual([['first', 'half'], ['first']]);
  });

  test('what is no open pull request of a fork cannot be approved', async () => {
    await setForkPlans('approved');
    const { repository, fork, workspace } = await forked();
    const own = await change(repository, 'own', 'own');
    const { number } = await fake.openPull(repository, 'own');
    const commit = await change(fork, 'closed', 'closed');
    const closed = await fake.openPull(repository, 'closed', fork);
    await lookUp(api);
    closed.state = 'closed';
    closed.updatedAt++;
    await lookUp(api);
    for (const [pull, id, text] of [
      [number, own, 'is not from a fork'],
      [closed.number, commit, 'no open pull request'],
      [99, commit, 'no open pull request'],
    ] as const) {
      const answer = await approve(workspace, pull, id);
      expect([answer.status, issuesOf(answer)[0]]).toEqual([409, expect.stringContaining(text)]);
    }
    for (const [pull, id] of [
      [0, own],
      ['1', own],
      [1, 'abc'],
      [1, own.toUpperCase()],
    ] as const) {
      expect((await approve(workspace, pull, id)).status, String(pull)).toBe(422);
    }
    const without = await acme.workspace(`w-${++names}`);
    expect((await approve(without, number, own)).status).toBe(409);
  });

  test('only a user who may queue runs can approve', async () => {
    await setForkPlans('approved');
    const { repository, fork, workspace } = await forked();
    const commit = await change(fork, 'asked', 'asked');
    const { number } = await fake.openPull(repository, 'asked', fork);
    await lookUp(api);
    const member = async (access: string) => {
      const team = await acme.team(`${access}-${++names}`);
      const user = await api.user(`ben-${names}`);
      await joinTeam(api, team, user.id);
      expect((await acme.owner.call('POST', '/team-workspaces', onWorkspace(team, workspace, { access }))).status).toBe(
        201,
      );
      return { user, team };
    };
    const [reader, planner] = [await member('read'), await member('plan')];
    expect((await approve(workspace, number, commit, reader.user)).status).toBe(404);
    await identify(acme.owner, planner.team, { mount: 'cert', role: `${acme.name}/planner` });
    const machine = api.machine({ role: `${acme.name}/planner` });
    const refused = await approve(workspace, number, commit, machine);
    expect([refused.status, issuesOf(refused)[0]]).toEqual([403, expect.stringContaining('Only a user')]);
    expect((await approve(workspace, number, commit, planner.user)).status).toBe(200);
  });
});
