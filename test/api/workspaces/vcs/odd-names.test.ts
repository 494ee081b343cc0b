import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import type { GitServer } from '../../../support/git-server.ts';
import { startFakeServer } from '../../../support/vcs/fake-server.ts';
import { json } from '../../../support/vcs/misbehaviour.ts';
import type { TestApi } from '../support/api.ts';
import { issuesOf, type TestOrganization } from '../support/organization.ts';
import { lookUp, messagesIn, newConnection, startWithGit, workOff } from '../support/vcs.ts';

/** A name that PostgreSQL does not compress to the size of a row of an index. */
const longRef = () => Array.from({ length: 16 }, () => randomBytes(100).toString('hex')).join('/');

describe.each(databaseKinds)('names that a database cannot store or index, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let server: GitServer;
  let token: string;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ server, api, acme, token, stop } = await startWithGit(kind));
  });
  afterAll(() => stop());

  test('a tag of thousands of bytes does not hide other tags', async () => {
    const repository = await server.createRepository('team/tags.git');
    await repository.commit({ 'main.tf': '# 1' }, 'first');
    const workspace = await acme.workspace('tags', {
      'queue-all-runs': true,
      'vcs-repo': { identifier: 'team/tags.git', 'oauth-token-id': token, 'tags-regex': '.' },
    });
    await workOff(api);
    await repository.git('tag', `v1/${longRef()}`);
    await repository.commit({ 'main.tf': '# 2' }, 'second');
    await repository.git('tag', 'v2');
    await lookUp(api);
    expect(await messagesIn(acme, workspace)).toEqual(['second']);
  });

  test('a commit message with NUL is shown without it', async () => {
    const repository = await server.createRepository('team/nul.git');
    const id = await repository.commit({ 'main.tf': '# 1' }, 'first');
    const commit = `${(await repository.git('cat-file', 'commit', id)).split('\n\n')[0]}\n\nodd\0message`;
    const odd = await repository.gitWith(
      { input: commit },
      'hash-object',
      '-t',
      'commit',
      '-w',
      '--literally',
      '--stdin',
    );
    await repository.git('update-ref', 'refs/heads/main', odd);
    const workspace = await acme.workspace('nul', {
      'queue-all-runs': true,
      'vcs-repo': { identifier: 'team/nul.git', 'oauth-token-id': token },
    });
    await workOff(api);
    expect(await messagesIn(acme, workspace)).toEqual(['oddmessage']);
    const shown = await acme.owner.call('GET', `/workspaces/${workspace}/vcs-preview`);
    expect(shown.status, shown.text).toBe(200);
  });

  test.each([
    ['identifier', `team/${'\u{4e00}'.repeat(1000)}`],
    ['branch', '\u{4e00}'.repeat(1000)],
  ])('a workspace does not take a longer %s', async (key, value) => {
    const data = {
      type: 'workspaces',
      attributes: { name: `long-${key}`, 'vcs-repo': { identifier: 'team/a', 'oauth-token-id': token, [key]: value } },
    };
    const answer = await acme.owner.call('POST', `/organizations/${acme.name}/workspaces`, { data });
    expect([answer.status, issuesOf(answer)[0]]).toEqual([422, expect.stringContaining(`vcs-repo/${key}`)]);
  });

  test.each([
    ['a URL that is none', { http_url_to_repo: 'not a URL' }],
    ['a name with NUL', { path_with_namespace: 'team/a\0' }],
    ['a name of thousands of bytes', { path_with_namespace: `team/${longRef()}` }],
  ])('a repository with %s is refused with the reason', async (what, odd) => {
    const gitlab = await startFakeServer({});
    try {
      const project = {
        id: 1,
        path_with_namespace: 'team/a',
        web_url: `${gitlab.address}/team/a`,
        default_branch: 'main',
      };
      const both = { ...project, username: 'ada', http_url_to_repo: `${gitlab.address}/team/a.git`, ...odd };
      gitlab.misbehave = json(200, both);
      const odds = await newConnection(api, acme, gitlab.address, {
        ...{ 'service-provider': 'gitlab_community_edition', 'api-url': `${gitlab.address}/api/v4` },
      });
      const workspace = await acme.workspace(what.replaceAll(' ', '-'), {
        'vcs-repo': { identifier: 'team/a', 'oauth-token-id': odds },
      });
      await workOff(api);
      const asked = await acme.owner.call('POST', `/workspaces/${workspace}/configuration-versions`, {
        data: { type: 'configuration-versions', attributes: { 'vcs-ref': 'HEAD' } },
      });
      expect([asked.status, issuesOf(asked)[0]]).toEqual([
        422,
        expect.stringContaining('without a usable name or URL'),
      ]);
    } finally {
      await gitlab.stop();
    }
  });
});
