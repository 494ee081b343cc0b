import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../../../src/storage/index.ts';
import type { CommitArchives } from '../../../../../src/workspaces/vcs/index.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { archive } from '../../../../support/samples/archive.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { commitsOf, INGRESS } from '../../support/commits.ts';
import { created, issuesOf, joinTeam, newOrganization, type TestOrganization } from '../../support/organization.ts';
import { runsOf, type TestRuns } from '../../support/runs.ts';
import { onWorkspace } from '../../support/team-access.ts';

const MINUTE = 60_000;
/** Claims a fetch as another node does, which then dies. */
const claimByOther = sql<{ id: string; until: number }>(
  "UPDATE commit_fetch SET claim = 'other', claimed_until = :until WHERE id = :id",
);

describe.each(databaseKinds)('commits that users ask for, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let commits: ReturnType<typeof commitsOf>;
  let names = 0;
  let asked: (readonly [string, string | null])[];
  let ensure: CommitArchives['ensure'];
  let refusal: string | undefined;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
    commits = commitsOf(api, acme);
    // The repository, as the part of the module that reads it answers.
    api.workspaces.vcs.hooks.extend({
      commitArchives: {
        whyNot: async () => refusal,
        ensure: (...given) => {
          asked.push(given);
          return ensure(...given);
        },
      },
    });
  });
  beforeEach(() => {
    asked = [];
    refusal = undefined;
    ensure = () => commits.fetched('fetched');
  });
  afterAll(() => api.close());

  const newWorkspace = (attributes = {}) => acme.workspace(`f-${++names}`, attributes);
  const ask = (workspace: string, attributes: object, caller: Pick<typeof acme.owner, 'call'> = acme.owner) => {
    api.advance(1);
    const data = { type: 'configuration-versions', attributes };
    return caller.call('POST', `/workspaces/${workspace}/configuration-versions`, { data });
  };
  const work = async () => {
    const { commitFetchLoop: loop } = api.workspaces.execution;
    await loop.begin();
    await loop.settled();
  };
  const show = async (id: string) => (await acme.owner.call('GET', `/configuration-versions/${id}`)).body.data;
  const runsIn = async (workspace: string) => (await acme.owner.call('GET', `/workspaces/${workspace}/runs`)).body.data;

  test('the newest commit of the branch is fetched, and its run is that of the user', async () => {
    const workspace = await newWorkspace();
    const answer = await ask(workspace, { 'vcs-ref': 'HEAD' });
    expect(answer.status, answer.text).toBe(201);
    const { id, attributes } = answer.body.data;
    expect(attributes).toMatchObject({ status: 'fetching', 'upload-url': null });
    expect(attributes['status-timestamps']['fetching-at']).toBe(attributes['created-at']);
    expect((await runs.place(workspace)).relationships['current-configuration-version'].data).toBeNull();
    await work();
    await work();
    expect(asked).toEqual([[workspace, null]]);
    const version = await show(id);
    expect(version.attributes).toMatchObject({ status: 'uploaded', source: 'gitea' });
    const ingress = await acme.owner.call('GET', `/configuration-versions/${id}/ingress-attributes`);
    expect(ingress.body.data.attributes['commit-sha']).toBe(INGRESS.commitSha);
    const { text } = await acme.owner.call('GET', `/configuration-versions/${id}/download`);
    expect(text).toBe(archive('fetched').toString());
    expect((await runs.place(workspace)).relationships['current-configuration-version'].data.id).toBe(id);
    const [run, ...others] = await runsIn(workspace);
    expect(others).toEqual([]);
    expect(run.attributes).toMatchObject({ message: 'Open port 443', 'trigger-reason': 'manual', 'plan-only': false });
    expect(run.relationships['created-by'].data.id).toBe(acme.owner.id);
  });

  test('a branch, tag or commit is given to the repository as it is', async () => {
    const workspace = await newWorkspace();
    for (const ref of ['release/1.0', 'v1.2.3', 'ab'.repeat(20)]) {
      await ask(workspace, { 'vcs-ref': ref, speculative: true, 'auto-queue-runs': false });
      await work();
    }
    expect(asked.map(([, ref]) => ref)).toEqual(['release/1.0', 'v1.2.3', 'ab'.repeat(20)]);
    expect(await runsIn(workspace)).toEqual([]);
    for (const bad of ['', 'x'.repeat(1025), 7]) expect((await ask(workspace, { 'vcs-ref': bad })).status).toBe(422);
  });

  test('without a repository the request is refused, and nothing is stored', async () => {
    const workspace = await newWorkspace();
    refusal = 'The workspace follows no repository';
    const answer = await ask(workspace, { 'vcs-ref': 'HEAD' });
    expect([answer.status, issuesOf(answer)]).toEqual([
      422,
      ['/data/attributes/vcs-ref: The workspace follows no repository'],
    ]);
    expect((await acme.owner.call('GET', `/workspaces/${workspace}/configuration-versions`)).body.data).toEqual([]);
  });

  test('what cannot be fetched ends with the reason, and an upload or a second fetch does not replace it', async () => {
    const workspace = await newWorkspace();
    ensure = async () => ({ refusal: 'There is no branch or tag "gone" in acme/network' });
    const { id } = (await ask(workspace, { 'vcs-ref': 'gone' })).body.data;
    await work();
    expect((await show(id)).attributes).toMatchObject({
      ...{ status: 'errored', error: 'fetch_failed', size: 0 },
      'error-message': 'There is no branch or tag "gone" in acme/network',
    });
    expect(await runsIn(workspace)).toEqual([]);
    const run = await runs.create(workspace, {}, id);
    expect([run.status, issuesOf(run)[0]]).toEqual([422, expect.stringContaining('is errored')]);
  });

  test('a provider that is away is asked again, for ten minutes', async () => {
    const workspace = await newWorkspace();
    ensure = async () => {
      throw new Error('connect ECONNREFUSED');
    };
    const [late, early] = [await ask(workspace, { 'vcs-ref': 'a' }), await ask(workspace, { 'vcs-ref': 'b' })];
    await work();
    expect((await show(late.body.data.id)).attributes.status).toBe('fetching');
    await work();
    expect(asked).toHaveLength(2);
    api.advance(2 * MINUTE);
    await work();
    expect(asked).toHaveLength(3);
    api.advance(10 * MINUTE);
    await work();
    await work();
    expect(asked).toHaveLength(3);
    for (const { body } of [late, early]) {
      expect((await show(body.data.id)).attributes).toMatchObject({
        ...{ status: 'errored', 'error-message': expect.stringContaining('within 10 minutes') },
      });
    }
  });

  test('a second node ends a fetch whose first node died, and only one run starts', async () => {
    const workspace = await newWorkspace();
    const { id } = (await ask(workspace, { 'vcs-ref': 'HEAD' })).body.data;
    const dead = { id, until: api.now() + MINUTE };
    await api.workspaces.database.run(claimByOther, dead);
    await work();
    expect((await show(id)).attributes.status).toBe('fetching');
    api.advance(2 * MINUTE);
    await work();
    expect((await show(id)).attributes.status).toBe('uploaded');
    expect(await runsIn(workspace)).toHaveLength(1);
  });

  test('too many at once are refused', async () => {
    const workspace = await newWorkspace();
    for (let n = 0; n < 20; n++) expect((await ask(workspace, { 'vcs-ref': `b-${n}` })).status).toBe(201);
    expect((await ask(workspace, { 'vcs-ref': 'one-more' })).status).toBe(409);
    while (asked.length < 20) await work();
    expect((await ask(workspace, { 'vcs-ref': 'one-more' })).status).toBe(201);
  });

  test('who may only plan gets no run that applies, and others get nothing', async () => {
    const workspace = await newWorkspace();
    const ben = await api.user(`ben-${kind}`);
    const team = await acme.team(`planners-${kind}`);
    await joinTeam(api, team, ben.id);
    expect((await ask(workspace, { 'vcs-ref': 'HEAD' }, ben)).status).toBe(404);
    created(await acme.owner.call('POST', '/team-workspaces', onWorkspace(team, workspace, { access: 'plan' })));
    const answer = await ask(workspace, { 'vcs-ref': 'HEAD' }, ben);
    expect(answer.body.data.attributes['auto-queue-runs']).toBe(false);
    await work();
    expect(await runsIn(workspace)).toEqual([]);
    await ask(workspace, { 'vcs-ref': 'HEAD', speculative: true }, ben);
    await work();
    expect(await runsIn(workspace)).toMatchObject([{ attributes: { 'plan-only': true } }]);
  });

  test('a workspace without an agent gets the version, and no run', async () => {
    const workspace = await newWorkspace({ 'execution-mode': 'local' });
    const { id } = (await ask(workspace, { 'vcs-ref': 'HEAD' })).body.data;
    await work();
    expect((await show(id)).attributes.status).toBe('uploaded');
    expect(await runsIn(workspace)).toEqual([]);
  });
});
