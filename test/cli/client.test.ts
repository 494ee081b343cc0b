import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command, type DevServer, type Finished, startDev } from '../support/command.ts';

/** Runs the client commands as separate processes, against a server process. */
describe('lockkeeper, the client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-client-'));
  let server: DevServer;
  let environment: Record<string, string>;
  const runtime = () => environment.LOCKKEEPER_RUNTIME_DIR ?? '';

  beforeAll(async () => {
    server = await startDev(join(folder, 'dev'));
    environment = {
      LOCKKEEPER_ADDR: server.line.address,
      LOCKKEEPER_CACERT: server.line.ca_file,
      LOCKKEEPER_RUNTIME_DIR: join(folder, 'run'),
    };
  });
  afterAll(async () => {
    server.command.signal('SIGTERM');
    await server.command.ended();
    rmSync(folder, { recursive: true });
  });

  const run = (args: readonly string[], more: Record<string, string> = {}, input?: string): Promise<Finished> => {
    const command = new Command(args, { ...environment, ...more });
    if (input !== undefined) command.process.stdin?.end(input);
    return command.ended();
  };
  const ok = async (args: readonly string[], more: Record<string, string> = {}, input?: string): Promise<string> => {
    const { code, stdout, stderr } = await run(args, more, input);
    expect([code, stderr], args.join(' ')).toEqual([0, '']);
    return stdout;
  };
  const asRoot = (...args: string[]) => ok(args, { LOCKKEEPER_TOKEN: server.line.root_token });
  const asUser = (...args: string[]) =>
    ok(args, { LOCKKEEPER_TOKEN: server.line.user_token, LOCKKEEPER_ORGANIZATION: 'demo' });
  const certificate = () => ['--cert', server.line.client_cert_file, '--key', server.line.client_key_file];

  it('takes a token from the environment as a file or `echo` leaves it', async () => {
    const more = { LOCKKEEPER_TOKEN: `${server.line.root_token}\n`, LOCKKEEPER_ADDR: `${server.line.address}\n` };
    expect(await ok(['read', 'auth/token/lookup-self', '--field', 'display_name'], more)).toBe('root\n');
    const vault = { LOCKKEEPER_TOKEN: ' ', VAULT_TOKEN: ` ${server.line.root_token}\r\n` };
    expect(await ok(['read', 'auth/token/lookup-self', '--field', 'display_name'], vault)).toBe('root\n');
    const named = await ok(
      ['write', 'auth/token/lookup', '-'],
      vault,
      JSON.stringify({ token: `${server.line.root_token}\n` }),
    );
    expect(named).toContain('root');
  });

  describe('login', () => {
    it('saves a token for later commands, in a file only for its owner, and logout revokes it', async () => {
      const shown = await ok(['login', ...certificate(), '--role', 'runner']);
      expect(shown).toMatch(/^accessor {2}\w+\nexpires {3}\d{4}-/);
      expect(shown).not.toContain('lks.');
      const [file = ''] = readdirSync(runtime());
      expect(statSync(runtime()).mode & 0o777).toBe(0o700);
      expect(statSync(join(runtime(), file)).mode & 0o777).toBe(0o600);
      expect(await ok(['read', 'auth/token/lookup-self', '--field', 'display_name'])).toBe('cert-runner\n');
      expect(await ok(['workspace', 'show', 'demo/sandbox', '--field', 'name'])).toBe('sandbox\n');
      const { token } = JSON.parse(await ok(['login', ...certificate(), '--format', 'json']).then(tokenIn));
      await ok(['logout']);
      expect(readdirSync(runtime())).toEqual([]);
      const used = await run(['read', 'auth/token/lookup-self'], { LOCKKEEPER_TOKEN: token });
      expect(used.code).toBe(3);
    });

    it('prints a token for other tools, and saves none', async () => {
      const token = (await ok(['login', '--print', ...certificate()])).trim();
      expect(token).toMatch(/^lks\./);
      expect(readdirSync(runtime())).toEqual([]);
      expect(await ok(['read', 'auth/token/lookup-self', '--field', 'path'], { VAULT_TOKEN: token })).toBe(
        'auth/cert/login\n',
      );
    });

    it("reads the server and the certificate from environment variables, also with Vault's names", async () => {
      const { LOCKKEEPER_ADDR, LOCKKEEPER_CACERT } = environment;
      const token = await ok(['login', '--print'], {
        LOCKKEEPER_ADDR: '',
        LOCKKEEPER_CACERT: '',
        VAULT_ADDR: LOCKKEEPER_ADDR ?? '',
        VAULT_CACERT: LOCKKEEPER_CACERT ?? '',
        VAULT_CLIENT_CERT: server.line.client_cert_file,
        LOCKKEEPER_KEY: server.line.client_key_file,
      });
      expect(token).toMatch(/^lks\./);
    });

    it('prints a remedy when the login is refused', async () => {
      const { code, stdout, stderr } = await run(['login', ...certificate(), '--role', 'other']);
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toContain('lockkeeper cert explain');
      expect((await run(['login'])).stderr).toBe(
        'lockkeeper: There is no terminal, so login needs --cert, or --browser to print an address\n',
      );
      expect((await run(['login', '--cert', '/nowhere'])).code).toBe(2);
      expect((await run(['login', '--store', '--print', ...certificate()])).code).toBe(2);
    });
  });

  describe('read, write, list, delete', () => {
    it('speak to the access API', async () => {
      const { client_cert_file: file } = server.line;
      await asRoot(
        'write',
        'auth/cert/certs/web',
        `certificate=@${file}`,
        'token_ttl=20m',
        'token_policies=a',
        'token_policies=b',
      );
      expect(await asRoot('list', 'auth/cert/certs')).toBe('runner\nweb\n');
      expect(await asRoot('list', '/v1/auth/cert/certs', '--format', 'json').then(JSON.parse)).toMatchObject({
        data: { keys: ['runner', 'web'] },
      });
      expect(await asRoot('read', 'auth/cert/certs/web', '--field', 'token_ttl')).toBe('1200\n');
      expect(
        JSON.parse(await asRoot('read', 'auth/cert/certs/web', '--field', 'token_policies', '--format', 'json')),
      ).toEqual(['a', 'b']);
      expect(await asRoot('read', 'auth/cert/certs/web')).toMatch(/^token_ttl +1200$/m);
      expect(await asRoot('read', 'auth/cert/certs/web', '--format', 'yaml')).toMatch(/^ {2}token_ttl: 1200$/m);
      expect(await asRoot('delete', 'auth/cert/certs/web')).toBe('Deleted auth/cert/certs/web\n');
      const gone = await run(['read', 'auth/cert/certs/web'], { LOCKKEEPER_TOKEN: server.line.root_token });
      expect([gone.code, gone.stdout]).toEqual([4, '']);
    });

    it('write takes a whole body from standard input', async () => {
      const body = JSON.stringify({ policy: 'path "auth/token/lookup-self" { capabilities = ["read"] }' });
      await ok(['write', 'sys/policies/acl/own', '-'], { LOCKKEEPER_TOKEN: server.line.root_token }, body);
      expect(await asRoot('read', 'sys/policies/acl/own', '--field', 'policy')).toContain('lookup-self');
      const wrong = await run(['write', 'sys/policies/acl/own', '-'], { LOCKKEEPER_TOKEN: 'x' }, '{');
      expect([wrong.code, wrong.stderr]).toEqual([2, 'lockkeeper: the body is not JSON\n']);
    });

    it('escape terminal control characters', async () => {
      await asRoot(
        'write',
        'auth/cert/certs/steer',
        `certificate=@${server.line.client_cert_file}`,
        'display_name=a\u001b[2Jb',
      );
      expect(await asRoot('read', 'auth/cert/certs/steer')).toContain('a\\x1b[2Jb');
    });
  });

  it('api can call everything in the workspace API', async () => {
    const created = await asUser(
      'api',
      'post',
      'organizations/demo/workspaces',
      '--data',
      '{"data":{"type":"workspaces","attributes":{"name":"by-api"}}}',
      '--field',
      'id',
    );
    const id = created.trim();
    expect(id).toMatch(/^ws-/);
    expect(await asUser('api', 'GET', `/api/v2/workspaces/${id}`, '--format', 'table')).toMatch(/^name +by-api$/m);
    expect(await asUser('api', 'DELETE', `workspaces/${id}`)).toBe('');
    const gone = await run(['api', 'GET', `workspaces/${id}`], { LOCKKEEPER_TOKEN: server.line.user_token });
    expect(gone.code).toBe(4);
    expect(gone.stderr).toContain('check the name');
  });

  it('workspace lists, shows, locks and unlocks', async () => {
    const list = await asUser('workspace', 'list', '--search', 'sand');
    expect(list.split('\n')[0]).toMatch(/^NAME +ID +LOCKED/);
    expect(list.split('\n')[1]).toMatch(/^sandbox +ws-\w{16} +false/);
    expect(list.split('\n')).toHaveLength(3);
    await asUser('workspace', 'lock', 'sandbox', '--reason', 'moving house');
    const shown = await asUser('workspace', 'show', 'demo/sandbox');
    expect(shown).toMatch(/^locked +true$/m);
    expect(shown).toMatch(/^locked-by +\S+, \d+ s \(moving house\)$/m);
    const id = (await asUser('workspace', 'show', 'sandbox', '--field', 'id')).trim();
    const second = await run(['workspace', 'lock', id], { LOCKKEEPER_TOKEN: server.line.user_token });
    expect(second.code).toBe(5);
    expect(second.stderr).toMatch(/sandbox is locked by \S+, \d+ s \(moving house\); --force to take it/);
    expect(await asUser('workspace', 'unlock', id, '--force', '--field', 'locked')).toBe('false\n');
  });

  it('schedule creates, lists, pauses, resumes and deletes', async () => {
    const times = ['--cron', '30 2 * * 1-5', '--time-zone', 'Europe/Berlin', '--operation', 'plan'];
    const id = (await asUser('schedule', 'create', 'sandbox', '--name', 'nightly', ...times, '--field', 'id')).trim();
    expect(id).toMatch(/^sched-/);
    const list = await asUser('schedule', 'list', 'demo/sandbox');
    expect(list.split('\n')[0]).toMatch(/^NAME +ID +OPERATION +CRON/);
    expect(list.split('\n')[1]).toMatch(/^nightly +sched-\w{16} +plan +30 2 \* \* 1-5 +Europe\/Berlin +false +\d{4}-/);
    expect(await asUser('schedule', 'pause', id)).toMatch(/^next +paused$/m);
    expect(await asUser('schedule', 'resume', id, '--field', 'paused')).toBe('false\n');
    expect(await asUser('schedule', 'outcomes', id, '--format', 'json')).toContain('"data": []');
    const wrong = ['schedule', 'create', 'demo/sandbox', '--name', 'b', '--cron', '* * * * *', '--operation', 'plan'];
    const refused = await run(wrong, { LOCKKEEPER_TOKEN: server.line.user_token });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('less than 15 minutes apart');
    const nothing = await run(['schedule', 'list'], { LOCKKEEPER_TOKEN: server.line.user_token });
    expect(nothing.stderr).toContain('Name either a workspace or a project');
    expect(await asUser('schedule', 'delete', id)).toBe(`Deleted ${id}\n`);
    expect(await asUser('schedule', 'list', 'sandbox', '--format', 'json')).toContain('"data": []');
  });

  it('explorer queries all workspaces, and prints CSV', async () => {
    const found = await asUser('explorer', 'workspaces', '--filter', 'workspace_name is sandbox');
    expect(found.split('\n')[0]).toContain('WORKSPACE-NAME');
    expect(found).toContain('sandbox');
    const filter = ['--filter', 'workspace_name contains sandb', '--filter', 'drifted is false'];
    expect(await asUser('explorer', 'workspaces', ...filter, '--fields', 'workspace_name', '--csv')).toBe(
      'workspace_name\n"sandbox"\n',
    );
    const wrong = await run(['explorer', 'workspaces', '--filter', 'color is red'], {
      LOCKKEEPER_TOKEN: server.line.user_token,
      LOCKKEEPER_ORGANIZATION: 'demo',
    });
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toContain('no field "color"');
  });

  it('workspace list reads every page', async () => {
    for (let index = 0; index < 100; index++) {
      const body = { data: { type: 'workspaces', attributes: { name: `page-${index}` } } };
      const { status } = await server.call('POST', '/api/v2/organizations/demo/workspaces', {
        token: server.line.user_token,
        body,
      });
      expect(status).toBe(201);
    }
    const { data } = JSON.parse(await asUser('workspace', 'list', '--format', 'json'));
    expect(data.length).toBeGreaterThan(100);
    expect(new Set(data.map(({ id }: { id: string }) => id)).size).toBe(data.length);
  });

  it('cert explain lists for each role why the login fails', async () => {
    const { client_cert_file: leaf, ca_file: foreign } = server.line;
    expect(await asRoot('cert', 'explain', leaf, '--role', 'runner')).toMatch(/^runner +yes *$/m);
    expect(await asRoot('cert', 'explain', foreign, '--role', 'runner')).toMatch(/^runner +no +\w+/m);
    expect(await asRoot('cert', 'explain', leaf, '--field', 'admitted')).toBe('true\n');
  });

  describe('when something is wrong', () => {
    const failing = async (args: readonly string[], more: Record<string, string> = {}) => {
      const { code, stdout, stderr } = await run(args, more);
      expect(stdout).toBe('');
      return [code, stderr] as const;
    };

    it('there is no token', async () => {
      const [code, text] = await failing(['read', 'sys/mounts']);
      expect(code).toBe(3);
      expect(text).toContain('lockkeeper login');
    });

    it('the token is refused, and is not in the message', async () => {
      for (const args of [
        ['read', 'sys/policies/acl'],
        ['workspace', 'show', 'demo/sandbox'],
      ]) {
        const [code, text] = await failing(args, { LOCKKEEPER_TOKEN: 'lku.wrong' });
        expect(code).toBe(3);
        expect(text).not.toContain('lku.wrong');
      }
    });

    it.each([
      [{ LOCKKEEPER_CACERT: '' }, 6, 'LOCKKEEPER_CACERT'],
      [{ LOCKKEEPER_ADDR: 'https://127.0.0.1:9' }, 6, 'nothing listens there'],
      [{ LOCKKEEPER_ADDR: 'http://lockkeeper.example.com' }, 2, 'unencrypted'],
      [{ LOCKKEEPER_ADDR: 'lockkeeper' }, 2, 'expected https://HOST'],
      [{ LOCKKEEPER_CACERT: '/nowhere.pem' }, 2, 'cannot read /nowhere.pem'],
    ])('%j ends with %d', async (more, expected, text) => {
      const [code, told] = await failing(['read', 'sys/mounts'], { LOCKKEEPER_TOKEN: 'hidden-token', ...more });
      expect([code, told.includes(text), told.includes('hidden-token')]).toEqual([expected, true, false]);
    });

    it('the server is another one, and leads elsewhere', async () => {
      const asked: (string | undefined)[] = [];
      const other = createServer(({ url }, response) => {
        asked.push(url);
        response.writeHead(302, { location: '/elsewhere' }).end('<html>');
      });
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const { port } = other.address() as AddressInfo;
      const more = { LOCKKEEPER_TOKEN: 'hidden-token', LOCKKEEPER_ADDR: `http://127.0.0.1:${port}` };
      const [code, text] = await failing(['read', 'sys/mounts'], more);
      expect([code, asked]).toEqual([6, ['/v1/sys/mounts']]);
      expect(text).toContain('Is it the URL of a Lockkeeper server?');
      await new Promise((resolve) => other.close(resolve));
    });

    it('the server announces a response that is too large', async () => {
      const other = createServer((_request, response) =>
        response.writeHead(200, { 'content-length': 268_435_457 }).flushHeaders(),
      );
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      const [code, text] = await failing(['read', 'sys/mounts'], { LOCKKEEPER_TOKEN: 'a', LOCKKEEPER_ADDR: address });
      expect([code, text]).toEqual([6, expect.stringContaining('the response is larger than 268435456 bytes')]);
      await new Promise((resolve) => other.close(resolve));
    });

    it('a folder for tokens that others may read is not used', async () => {
      const shared = mkdtempSync(join(folder, 'shared-'));
      writeFileSync(join(shared, 'x'), '');
      chmodSync(shared, 0o755);
      const [code, text] = await failing(['login', ...certificate()], { LOCKKEEPER_RUNTIME_DIR: shared });
      expect(code).toBe(1);
      expect(text).toContain('LOCKKEEPER_RUNTIME_DIR');
      expect(readdirSync(shared)).toEqual(['x']);
    });

    it('the command line is', async () => {
      expect((await run(['read'])).code).toBe(2);
      expect((await run(['nonsense'])).code).toBe(2);
      expect((await run(['workspace', 'list'], { LOCKKEEPER_TOKEN: 'x' })).code).toBe(2);
      expect((await run(['workspace', 'show', 'a/b/c'], { LOCKKEEPER_TOKEN: 'x' })).code).toBe(2);
      const field = await run(['workspace', 'show', 'demo/sandbox', '--field', 'nothing'], {
        LOCKKEEPER_TOKEN: server.line.user_token,
      });
      expect([field.code, field.stdout]).toEqual([4, '']);
    });
  });
});

/** Output of `login --format json` about the token. */
function tokenIn(text: string): string {
  return JSON.stringify({ token: JSON.parse(text).auth.client_token });
}
