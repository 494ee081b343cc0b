import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../../../src/storage/index.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { archive } from '../../../../support/samples/archive.ts';
import { agentsOf, byAgents } from '../../support/agents.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { commitsOf, INGRESS, PULL } from '../../support/commits.ts';
import { created, newOrganization, type TestOrganization } from '../../support/organization.ts';
import { runsOf, type TestRuns } from '../../support/runs.ts';

const selectUses = sql<Record<string, never>, { name: string; uses: number }>(
  'SELECT b.name, b.uses FROM blob b WHERE b.organization_id IS NOT NULL ORDER BY b.created_at, b.name',
);
const selectOwnerless = sql<Record<string, never>, { name: string }>(
  'SELECT name FROM blob WHERE organization_id IS NULL AND workspace_id IS NULL',
);

describe.each(databaseKinds)('runs of commits on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let commits: ReturnType<typeof commitsOf>;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
    commits = commitsOf(api, acme);
  });
  afterAll(() => api.close());

  const newWorkspace = (attributes = {}) => acme.workspace(`c-${++names}`, attributes);
  const get = (path: string) => acme.owner.call('GET', path);
  const uses = async () => (await api.workspaces.database.all(selectUses, {})).map((row) => Number(row.uses));

  test('a push makes the current configuration version and a run that shows who pushed what', async () => {
    const workspace = await newWorkspace();
    const { runId, configurationVersionId } = await commits.run(workspace);
    const { attributes, relationships } = await runs.show(runId);
    expect(attributes).toMatchObject({
      source: 'tfe-configuration-version',
      'trigger-reason': 'vcs',
      message: 'Open port 443',
      'created-by-name': 'grace',
      'plan-only': false,
      status: 'plan_queued',
    });
    expect(relationships['created-by'].data).toBeNull();
    const version = (await get(`/configuration-versions/${configurationVersionId}`)).body.data;
    expect(version.attributes).toMatchObject({ source: 'gitea', status: 'uploaded', speculative: false });
    expect(version.attributes.size).toBe(archive().length);
    const place = await runs.place(workspace);
    expect(place.relationships['current-configuration-version'].data.id).toBe(configurationVersionId);
    const events = (await get(`/runs/${runId}/run-events`)).body.data;
    expect(events[0]).toMatchObject({ attributes: { action: 'created' }, relationships: { actor: { data: null } } });
  });

  test('a list finds a run by the ID of its commit, or by the start of it', async () => {
    const workspace = await newWorkspace();
    const commitSha = `c0ffee${'1'.repeat(34)}`;
    // A message that repeats the member of another commit is only a message.
    const ingress = { ...INGRESS, commitSha, commitMessage: '"commitSha":"deadbeef' };
    const { runId } = await commits.run(workspace, { ingress, speculative: true });
    await commits.run(workspace, { speculative: true });
    const found = async (query: string) =>
      (await get(`/workspaces/${workspace}/runs?${query}`)).body.data.map(({ id }: { id: string }) => id);
    for (const query of [
      'search[commit]=c0ffee1',
      `search[commit]=${commitSha.toUpperCase()}`,
      'search[basic]=c0ffee',
    ]) {
      expect(await found(query), query).toEqual([runId]);
    }
    for (const text of ['deadbeef', 'offee', 'c0ffee2', 'c%', '']) {
      expect(await found(`search[commit]=${encodeURIComponent(text)}&search[user]=nobody`), text).toEqual([]);
    }
  });

  test('a pull request gets a plan alone, and its version does not become the current one', async () => {
    const workspace = await runs.workspace(`c-${++names}`, { 'auto-apply': true });
    const { 'current-configuration-version': current } = (await runs.place(workspace)).relationships;
    const { runId, configurationVersionId } = await commits.run(workspace, { speculative: true, ingress: PULL });
    expect((await runs.show(runId)).attributes).toMatchObject({ 'plan-only': true, 'auto-apply': false });
    expect((await get(`/configuration-versions/${configurationVersionId}`)).body.data.attributes.speculative).toBe(
      true,
    );
    expect((await runs.place(workspace)).relationships['current-configuration-version']).toEqual(current);
  });

  test('the archive is stored once for all workspaces, as long as one needs it', async () => {
    const archiveId = await commits.stored('shared');
    const workspaces = [await newWorkspace(), await newWorkspace(), await newWorkspace()];
    const started = await Promise.all(workspaces.map((id) => commits.run(id, { archiveId, speculative: true })));
    const before = (await uses()).at(-1);
    expect(before).toBe(4);
    const agents = agentsOf(api, acme);
    const pool = await agents.pool(`pool-${++names}`);
    const workspace = await newWorkspace(byAgents(pool));
    await commits.run(workspace, { archiveId });
    const job = await (await agents.agent(pool)).take();
    await job.start();
    const link = job.data.links.configuration.replace('/api/v2', '');
    expect((await job.call('GET', link)).text).toBe(archive('shared').toString());

    // An archived version drops its reference, and so does a deleted workspace.
    const [first, second] = started;
    await runs.act(first?.runId ?? '', 'cancel');
    const archived = `/configuration-versions/${first?.configurationVersionId}/actions/archive`;
    expect((await acme.owner.call('POST', archived)).status).toBe(202);
    expect((await uses()).at(-1)).toBe(4);
    await api.workspaces.database.run(sql(`DELETE FROM workspace WHERE id = '${workspaces[1]}'`), {});
    expect((await uses()).at(-1)).toBe(3);
    await api.workspaces.database.run(sql(`DELETE FROM vcs_archive WHERE id = '${archiveId}'`), {});
    expect((await uses()).at(-1)).toBe(2);
    const version = await get(`/configuration-versions/${started[2]?.configurationVersionId}/download`);
    expect(version.text).toBe(archive('shared').toString());
    expect((await get(`/configuration-versions/${second?.configurationVersionId}`)).status).toBe(404);
  });

  test('the blobs of an organization are deleted with it', async () => {
    const gone = await newOrganization(api);
    const before = (await uses()).length;
    await commitsOf(api, gone).run(await gone.workspace('network'));
    expect(await uses()).toHaveLength(before + 1);
    expect((await gone.owner.call('DELETE', `/organizations/${gone.name}`)).status).toBe(204);
    expect(await uses()).toHaveLength(before);
    const rows = await api.workspaces.database.all(selectOwnerless, {});
    expect(rows).toEqual([]);
  });

  test('auto-apply of the workspace applies a push, although no user with permissions started it', async () => {
    const workspace = await newWorkspace({ 'auto-apply': true });
    const { runId } = await commits.run(workspace);
    await runs.through(runId, 'planning', 'planned');
    expect(await runs.statusOf(runId)).toBe('apply_queued');
    const waiting = await commits.run(await newWorkspace());
    await runs.through(waiting.runId, 'planning', 'planned');
    expect(await runs.statusOf(waiting.runId)).toBe('planned');
  });

  test('a workspace that cannot run says why, and nothing is written', async () => {
    const local = await newWorkspace({ 'execution-mode': 'local' });
    const pool = await agentsOf(api, acme).pool(`pool-${++names}`);
    const agent = await newWorkspace(byAgents(pool));
    const closed = { data: { type: 'agent-pools', attributes: { 'organization-scoped': false } } };
    expect((await acme.owner.call('PATCH', `/agent-pools/${pool}`, closed)).status).toBe(200);
    const full = await newWorkspace();
    await commits.run(full);
    const fill = sql<{ id: string }>(
      `INSERT INTO run (id, organization_id, workspace_id, configuration_version_id, status, operation, source,
         trigger_reason, message, parameters, timestamps, has_changes, waits, active, queued, queue_class, queue_turn,
         stale, fence, plain_log, version, created_by_type, created_by_id, created_by_name, created_at)
       SELECT :id, organization_id, workspace_id, configuration_version_id, 'pending', operation, source,
         trigger_reason, message, parameters, timestamps, 0, 1, 0, 0, queue_class, queue_turn, 0, 0, 0, 1,
         created_by_type, created_by_id, created_by_name, created_at FROM run WHERE workspace_id = '${full}' LIMIT 1`,
    );
    for (let n = 0; n < 500; n++) await api.workspaces.database.run(fill, { id: `run-fill-${n}` });
    const before = await uses();
    expect(await commits.start(local)).toEqual({ refusal: expect.stringContaining('execution mode is local') });
    expect(await commits.start(agent)).toEqual({ refusal: expect.stringContaining('does not serve this workspace') });
    expect(await commits.start(full)).toEqual({ refusal: expect.stringContaining('500 waiting runs') });
    expect(await commits.start('ws-gone')).toEqual({ refusal: 'The workspace was deleted' });
    expect(await commits.start(await newWorkspace(), { archiveId: 'vcsarc-gone' })).toEqual({
      refusal: expect.stringContaining('deleted meanwhile'),
    });
    expect((await uses()).reduce((a, b) => a + b)).toBe(before.reduce((a, b) => a + b) + 4);
    expect((await get(`/workspaces/${local}/configuration-versions`)).body.data).toEqual([]);
    expect('runId' in (await commits.start(full, { speculative: true })), 'plans alone do not wait').toBe(true);
  });

  test('workspaces that ever had a run are known, also after its deletion', async () => {
    const [none, planned, pushed] = [await newWorkspace(), await newWorkspace(), await newWorkspace()];
    await commits.run(planned, { speculative: true });
    await commits.run(pushed);
    const { database, vcs } = api.workspaces;
    expect(await vcs.hooks.commitRuns.withRuns(database, [none, planned, pushed])).toEqual(new Set([planned, pushed]));
    expect(await vcs.hooks.commitRuns.withRuns(database, [])).toEqual(new Set());
  });

  test('older plans of a pull request are canceled, and nothing else', async () => {
    const agents = agentsOf(api, acme);
    const pool = await agents.pool(`pool-${++names}`);
    const workspace = await newWorkspace(byAgents(pool));
    const speculative = { speculative: true, ingress: PULL };
    const running = await commits.run(workspace, speculative);
    const job = await (await agents.agent(pool)).take();
    await job.start();
    const queued = await commits.run(workspace, speculative);
    const push = await commits.run(workspace);
    const ids = [running.runId, queued.runId, push.runId, 'run-gone'];
    const { database, vcs } = api.workspaces;
    const cancel = () => database.transaction((tx) => vcs.hooks.commitRuns.cancelOutdated(tx, ids, api.now()));
    await cancel();
    await cancel();
    expect(await runs.statusOf(queued.runId)).toBe('canceled');
    expect((await job.heartbeat()).body.data.attributes.cancel).toBe('interrupt');
    expect(await runs.statusOf(push.runId)).not.toBe('canceled');
    await job.finish('failed');
    expect(await runs.statusOf(running.runId)).toBe('canceled');
    const events = (await get(`/runs/${queued.runId}/run-events`)).body.data;
    expect(events.at(-1).attributes.description).toContain('A newer commit of the pull request');
  });

  describe('ingress attributes', () => {
    test('say where a configuration version came from', async () => {
      const workspace = await newWorkspace();
      const { runId, configurationVersionId } = await commits.run(workspace, { speculative: true, ingress: PULL });
      const one = await get(`/configuration-versions/${configurationVersionId}/ingress-attributes`);
      expect(one.status, one.text).toBe(200);
      const { id } = one.body.data;
      expect(id).toMatch(/^ia-/);
      expect(one.body.data).toEqual({
        id,
        type: 'ingress-attributes',
        attributes: {
          branch: 'port-443',
          'clone-url': PULL.cloneUrl,
          'commit-message': PULL.commitMessage,
          'commit-sha': PULL.commitSha,
          'commit-url': PULL.commitUrl,
          'compare-url': PULL.compareUrl,
          identifier: 'acme/network',
          'is-pull-request': true,
          'on-default-branch': false,
          'pull-request-body': PULL.pullRequestBody,
          'pull-request-number': 7,
          'pull-request-title': 'Open port 443',
          'pull-request-url': PULL.pullRequestUrl,
          'sender-avatar-url': PULL.senderAvatarUrl,
          'sender-html-url': PULL.senderHtmlUrl,
          'sender-username': 'grace',
          tag: null,
        },
        relationships: { 'created-by': { data: null } },
        links: { self: `/api/v2/ingress-attributes/${id}` },
      });
      expect((await get(`/ingress-attributes/${id}`)).body).toEqual(one.body);
      const version = await get(`/configuration-versions/${configurationVersionId}?include=ingress_attributes`);
      expect(version.body.data.relationships['ingress-attributes'].data).toEqual({ type: 'ingress-attributes', id });
      expect(version.body.included).toEqual([one.body.data]);
      const listed = await get(`/workspaces/${workspace}/configuration-versions?include=ingress-attributes,run`);
      const types = listed.body.included.map(({ type }: { type: string }) => type);
      expect(types.toSorted()).toEqual(['ingress-attributes', 'runs']);
      const run = await get(`/runs/${runId}?include=configuration_version.ingress_attributes`);
      expect(run.body.included.map((item: { id: string }) => item.id)).toEqual([configurationVersionId, id]);
    });

    test('are included with workspaces', async () => {
      const workspace = await newWorkspace();
      const { configurationVersionId } = await commits.run(workspace);
      const words = ['current_configuration_version', 'current_run.configuration_version'];
      for (const word of words) {
        const { included } = (await get(`/workspaces/${workspace}?include=${word}.ingress_attributes`)).body;
        const found = included.map((item: { id: string }) => item.id);
        expect(found, word).toContain(configurationVersionId);
        expect(found, word).toContain(configurationVersionId.replace('cv-', 'ia-'));
      }
    });

    test('do not exist for uploads, and for others', async () => {
      const workspace = await newWorkspace();
      const { id } = await runs.configuration(workspace);
      expect((await get(`/configuration-versions/${id}/ingress-attributes`)).status).toBe(404);
      expect(
        (await get(`/configuration-versions/${id}`)).body.data.relationships['ingress-attributes'].data,
      ).toBeNull();
      const { configurationVersionId } = await commits.run(workspace);
      const stranger = await newOrganization(api);
      for (const path of [
        `/configuration-versions/${configurationVersionId}/ingress-attributes`,
        `/ingress-attributes/${configurationVersionId.replace('cv-', 'ia-')}`,
      ]) {
        expect((await stranger.owner.call('GET', path)).status).toBe(404);
        expect((await get(path)).status).toBe(200);
      }
    });

    test('hold the texts of strangers to their bounds, and no links but those of the web', async () => {
      const long = 'ü'.repeat(100_000);
      const ingress = {
        ...PULL,
        commitMessage: `\n  first\u0000 line\r\n${long}`,
        pullRequestTitle: long,
        pullRequestBody: long,
        commitUrl: 'javascript:alert(1)',
        compareUrl: 'https://user:token@git.example.com/',
        senderHtmlUrl: `https://git.example.com/${long}`,
        senderUsername: null,
      };
      const { runId, configurationVersionId } = await commits.run(await newWorkspace(), {
        ...{ ingress, speculative: true, message: ingress.commitMessage },
      });
      const { attributes } = (await get(`/configuration-versions/${configurationVersionId}/ingress-attributes`)).body
        .data;
      const bytes = (name: string) => Buffer.byteLength(attributes[name]);
      expect([bytes('pull-request-title'), bytes('pull-request-body')]).toEqual([1024, 65_536]);
      expect(bytes('commit-message')).toBeLessThanOrEqual(65_536);
      expect(attributes['pull-request-title']).toMatch(/^ü+$/);
      expect([attributes['commit-url'], attributes['compare-url'], attributes['sender-html-url']]).toEqual([
        null,
        null,
        null,
      ]);
      expect((await runs.show(runId)).attributes.message).toBe('first line');
      const silent = await commits.run(await newWorkspace(), { message: ' \n', ingress: INGRESS });
      expect((await runs.show(silent.runId)).attributes.message).toBe('Commit abababa');
    });
  });

  test('a run trigger still applies without the permission of the person who started the first run', async () => {
    const [workspace, source] = [await runs.workspace(`c-${++names}`), await runs.workspace(`c-${++names}`)];
    await acme.owner.call('PATCH', `/workspaces/${workspace}`, {
      data: { type: 'workspaces', attributes: { 'auto-apply-run-trigger': true } },
    });
    const sourceable = { data: { type: 'workspaces', id: source } };
    created(
      await acme.owner.call('POST', `/workspaces/${workspace}/run-triggers`, {
        data: { type: 'run-triggers', relationships: { sourceable } },
      }),
    );
    const { runId } = await commits.run(source);
    await runs.through(runId, 'planning', 'planned');
    await runs.act(runId, 'apply');
    await runs.through(runId, 'applying', 'applied');
    const [triggered] = (await get(`/workspaces/${workspace}/runs`)).body.data;
    expect(triggered.attributes).toMatchObject({ source: 'tfe-run-trigger', 'trigger-reason': 'triggered' });
    await runs.through(triggered.id, 'planning', 'planned');
    expect(await runs.statusOf(triggered.id)).toBe('apply_queued');
  });
});
