import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import type { GitServer } from '../../../../support/git-server.ts';
import type { TestApi } from '../../support/api.ts';
import { issuesOf, type TestOrganization } from '../../support/organization.ts';
import { lookUp, messagesIn, startWithGit, workOff } from '../../support/vcs.ts';

describe.each(databaseKinds)('commits by hand from a real repository, on %s', { timeout: 120_000 }, (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let server: GitServer;
  let token: string;
  let stop: () => Promise<void>;
  let names = 0;
  beforeAll(async () => {
    ({ server, api, acme, token, stop } = await startWithGit(kind));
  });
  afterAll(() => stop());

  const follow = async (attributes: object = {}) => {
    const identifier = `team/hand-${++names}.git`;
    const repository = await server.createRepository(identifier);
    await repository.commit({ 'main.tf': '# 1', 'README.md': '# Network' }, 'first');
    const workspace = await acme.workspace(`h-${names}`, {
      'queue-all-runs': false,
      'vcs-repo': { identifier, 'oauth-token-id': token },
      ...attributes,
    });
    await workOff(api);
    return { workspace, repository };
  };
  const ask = (workspace: string, ref: string, attributes: object = {}) => {
    api.advance(1);
    const data = { type: 'configuration-versions', attributes: { 'vcs-ref': ref, ...attributes } };
    return acme.owner.call('POST', `/workspaces/${workspace}/configuration-versions`, { data });
  };
  /** Asks for a commit, and returns its configuration version when the fetch is over. */
  const fetched = async (workspace: string, ref: string, attributes: object = {}) => {
    const answer = await ask(workspace, ref, attributes);
    expect(answer.status, answer.text).toBe(201);
    const { commitFetchLoop: loop } = api.workspaces.execution;
    await loop.begin();
    await loop.settled();
    return (await acme.owner.call('GET', `/configuration-versions/${answer.body.data.id}`)).body.data;
  };
  const ingressOf = async (id: string) =>
    (await acme.owner.call('GET', `/configuration-versions/${id}/ingress-attributes`)).body.data.attributes;

  test('the newest commit starts the first run, after which pushes start theirs', async () => {
    const { workspace, repository } = await follow();
    await repository.commit({ 'main.tf': '# 2' }, 'passed over');
    await lookUp(api);
    expect(await messagesIn(acme, workspace)).toEqual([]);
    const relationships = { workspace: { data: { type: 'workspaces', id: workspace } } };
    const refused = await acme.owner.call('POST', '/runs', { data: { type: 'runs', attributes: {}, relationships } });
    expect([refused.status, issuesOf(refused)]).toEqual([
      422,
      [expect.stringMatching(/: Configuration version is missing: .+ vcs-ref HEAD, which fetches the newest commit/)],
    ]);
    const { id, attributes } = await fetched(workspace, 'HEAD');
    expect(attributes).toMatchObject({ status: 'uploaded', source: 'git', error: null });
    expect(await messagesIn(acme, workspace)).toEqual(['passed over']);
    expect(await ingressOf(id)).toMatchObject({ branch: 'main', 'commit-message': 'passed over', tag: null });
    const shown = await acme.owner.call('GET', `/workspaces/${workspace}?include=readme`);
    expect(shown.body.included).toMatchObject([{ id, attributes: { 'raw-markdown': '# Network' } }]);
    await repository.commit({ 'main.tf': '# 3' }, 'pushed');
    await lookUp(api);
    expect(await messagesIn(acme, workspace)).toEqual(['passed over', 'pushed']);
  });

  test('branches, tags and their commits are found, and others are refused with the reason', async () => {
    const { workspace, repository } = await follow();
    await repository.git('tag', '--annotate', '--message', 'one', 'v1.0');
    await repository.git('checkout', '--quiet', '-b', 'feature/a-b');
    await repository.commit({ 'main.tf': '# 2' }, 'on feature');
    const head = (await repository.git('rev-parse', 'HEAD')).trim();
    await repository.commit({ 'main.tf': '# 3' }, 'newer');
    const plan = { speculative: true };
    expect(await ingressOf((await fetched(workspace, 'feature/a-b', plan)).id)).toMatchObject({
      ...{ branch: 'feature/a-b', 'commit-message': 'newer' },
    });
    expect(await ingressOf((await fetched(workspace, 'v1.0', plan)).id)).toMatchObject({
      ...{ tag: 'v1.0', 'commit-message': 'first' },
    });
    for (const ref of ['gone', head, 'f'.repeat(40), '../../etc', 'refs/heads/main\n']) {
      const { attributes } = await fetched(workspace, ref, plan);
      expect([ref, attributes.status]).toEqual([ref, 'errored']);
      expect(attributes['error-message'], ref).not.toBe('');
    }
  });

  test('a commit whose run cannot start says why, and stays', async () => {
    const { workspace } = await follow();
    const data = { type: 'workspaces', attributes: { 'execution-mode': 'local' } };
    expect((await acme.owner.call('PATCH', `/workspaces/${workspace}`, { data })).status).toBe(200);
    const { attributes } = await fetched(workspace, 'HEAD');
    expect(attributes).toMatchObject({ status: 'uploaded', error: null });
    expect(attributes['error-message']).toMatch(/^The run could not start: .*local/);
    expect(await messagesIn(acme, workspace)).toEqual([]);
  });

  test('a workspace without a repository is refused', async () => {
    const answer = await ask(await acme.workspace(`h-${++names}`), 'HEAD');
    expect([answer.status, issuesOf(answer)]).toEqual([
      422,
      [expect.stringContaining('/data/attributes/vcs-ref: The workspace follows no repository')],
    ]);
  });

  test('a server that is away is asked again until it is back', async () => {
    const { workspace } = await follow();
    server.credential = { username: 'ada', password: 'changed' };
    const refused = await fetched(workspace, 'HEAD');
    server.credential = { username: 'ada', password: 'secret' };
    expect(refused.attributes).toMatchObject({ status: 'errored', 'error-message': expect.stringMatching(/\w/) });
    expect((await fetched(workspace, 'HEAD')).attributes.status).toBe('uploaded');
  });
});
