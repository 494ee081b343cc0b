import { Readable } from 'node:stream';
import { list } from 'tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileBlobs } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { type FakeProvider, type FakeRepository, fakeGitea } from '../../../support/vcs/fake-github.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { messagesIn, newConnection, runsIn, verdictsIn, workOff } from '../support/vcs.ts';

/** Shows by real commits what each attribute does (docs/reference/vcs.md, "Conformance"). */
describe.each(databaseKinds)('attributes of a workspace that follows a repository on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let gitea: FakeProvider;
  let token: string;
  let names = 0;
  beforeAll(async () => {
    gitea = await fakeGitea();
    const address = 'https://lock.example.com';
    api = await startApi(kind, FileBlobs, {}, 'none', address, { allowedAddresses: ['127.0.0.1'] });
    acme = await newOrganization(api);
    token = await newConnection(api, acme, gitea.httpUrl, {
      ...{ 'service-provider': 'gitea', 'api-url': gitea.apiUrl, 'oauth-token-string': gitea.token, name: 'Our Gitea' },
    });
  });
  afterAll(async () => {
    await api.close();
    await gitea.stop();
  });

  const newRepository = () => gitea.createRepository(`acme/followed-${++names}`);
  async function follow({ fullName }: FakeRepository, attributes: object = {}, repo: object = {}): Promise<string> {
    const workspace = await acme.workspace(`f-${++names}`, {
      ...{ 'execution-mode': 'remote', 'queue-all-runs': true },
      'vcs-repo': { identifier: fullName, 'oauth-token-id': token, ...repo },
      ...attributes,
    });
    await workOff(api);
    return workspace;
  }
  async function lookUp(workspace: string): Promise<void> {
    api.advance(1000);
    expect((await acme.owner.call('POST', `/workspaces/${workspace}/actions/look-up`)).status).toBe(202);
    await workOff(api);
  }
  const get = async (path: string) => (await acme.owner.call('GET', path)).body;
  /** Returns the ingress attributes of the newest run. */
  async function ingressOf(workspace: string) {
    const [run] = (await runsIn(acme, workspace)).slice(-1);
    const { included } = await get(`/runs/${run.id}?include=configuration_version.ingress_attributes`);
    return included.find(({ type }: { type: string }) => type === 'ingress-attributes').attributes;
  }

  test('vcs-repo: the provider fills in its fields', async () => {
    const repository = await newRepository();
    const { attributes } = (await get(`/workspaces/${await follow(repository)}`)).data;
    expect(attributes['oauth-client-name']).toBe('Our Gitea');
    expect(attributes['vcs-repo']).toEqual({
      branch: '',
      'display-identifier': repository.fullName,
      'github-app-installation-id': null,
      identifier: repository.fullName,
      'ingress-submodules': false,
      'oauth-token-id': token,
      'repository-http-url': `${gitea.httpUrl}/${repository.fullName}`,
      'service-provider': 'gitea',
      tags: false,
      'tags-regex': null,
      'webhook-url': repository.hooks[0]?.url,
    });
    expect(repository.hooks[0]?.url).toMatch(/^https:\/\/lock\.example\.com\/webhooks\/vcs\//);
  });

  test('trigger-prefixes: folders in addition to the working directory', async () => {
    const repository = await newRepository();
    const workspace = await follow(repository, { 'working-directory': 'net', 'trigger-prefixes': ['/modules/vpc/'] });
    for (const [path, isRun] of [
      ['net/main.tf', true],
      ['modules/vpc/deep/main.tf', true],
      ['modules/vpc-old/main.tf', false],
      ['network/main.tf', false],
    ] as const) {
      const before = (await messagesIn(acme, workspace)).length;
      await repository.git.commit({ [path]: `# ${++names}` }, path);
      await lookUp(workspace);
      expect([path, (await messagesIn(acme, workspace)).length]).toEqual([path, before + (isRun ? 1 : 0)]);
    }
    expect(await verdictsIn(api, workspace)).toEqual([
      ...['run new-branch', 'run directory-matches', 'run prefix-matches'],
      ...['skipped other-files', 'skipped other-files'],
    ]);
  });

  test('file-triggers-enabled: without it, files do not count', async () => {
    const repository = await newRepository();
    const settings = { 'working-directory': 'net', 'file-triggers-enabled': false };
    const workspace = await follow(repository, settings);
    await repository.git.commit({ 'app/main.tf': '# 2' }, 'elsewhere');
    await lookUp(workspace);
    expect(await messagesIn(acme, workspace)).toEqual(['first', 'elsewhere']);
    expect((await verdictsIn(api, workspace)).at(-1)).toBe('run any-push');
  });

  test('speculative-enabled: whether pull requests are planned', async () => {
    const repository = await newRepository();
    const planned = await follow(repository);
    const quiet = await follow(repository, { 'speculative-enabled': false });
    await repository.git.git('checkout', '--quiet', '-b', 'change');
    await repository.git.commit({ 'main.tf': '# 2' }, 'proposed');
    await repository.git.git('checkout', '--quiet', 'main');
    await gitea.openPull(repository, 'change');
    await lookUp(planned);
    expect(await messagesIn(acme, planned)).toEqual(['first', 'proposed']);
    expect((await runsIn(acme, planned)).at(-1).attributes['plan-only']).toBe(true);
    expect(await messagesIn(acme, quiet)).toEqual(['first']);
    expect((await verdictsIn(api, quiet)).at(-1)).toBe('skipped speculative-disabled');
  });

  test('ingress-submodules: whether the files of submodules are there', async () => {
    const [repository, module] = [await newRepository(), await newRepository()];
    await module.git.commit({ 'inner.tf': '# inner' }, 'module');
    repository.git.write({ '.gitmodules': `[submodule "m"]\n\tpath = vendor/m\n\turl = ${module.git.url}\n` });
    await repository.git.git('add', '.gitmodules');
    await repository.git.git('update-index', '--add', '--cacheinfo', `160000,${await module.git.id()},vendor/m`);
    await repository.git.git('commit', '--quiet', '--message', 'with a module');
    const filesOf = async (workspace: string) => {
      const { data } = await get(`/workspaces/${workspace}/configuration-versions`);
      const url = `/api/v2/configuration-versions/${data[0].id}/download`;
      const headers = { authorization: `Bearer ${acme.owner.token}` };
      const { rawPayload } = await api.app.inject({ url, headers });
      const paths: string[] = [];
      await new Promise((resolve, reject) => {
        const parser = list({ onReadEntry: ({ path }) => paths.push(path) });
        Readable.from([rawPayload]).pipe(parser).on('finish', resolve).on('error', reject);
      });
      return paths;
    };
    expect(await filesOf(await follow(repository, {}, { 'ingress-submodules': true }))).toContain('vendor/m/inner.tf');
    const without = await filesOf(await follow(repository));
    expect(without).toContain('main.tf');
    expect(without).not.toContain('vendor/m/inner.tf');
  });

  test('readme: that of the commit', async () => {
    const repository = await newRepository();
    const workspace = await follow(repository);
    expect((await get(`/workspaces/${workspace}`)).data.relationships.readme.data).toBeNull();
    await repository.git.commit({ 'README.md': '# Network\n' }, 'readme');
    await lookUp(workspace);
    const { included } = await get(`/workspaces/${workspace}?include=readme`);
    expect(included).toMatchObject([{ type: 'workspace-readme', attributes: { 'raw-markdown': '# Network\n' } }]);
  });

  test('ingress attributes: of a push, a tag and a pull request', async () => {
    const repository = await newRepository();
    const url = `${gitea.httpUrl}/${repository.fullName}`;
    const workspace = await follow(repository);
    const releases = await follow(repository, {}, { 'tags-regex': '^v1$' });
    const pushed = await repository.git.commit({ 'main.tf': '# 2' }, 'Open port 443\n\nThe load balancer needs it.');
    await repository.git.git('tag', 'v1');
    await lookUp(workspace);
    const common = { 'clone-url': repository.git.url, identifier: repository.fullName, 'commit-sha': pushed };
    const noPull = {
      ...{ 'is-pull-request': false, 'pull-request-number': null, 'pull-request-title': null },
      ...{ 'pull-request-body': null, 'pull-request-url': null },
    };
    expect(await ingressOf(workspace)).toEqual({
      ...{ ...common, ...noPull, branch: 'main', 'on-default-branch': true, tag: null },
      'commit-message': 'Open port 443\n\nThe load balancer needs it.',
      'commit-url': `${url}/commit/${pushed}`,
      // Only a webhook says who pushed (test/api/vcs-webhooks.test.ts).
      ...{ 'compare-url': null, 'sender-username': null, 'sender-avatar-url': null, 'sender-html-url': null },
    });
    expect(await ingressOf(releases)).toMatchObject({ ...common, ...noPull, tag: 'v1' });

    await repository.git.git('checkout', '--quiet', '-b', 'change');
    const proposed = await repository.git.commit({ 'main.tf': '# 3' }, 'proposed');
    await repository.git.git('checkout', '--quiet', 'main');
    const pull = await gitea.openPull(repository, 'change');
    Object.assign(pull, { title: 'Open port 80', body: 'Please **read**' });
    await lookUp(workspace);
    expect(await ingressOf(workspace)).toMatchObject({
      ...{ branch: 'change', 'commit-sha': proposed, 'commit-message': 'proposed', 'is-pull-request': true, tag: null },
      ...{ 'on-default-branch': false, 'pull-request-number': pull.number, 'pull-request-title': 'Open port 80' },
      ...{ 'pull-request-body': 'Please **read**', 'pull-request-url': `${url}/pull/${pull.number}` },
      'compare-url': `${url}/pull/${pull.number}`,
    });
  });
});
