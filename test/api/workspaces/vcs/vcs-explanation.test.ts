import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import type { GitServer, TestRepository } from '../../../support/git-server.ts';
import type { TestApi } from '../support/api.ts';
import { issuesOf, type TestOrganization } from '../support/organization.ts';
import { lookUp, runsIn, startWithGit, workOff } from '../support/vcs.ts';

describe.each(databaseKinds)('why a commit starts a run, on %s', (kind) => {
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

  async function newRepository(): Promise<{ repository: TestRepository; identifier: string }> {
    const identifier = `team/why-${++names}.git`;
    const repository = await server.createRepository(identifier);
    await repository.commit({ 'main.tf': '# 1', 'net/main.tf': '# 1' }, 'first');
    return { repository, identifier };
  }
  const follow = async (identifier: string, attributes: object = {}, repo: object = {}): Promise<string> => {
    const id = await acme.workspace(`w-${++names}`, {
      'vcs-repo': { identifier, 'oauth-token-id': token, ...repo },
      ...attributes,
    });
    await workOff(api);
    return id;
  };
  const explain = (workspace: string, query = '') =>
    acme.owner.call('GET', `/workspaces/${workspace}/vcs-explanation${query}`);
  const codesOf = ({ body, text }: Awaited<ReturnType<typeof explain>>) => {
    expect(body.data, text).toBeDefined();
    const { source, outcome, code, checks } = body.data.attributes;
    return [source, outcome, code, checks.map((check: { code: string }) => check.code).join(' ')];
  };
  const preview = (workspace: string, attributes?: object, query = '') => {
    const path = `/workspaces/${workspace}/vcs-preview${query}`;
    if (attributes === undefined) return acme.owner.call('GET', path);
    return acme.owner.call('POST', path, { data: { type: 'workspaces', attributes } });
  };
  const previewed = ({ body, text }: Awaited<ReturnType<typeof preview>>) => {
    expect(body.data, text).toBeDefined();
    return body.data.map(({ attributes: { message, outcome, code } }: { attributes: Record<string, string> }) =>
      [message, outcome, code].join(' '),
    );
  };

  test('the newest commit of the branch, without any event', async () => {
    const { repository, identifier } = await newRepository();
    await repository.commit({ 'net/main.tf': '# 2' }, 'second');
    const workspace = await follow(identifier, { 'trigger-patterns': ['/net/**/*'] });
    const answer = await explain(workspace);
    expect(codesOf(answer)).toEqual([
      'computed',
      'skipped',
      'first-run',
      'branch first-run new-commit pattern-matches',
    ]);
    const { attributes, relationships } = answer.body.data;
    expect(attributes).toMatchObject({
      kind: 'push',
      ref: 'main',
      'commit-sha': await repository.git('rev-parse', 'main'),
    });
    expect(attributes.text).toBe(
      'The workspace had no run yet. Start the first run yourself, or turn on queue-all-runs.',
    );
    expect(attributes.checks.at(-1)).toEqual({
      question: 'files',
      'question-text': 'Do the changed files concern this workspace?',
      passes: true,
      code: 'pattern-matches',
      text: 'The trigger pattern /net/**/* matches net/main.tf.',
    });
    expect(relationships.run.data).toBeNull();
  });

  test('the answer is that of the real decision, before and after the push is seen', async () => {
    const { repository, identifier } = await newRepository();
    const triggers = { 'queue-all-runs': true, 'working-directory': 'net' };
    const workspace = await follow(identifier, triggers);
    for (const file of ['net/a.tf', 'other.tf']) {
      await repository.commit({ [file]: '#' }, file);
      const before = codesOf(await explain(workspace));
      await lookUp(api);
      const decided = await explain(workspace);
      expect(codesOf(decided)).toEqual(['decided', ...before.slice(1)]);
      const runs = await runsIn(acme, workspace);
      const run = runs.find(({ attributes }: { attributes: { message: string } }) => attributes.message === file);
      expect(decided.body.data.relationships.run.data?.id).toBe(run?.id);
    }
  });

  test('a commit of the past, another branch, a tag, and what does not exist', async () => {
    const { repository, identifier } = await newRepository();
    const first = await repository.git('rev-parse', 'main');
    await repository.git('tag', 'v1');
    await repository.git('branch', 'side');
    await repository.commit({ 'main.tf': '# 2' }, 'second');
    await repository.git('checkout', '--quiet', 'side');
    await repository.commit({ 'side.tf': '#' }, 'side');
    const side = await repository.git('rev-parse', 'side');
    await repository.git('checkout', '--quiet', 'main');
    const workspace = await follow(identifier);
    const code = async (query: string) => codesOf(await explain(workspace, query))[2];
    expect(await code(`?commit=${first}`)).toBe('first-run');
    expect(codesOf(await explain(workspace, `?commit=${first}`))[3]).toContain('overtaken');
    expect(await code('?branch=side')).toBe('other-branch');
    expect(await code(`?branch=side&commit=${side}`)).toBe('other-branch');
    expect(await code('?tag=v1')).toBe('no-tags-regex');
    for (const [query, parameter] of [
      [`?commit=${side}`, 'does not contain this commit'],
      [`?commit=${'0'.repeat(40)}`, 'does not contain this commit'],
      ['?branch=none', 'has no branch none'],
      ['?tag=none', 'has no such tag'],
      ['?pull=1', 'has no pull requests'],
      [`?tag=v1&commit=${first}`, 'not about several'],
    ] as const) {
      const answer = await explain(workspace, query);
      expect([answer.status, issuesOf(answer)[0]], query).toEqual([422, expect.stringContaining(parameter)]);
    }
    expect((await explain(workspace, '?commit=abc')).status).toBe(400);
  });

  test('a workspace without a repository, or with one that is not there, has a reason', async () => {
    const none = await acme.workspace(`none-${++names}`);
    const gone = await follow('team/nowhere.git');
    for (const [workspace, status, text] of [
      [none, 409, 'follows no repository'],
      [gone, 422, 'has no such repository'],
    ] as const) {
      for (const answer of [await explain(workspace), await preview(workspace)]) {
        expect([answer.status, issuesOf(answer)[0]]).toEqual([status, expect.stringContaining(text)]);
      }
    }
  });

  test('a Git server that fails gives an answer of the API', async () => {
    const { identifier } = await newRepository();
    const workspace = await follow(identifier);
    server.misbehave = (_, response) => response.writeHead(500).end('<html>');
    try {
      for (const answer of [await explain(workspace), await preview(workspace)]) {
        expect([answer.status, issuesOf(answer)[0]]).toEqual([422, expect.stringContaining('status 500')]);
      }
    } finally {
      server.misbehave = undefined;
    }
  });

  test('the preview shows the last commits by the saved triggers, or by others', async () => {
    const { repository, identifier } = await newRepository();
    await repository.commit({ 'net/main.tf': '# 2' }, 'net');
    await repository.commit({ 'app/main.tf': '# 2' }, 'app\n\nbody');
    const workspace = await follow(identifier, { 'working-directory': 'net' });
    expect(previewed(await preview(workspace))).toEqual([
      'app skipped other-files',
      'net run directory-matches',
      'first run first-commit',
    ]);
    expect(previewed(await preview(workspace, { 'trigger-patterns': ['/app/*'] }))).toEqual([
      'app run pattern-matches',
      'net skipped other-files',
      'first run first-commit',
    ]);
    expect(previewed(await preview(workspace, { 'file-triggers-enabled': false }, '?count=1'))).toEqual([
      'app run any-push',
    ]);
    const refused = await preview(workspace, { 'trigger-patterns': ['/{a,b}'] });
    expect([refused.status, issuesOf(refused)[0]]).toEqual([422, expect.stringContaining('Braces are not supported')]);
    for (const count of ['0', '100', 'x'])
      expect((await preview(workspace, undefined, `?count=${count}`)).status).toBe(400);
    const show = await acme.owner.call('GET', `/workspaces/${workspace}`);
    expect(show.body.data.attributes['trigger-patterns']).toEqual([]);
  });

  test('other triggers need no Git server again for the same commits', async () => {
    const { repository, identifier } = await newRepository();
    await repository.commit({ 'a.tf': '#' }, 'a');
    const workspace = await follow(identifier);
    const requests = async (attributes: object) => {
      server.requests.length = 0;
      expect((await preview(workspace, attributes)).status).toBe(200);
      return server.requests.length;
    };
    const first = await requests({ 'trigger-patterns': ['/a*'] });
    expect(await requests({ 'trigger-patterns': ['/b*'] })).toBeLessThan(first);
  });

  test('the preview of tags shows the highest ones first', async () => {
    const { repository, identifier } = await newRepository();
    for (const tag of ['v1.9.0', 'v1.10.0', 'latest']) await repository.git('tag', tag);
    const workspace = await follow(identifier, {}, { 'tags-regex': '^v\\d' });
    const { body } = await preview(workspace, undefined, '?count=3');
    const shown = body.data.map(({ attributes }: { attributes: Record<string, string> }) => attributes);
    expect(shown.map(({ ref, code }: Record<string, string>) => `${ref} ${code}`)).toEqual([
      'v1.10.0 tag',
      'v1.9.0 tag',
      'latest other-tag',
    ]);
    const other = await preview(workspace, { 'vcs-repo': { 'tags-regex': 'latest' } }, '?count=1');
    expect(other.body.data[0].attributes).toMatchObject({ ref: 'v1.10.0', outcome: 'skipped' });
    const bad = await preview(workspace, { 'vcs-repo': { 'tags-regex': '^v(?!0)' } });
    expect([bad.status, issuesOf(bad)[0]]).toEqual([422, expect.stringContaining('Tags regex cannot be run')]);
  });
});
