import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import { VcsHousekeeping } from '../../../../src/workspaces/vcs/housekeeping.ts';
import { databaseKinds } from '../../../support/databases.ts';
import type { GitServer } from '../../../support/git-server.ts';
import type { TestApi } from '../support/api.ts';
import type { TestOrganization } from '../support/organization.ts';
import { lookUp, messagesIn, startWithGit, verdictsIn, workOff } from '../support/vcs.ts';

const removeLink = sql<{ workspace: string }>('DELETE FROM vcs_workspace WHERE workspace_id = :workspace');

describe.each(databaseKinds)('pushes to a repository on %s', (kind) => {
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

  const newRepository = async () => {
    const identifier = `team/infra-${++names}.git`;
    const repository = await server.createRepository(identifier);
    await repository.commit({ 'main.tf': '# 1', 'net/main.tf': '# 1', 'app/main.tf': '# 1' }, 'first');
    return { repository, identifier };
  };
  const follow = (identifier: string, attributes: object = {}, repo: object = {}) =>
    acme.workspace(`w-${++names}`, {
      'execution-mode': 'remote',
      'queue-all-runs': true,
      'vcs-repo': { identifier, 'oauth-token-id': token, ...repo },
      ...attributes,
    });

  test('a new workspace with queue-all-runs runs the newest commit, and each push after it', async () => {
    const { repository, identifier } = await newRepository();
    const [all, later] = [await follow(identifier), await follow(identifier, { 'queue-all-runs': false })];
    await workOff(api);
    expect([await messagesIn(acme, all), await messagesIn(acme, later)]).toEqual([['first'], []]);
    await repository.commit({ 'main.tf': '# 2' }, 'second\n\nbody');
    await lookUp(api);
    expect([await messagesIn(acme, all), await messagesIn(acme, later)]).toEqual([['first', 'second'], []]);
    expect(await verdictsIn(api, later)).toEqual(['skipped first-run']);
    await lookUp(api);
    expect(await messagesIn(acme, all)).toEqual(['first', 'second']);
  });

  test('file triggers see the files between two commits: of a force push, of a merge, and of many commits', async () => {
    const { repository, identifier } = await newRepository();
    const net = await follow(identifier, { 'working-directory': 'net' });
    const app = await follow(identifier, { 'trigger-patterns': ['/app/**/*.tf'] });
    await workOff(api);
    await repository.commit({ 'net/main.tf': '# 2' }, 'net');
    await repository.commit({ 'net/other.tf': '# 2' }, 'net again');
    await lookUp(api);
    expect([await messagesIn(acme, net), await messagesIn(acme, app)]).toEqual([['first', 'net again'], ['first']]);

    // The new commits change app alone; what they replace had changed net.
    await repository.git('reset', '--quiet', '--hard', 'HEAD~2');
    await repository.commit({ 'app/main.tf': '# 3' }, 'forced');
    await lookUp(api);
    expect([(await messagesIn(acme, net)).at(-1), (await messagesIn(acme, app)).at(-1)]).toEqual(['forced', 'forced']);

    await repository.git('checkout', '--quiet', '-b', 'side', 'HEAD~1');
    await repository.commit({ 'net/side.tf': '# 4' }, 'side');
    await repository.git('checkout', '--quiet', 'main');
    await repository.git('merge', '--quiet', '--no-ff', '--message', 'merged', 'side');
    await lookUp(api);
    expect([(await messagesIn(acme, net)).at(-1), (await messagesIn(acme, app)).at(-1)]).toEqual(['merged', 'forced']);
  });

  test('a workspace follows a branch with slashes, and says when it was deleted and comes back', async () => {
    const { repository, identifier } = await newRepository();
    await repository.git('branch', 'feature/a-b');
    const workspace = await follow(identifier, { 'file-triggers-enabled': false }, { branch: 'feature/a-b' });
    await workOff(api);
    await repository.commit({ 'main.tf': '# 2' }, 'on main');
    await lookUp(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first']);
    await repository.git('checkout', '--quiet', 'feature/a-b');
    await repository.commit({ 'main.tf': '# 3' }, 'on feature');
    await lookUp(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'on feature']);
    await repository.git('checkout', '--quiet', 'main');
    await repository.git('branch', '--quiet', '-D', 'feature/a-b');
    await lookUp(api);
    expect((await verdictsIn(api, workspace)).at(-1)).toBe('skipped branch-deleted');
    await repository.git('branch', 'feature/a-b');
    await lookUp(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'on feature', 'on main']);
  });

  test('a workspace of an earlier version gets its link later', async () => {
    const { repository, identifier } = await newRepository();
    const workspace = await follow(identifier);
    await workOff(api);
    await api.workspaces.database.run(removeLink, { workspace });
    const housekeeping = api.workspaces.vcs.background.find((work) => work instanceof VcsHousekeeping);
    await housekeeping?.step();
    await workOff(api);
    await repository.commit({ 'main.tf': '# 2' }, 'second');
    await lookUp(api);
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'second']);
  });

  test('tags start runs where they match the expression, annotated ones by their commit', async () => {
    const { repository, identifier } = await newRepository();
    const releases = await follow(
      identifier,
      { 'file-triggers-enabled': false, 'queue-all-runs': true },
      { 'tags-regex': '^v\\d+\\.\\d+$' },
    );
    await workOff(api);
    await repository.commit({ 'main.tf': '# 2' }, 'release');
    await repository.git('tag', '--annotate', '--message', 'one', 'v1.0');
    await repository.git('tag', 'latest');
    await lookUp(api);
    expect(await messagesIn(acme, releases)).toEqual(['release']);
    expect((await verdictsIn(api, releases)).toSorted()).toEqual(['run tag', 'skipped other-tag', 'skipped tags-only']);
  });
});
