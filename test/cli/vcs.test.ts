import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command, type Finished } from '../support/command.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { deliveryHeaders, type FakeProvider, type FakeRepository, fakeGitea } from '../support/vcs/fake-github.ts';

const POLL = { timeout: 30_000, interval: 100 };

/** Runs the commands as processes, against a whole server and a provider on loopback. */
describe('lockkeeper vcs', { timeout: 90_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-vcs-'));
  let gitea: FakeProvider;
  let server: TestServer;
  let repository: FakeRepository;
  let environment: Record<string, string>;

  beforeAll(async () => {
    gitea = await fakeGitea();
    server = await startTestServer('sqlite', {
      vcs: { allowedAddresses: ['127.0.0.1'] },
      publicAddress: 'https://lock.example.com',
    });
    writeFileSync(join(folder, 'ca.pem'), server.ca);
    writeFileSync(join(folder, 'token'), `${gitea.token}\n`);
    environment = {
      LOCKKEEPER_ADDR: server.address,
      LOCKKEEPER_CACERT: join(folder, 'ca.pem'),
      LOCKKEEPER_TOKEN: server.userToken,
      LOCKKEEPER_ORGANIZATION: 'acme',
    };
    await made('/organizations', 'organizations', { name: 'acme', email: 'a@example.com', 'fork-plans': 'approved' });
    repository = await gitea.createRepository('ada/infra');
  });
  afterAll(async () => {
    await server.stop();
    await gitea.stop();
    rmSync(folder, { recursive: true });
  });

  async function made(path: string, type: string, attributes: object) {
    const answer = await server.user('POST', `/api/v2${path}`, { data: { type, attributes } });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  }
  const run = (args: readonly string[], input?: string): Promise<Finished> => {
    const command = new Command(['vcs', ...args], environment);
    command.process.stdin?.end(input ?? '');
    return command.ended();
  };
  const ok = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stderr], args.join(' ')).toEqual([0, '']);
    return stdout;
  };
  const gitea1 = () => ['connect', 'gitea', '--url', `${gitea.httpUrl}/`, '--api-url', gitea.apiUrl, '--name', 'ours'];

  it('connects a provider with a token from a file, which no output shows, and checks it', async () => {
    const { code, stdout, stderr } = await run([...gitea1(), '--token-file', join(folder, 'token')]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^name +ours$/m);
    expect(stdout).toMatch(/^status +ok$/m);
    expect(stdout).not.toContain(gitea.token);
    expect(await ok('connections')).toMatch(/^NAME +ID +PROVIDER +URL +STATUS .*\nours +oc-\w+ +gitea +http\S+ +ok/);
    expect(await ok('check', 'ours', '--field', 'connection-status')).toBe('ok\n');
  });

  it('says why a connection does not work, and what to do next', async () => {
    const args = ['connect', 'gitea', '--url', gitea.httpUrl, '--api-url', gitea.apiUrl, '--name', 'wrong'];
    const { code, stdout, stderr } = await run([...args, '--token-file', '-'], 'not-the-token\n');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^status +refused$/m);
    expect(stderr).toMatch(/the connection does not work: .*\n.*`lockkeeper vcs check oc-\w+`/);
    expect(`${stdout}${stderr}`).not.toContain('not-the-token');
  });

  it('refuses what it cannot send, before a request', async () => {
    const cases: [string[], string][] = [
      [['connect', 'gitea', '--token-file', '-'], 'Set --url https://HOST'],
      [gitea1(), 'The token is missing. Set --token-file'],
      [[...gitea1(), '--token-file', '-'], 'The token is empty'],
      [[...gitea1(), '--token-file', '/nowhere'], 'cannot read /nowhere'],
      [['connect', 'sourceforge'], 'Allowed choices are github,'],
      [['explain', 'one', '--commit', 'abc'], 'git rev-parse HEAD'],
      [['explain', 'one', '--pull', '0'], 'number of a pull request'],
      [['explain', 'one', '--tag', 'a', '--branch', 'b'], 'cannot be used with option'],
      [['events', '--count', '101'], 'from 1 to 100'],
      [['approve-fork', 'one', '--pull', '1'], "required option '--commit <id>'"],
    ];
    for (const [args, text] of cases) {
      const { code, stderr } = await run(args);
      expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining(text)]);
    }
    expect(await run(['check', 'nobody'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('`lockkeeper vcs connections`'),
    });
  });

  it('says what to do for a workspace and a connection that follow nothing', async () => {
    await made('/organizations/acme/workspaces', 'workspaces', { name: 'bare' });
    const { code, stderr } = await run(['look-up', 'bare']);
    expect([code, stderr]).toEqual([5, expect.stringMatching(/follows no repository .*\(409\)\n$/)]);
    expect(await run(['repositories', 'ours'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('--available'),
    });
    expect(await run(['events', 'bare'])).toMatchObject({ code: 0, stderr: expect.stringContaining('No events yet') });
  });

  it('lists the repositories at the provider, and then those that workspaces follow', async () => {
    expect(await ok('repositories', 'ours', '--available')).toBe('REPOSITORY\nada/infra\n');
    expect(await ok('repositories', 'ours', '--search', 'nothing')).toBe('');
    const connections = await ok('connections', '--format', 'json').then(JSON.parse);
    const ours = connections.data.find(
      ({ attributes }: { attributes: { name: string } }) => attributes.name === 'ours',
    );
    await made('/organizations/acme/workspaces', 'workspaces', {
      ...{ name: 'one', 'execution-mode': 'remote', 'queue-all-runs': true, 'trigger-patterns': ['/**/*.tf'] },
      'vcs-repo': { identifier: 'ada/infra', 'oauth-token-id': ours.relationships['oauth-tokens'].data[0].id },
    });
    await expect.poll(() => repository.hooks.length, POLL).toBe(1);
    await expect.poll(() => ok('repositories', 'ours'), POLL).toMatch(/^ada\/infra +vr-\w+ +ok +2026-\S+ +made/m);
  });

  it('shows the events of a workspace with their verdicts and runs', async () => {
    await expect.poll(() => ok('events', 'one'), POLL).toMatch(/^2026-\S+T\S+Z .* run +The branch is new .* run-\w+$/m);
    await repository.git.commit({ 'notes.md': 'a' }, 'notes');
    server.advance(1);
    const { code, stderr } = await run(['look-up', 'one']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('lockkeeper vcs events one')]);
    const id = await repository.git.id();
    const line = new RegExp(`branch main ${id.slice(0, 7)} +skipped +No changed file matches`);
    await expect.poll(() => ok('events', 'one'), POLL).toMatch(line);
    expect(await ok('events', '--count', '1')).toMatch(/info +Commit \w{7} in the branch main of ada\/infra: 0 of 1/);
    expect((await run(['events', 'missing'])).code).toBe(4);
  });

  it('explains a commit, and previews other triggers', async () => {
    const id = await repository.git.id();
    const explained = await ok('explain', 'one', '--commit', id);
    expect(explained).toMatch(new RegExp(`^commit +${id}$`, 'm'));
    expect(explained).toMatch(/^verdict +skipped$/m);
    expect(explained).toMatch(/^source +this was decided when the commit came$/m);
    expect(explained).toMatch(/^Do the changed files concern this workspace\? +no: No changed file matches/m);
    expect(await ok('explain', 'one', '--field', 'code')).toBe('other-files\n');
    expect(await ok('preview', 'one', '--count', '1')).toMatch(/ notes +skipped +No changed file matches/);
    expect(await ok('preview', 'one', '--count', '1', '--pattern', '/*.md', '/x')).toMatch(/ notes +run +The trigger/);
  });

  it('lists deliveries, with what became of them', async () => {
    expect(await run(['deliveries', 'ours', 'ada/infra'])).toMatchObject({
      ...{ code: 0, stdout: '' },
      stderr: expect.stringMatching(
        /^No deliveries yet\. The provider must reach https:\/\/lock\.example\.com\/\S+ and trust/,
      ),
    });
    const [hook] = repository.hooks;
    const before = await repository.git.id();
    const after = await repository.git.commit({ 'main.tf': '# 2' }, 'second');
    const { id, fullName } = repository;
    const push = { repository: { id, full_name: fullName }, ref: 'refs/heads/main', before, after };
    const body = JSON.stringify(push);
    const headers = deliveryHeaders('gitea', 'push', hook?.secret ?? '', body);
    server.advance(1);
    const answer = await server.call('POST', new URL(hook?.url ?? '').pathname, { body, headers });
    expect(answer.status).toBe(202);
    await expect
      .poll(() => ok('deliveries', 'ours', 'ada/infra'), POLL)
      .toMatch(/^RECEIVED-AT .*\n2026-\S+ +\S+ +push refs\/heads\/main +found 1 changes\n$/);
    expect(await run(['deliveries', 'ours', 'ada/other'])).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/no workspace follows ada\/other.*`lockkeeper vcs repositories oc-\w+`/),
    });
  });

  it('approves a commit of a fork, and says when a newer one came', async () => {
    const fork = await gitea.fork(repository, 'mallory');
    await fork.git.git('checkout', '--quiet', '-B', 'change');
    const commit = await fork.git.commit({ 'main.tf': '# 3' }, 'change');
    const { number } = await gitea.openPull(repository, 'change', fork);
    server.advance(1);
    await run(['look-up', 'one']);
    const pull = String(number);
    await expect
      .poll(() => ok('events', 'one'), POLL)
      .toMatch(new RegExp(`pull request ${pull} \\w+ +skipped +The change is from a fork`));
    const wrong = await run(['approve-fork', 'one', '--pull', pull, '--commit', '1'.repeat(40)]);
    expect([wrong.code, wrong.stderr]).toEqual([5, expect.stringContaining(commit)]);
    const approved = await ok('approve-fork', 'one', '--pull', pull, '--commit', commit);
    expect(approved).toMatch(new RegExp(`^commit-sha +${commit}$`, 'm'));
    await expect
      .poll(() => ok('explain', 'one', '--pull', pull), POLL)
      .toMatch(/^Is the change from the repository itself\? +yes: .* it gets no secrets/m);
  });

  it('creates a workspace that follows a repository, and runs its newest commit and a given one', async () => {
    const cli = (...args: string[]) => new Command(args, environment).ended();
    const create = ['workspace', 'create', 'two', '--repository', 'ada/infra', '--connection', 'ours'];
    const made = await cli(...create, '--branch', 'main', '--working-directory', 'net', '--execution-mode', 'remote');
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^repository +ada\/infra$/m), stderr: '' });
    const attribute = async (name: string) => (await cli('workspace', 'show', 'two', '--field', name)).stdout.trim();
    expect([await attribute('vcs-repo.identifier'), await attribute('vcs-repo.branch')]).toEqual(['ada/infra', 'main']);
    expect(await attribute('working-directory')).toBe('net');
    expect(await cli('workspace', 'create', 'acme/bare-too', '--field', 'name')).toMatchObject({
      stdout: 'bare-too\n',
    });
    for (const [args, code, text] of [
      [create, 5, 'has already been taken'],
      [['workspace', 'create', 'three', '--repository', 'ada/infra'], 2, '--connection'],
      [['workspace', 'create', 'three', '--branch', 'main'], 2, '--repository'],
      [['workspace', 'create', 'a/b/c'], 2, 'ORGANIZATION/NAME'],
      [[...create.with(2, 'three').with(6, 'nobody')], 4, '`lockkeeper vcs connections`'],
      [['run', 'start', 'bare', '--vcs-ref', 'HEAD'], 1, 'follows no repository'],
    ] as const) {
      const ended = await cli(...args);
      expect([args, ended.code, ended.stderr]).toEqual([args, code, expect.stringContaining(text)]);
    }

    await expect.poll(async () => (await run(['look-up', 'two'])).code, POLL).toBe(0);
    const missing = await cli('run', 'start', 'two', '--vcs-ref', 'no-such-branch');
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('the commit was not fetched: ')]);
    const [head, tagged] = [await repository.git.id(), await repository.git.id('HEAD~1')];
    await repository.git.git('tag', 'v1', tagged);
    for (const [ref, commit, flags] of [
      ['HEAD', head, ['--message', 'by hand']],
      ['v1', tagged, ['--plan-only']],
    ] as const) {
      const started = new Command(['run', 'start', 'two', '--vcs-ref', ref, ...flags], environment);
      await expect.poll(() => started.stderr, POLL).toMatch(/^Fetching \S+\nRun run-\w+$/m);
      started.process.kill('SIGKILL');
      const id = started.stderr.match(/Run (run-\w+)/)?.[1];
      const path = `/api/v2/runs/${id}?include=configuration_version.ingress_attributes`;
      const { data, included } = (await server.user('GET', path)).body;
      expect(data.attributes).toMatchObject(
        ref === 'HEAD' ? { message: 'by hand', 'plan-only': false } : { 'plan-only': true },
      );
      const ingress = included.find(({ type }: { type: string }) => type === 'ingress-attributes');
      expect(ingress.attributes['commit-sha']).toBe(commit);
    }
  });

  it('has no option for a token', () => {
    const reference = readFileSync(new URL('../../docs/reference/cli.md', import.meta.url), 'utf8');
    const [, connect = ''] = reference.split('### lockkeeper vcs connect\n');
    expect(connect.split('###')[0]).toContain('--token-file <file>');
    expect(connect.split('###')[0]).not.toMatch(/`--token <|`<token>/);
  });
});
