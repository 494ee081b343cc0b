import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliClient, startCliClient } from '../../support/cli/cli-client.ts';
import { Command } from '../../support/command.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Sends a request whose path may be no URL. */
const statusOf = (port: string, path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path }, (response) => resolve(response.resume().statusCode));
    sent.on('error', reject).end();
  });

describe('lockkeeper login, whoami, open, team, user, token, policy and auth', { timeout: 60_000 }, () => {
  let cli: CliClient;
  beforeAll(async () => {
    cli = await startCliClient();
  });
  afterAll(() => cli.stop());

  it('login in the browser stores a user token, which logout revokes', async () => {
    const login = new Command(['login', '--browser'], { ...cli.environment, LOCKKEEPER_TOKEN: '' });
    await expect.poll(() => login.stderr, { timeout: 20_000 }).toMatch(/authorize\?/);
    const url = new URL(/https:\S+/.exec(login.stderr)?.[0] ?? '');
    const redirect = url.searchParams.get('redirect_uri') ?? '';
    expect(redirect).toMatch(/^http:\/\/127\.0\.0\.1:100\d\d\/login$/);
    const strange = await fetch(`${redirect}?code=x&state=y`);
    expect(strange.status).toBe(404);
    // Any page on this machine can send these. Neither must end the command.
    const { length } = url.searchParams.get('state') ?? '';
    expect((await fetch(`${redirect}?code=x&state=${'é'.repeat(length)}`)).status).toBe(404);
    expect(await statusOf(new URL(redirect).port, '//')).toBe(404);
    const fields = {
      ...Object.fromEntries(url.searchParams),
      token: cli.server.userToken,
      description: 'laptop',
      lifetime: '8h',
    };
    const approved = await cli.server.call('POST', url.pathname, {
      ...{ body: new URLSearchParams(fields).toString(), headers: FORM },
    });
    expect(approved.status, approved.text).toBe(303);
    expect(await (await fetch(approved.headers.location ?? '')).text()).toContain('Return to the terminal');
    const { code, stdout, stderr } = await login.ended();
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^username +first$/m);
    const session = { LOCKKEEPER_TOKEN: '' };
    const who = await cli.run(['whoami'], session);
    expect([who.code, who.stdout]).toEqual([0, expect.stringMatching(/^workspace-api +first$/m)]);
    expect(who.stdout).toMatch(/^access-api +no: /m);
    const tokens = () => cli.ok('token', 'list');
    expect(await tokens()).toContain('laptop');
    expect((await cli.run(['logout'], session)).code).toBe(0);
    expect(await tokens()).not.toContain('laptop');
    const none = await cli.run(['whoami'], session);
    expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('log in with `lockkeeper login`')]);
  });

  it.each([
    'https://login.example.com/authorize',
    '//login.example.com/authorize',
    'file:///etc/passwd',
    'javascript:alert(1)',
  ])('login in the browser does not open %s', async (authz) => {
    const service = { client: 'a', authz, token: '/token', ports: [10_000, 10_010] };
    const server = createServer((_request, response) => response.end(JSON.stringify({ 'login.v1': service })));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await cli.run(['login', '--browser', '--address', address]);
    server.closeAllConnections();
    server.close();
    expect([code, stderr]).toEqual([
      1,
      `lockkeeper: ${address} names a login page at another server; check --address, or use --cert\n`,
    ]);
  });

  it('whoami says which API a token belongs to, and what it may', async () => {
    const root = await cli.run(['whoami', '--json', 'access-api,policies'], { LOCKKEEPER_TOKEN: cli.server.rootToken });
    expect(JSON.parse(root.stdout)).toEqual({ 'access-api': 'root', policies: 'root' });
    const wrong = await cli.run(['whoami'], { LOCKKEEPER_TOKEN: 'lku.wrong' });
    expect([wrong.code, wrong.stdout, wrong.stderr.includes('lku.wrong')]).toEqual([3, '', false]);
  });

  it('open prints the address, and calls the browser', async () => {
    await cli.ok('workspace', 'create', 'opened');
    const page = `${cli.server.address}/app/acme/workspaces/opened`;
    expect(await cli.ok('open')).toBe(`${cli.server.address}/app/\n`);
    expect(await cli.ok('open', 'opened')).toBe(`${page}\n`);
    const browser = join(cli.folder, 'browser');
    const opened = join(cli.folder, 'opened');
    writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`, {
      mode: 0o755,
    });
    expect((await cli.run(['open', 'acme/opened'], { BROWSER: browser })).stdout).toBe(`${page}\n`);
    await expect.poll(() => readFileSync(opened, { encoding: 'utf8', flag: 'a+' })).toBe(page);
    expect((await cli.run(['open', 'acme/nothing'])).code).toBe(4);
  });

  it('manages teams and their members', async () => {
    await cli.ok('team', 'create', 'acme/platform');
    expect((await cli.run(['team', 'create', 'platform'])).code).toBe(5);
    expect(await cli.ok('team', 'add', 'platform', 'first')).toBe('Added first to the team platform\n');
    expect(await cli.ok('team', 'show', 'platform')).toMatch(/^members +\["first"\]$/m);
    await cli.ok('team', 'remove', 'platform', 'first');
    expect(await cli.ok('team', 'show', 'acme/platform')).toMatch(/^members +\[\]$/m);
    expect(await cli.ok('team', 'list')).toMatch(/^owners +team-/m);
    expect(await cli.ok('team', 'delete', 'platform', '--yes')).toBe('Deleted the team platform\n');
    expect((await cli.run(['team', 'show', 'platform'])).code).toBe(4);
  });

  it('invites and removes members', async () => {
    await cli.ok('team', 'create', 'guests');
    const invited = await cli.run(['user', 'invite', 'grace@example.com', '--team', 'guests']);
    expect([invited.code, invited.stdout]).toEqual([0, expect.stringMatching(/^status +invited$/m)]);
    expect(invited.stderr).toBe('Send the link to grace@example.com. It works once, for 7 days.\n');
    const [first] = /https:\S+#\S+/.exec(invited.stdout) ?? [];
    const again = await cli.run(['user', 'invite', 'grace@example.com']);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('The new link replaces the one before')]);
    const [second] = /https:\S+#\S+/.exec(again.stdout) ?? [];
    expect([first, second]).toEqual([expect.any(String), expect.any(String)]);
    expect(second).not.toBe(first);
    expect(await cli.ok('user', 'list')).toMatch(/grace@example\.com +invited/);
    expect(await cli.ok('user', 'list')).toMatch(/^first +\S+ +active/m);
    expect(await cli.ok('user', 'remove', 'grace@example.com', '--yes')).toContain('Removed grace@example.com');
    expect((await cli.run(['user', 'remove', 'grace@example.com', '--yes'])).code).toBe(4);
  });

  it('creates and revokes tokens of a user and of a team', async () => {
    await cli.ok('team', 'create', 'robots');
    for (const [description, of] of [
      ['mine', []],
      ['ours', ['--team', 'acme/robots']],
    ] as const) {
      const created = JSON.parse(
        await cli.ok('token', 'create', '--description', description, '--expires', '30d', ...of, '--json', 'id,token'),
      );
      expect(await cli.ok('token', 'list', ...of)).toContain(description);
      expect((await cli.run(['whoami'], { LOCKKEEPER_TOKEN: created.token })).stderr).not.toContain(created.token);
      expect(await cli.ok('token', 'revoke', created.id)).toBe(`Revoked the token ${created.id}\n`);
      expect(await cli.ok('token', 'list', ...of)).not.toContain(created.id);
    }
    expect((await cli.run(['token', 'create', '--description', 'x', '--expires', 'soon'])).code).toBe(2);
  });

  it('formats and checks policy files without a server', async () => {
    const file = join(cli.folder, 'builders.hcl');
    const text =
      '# builders\npath "auth/token/*" {\ncapabilities=["read"]   # only\n      allowed_parameters = { "a" = [] }\n}\n\n\n';
    writeFileSync(file, text);
    expect(await cli.ok('policy', 'check', file)).toBe(`${file}: valid, 1 path\n`);
    const unformatted = await cli.run(['policy', 'fmt', '--check', file]);
    expect([unformatted.code, unformatted.stdout]).toEqual([1, `${file}\n`]);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(await cli.ok('policy', 'fmt', file)).toBe(`${file}\n`);
    expect(readFileSync(file, 'utf8')).toBe(
      '# builders\npath "auth/token/*" {\n  capabilities       = ["read"]   # only\n  allowed_parameters = { "a" = [] }\n}\n',
    );
    expect(await cli.ok('policy', 'fmt', '--check', file)).toBe('');
    writeFileSync(file, 'path "a" { capabilities = [read] }\n');
    const wrong = await cli.run(['policy', 'check', file]);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/builders\.hcl: line 1, column \d+: /)]);
    const piped = await cli.run(['policy', 'fmt', '-'], {}, 'path "a" {\ncapabilities = ["list"]\n}');
    expect(piped.stdout).toBe('path "a" {\n  capabilities = ["list"]\n}\n');
  });

  it('formats policies without a change of strings, comments and heredocs', async () => {
    const kept = [
      ...['path "team=a" {', '  allowed_parameters = {', '    "a=b" = [', '      "team=infra",', '      "x=1",'],
      ...['    ]', '  }', '  /* old:', 'a=1', '  long_name = 2 */', '  capabilities = ["read"]', '}', ''],
    ].join('\n');
    expect((await cli.run(['policy', 'fmt', '-'], {}, kept)).stdout).toBe(kept);
    const heredoc =
      'path "a" {\ncapabilities=["read"]\n  required_parameters = [\n    <<EOT\na=1\nlonger = 2\nEOT\n  ]\n}\n';
    const formatted = await cli.run(['policy', 'fmt', '-'], {}, heredoc);
    const aligned = heredoc.replace('capabilities=', '  capabilities        = ');
    expect([formatted.stdout, formatted.stderr]).toEqual([aligned, '']);
  });

  it('lists, enables, tunes and disables auth methods', async () => {
    const asRoot = async (...args: string[]) => {
      const { code, stdout, stderr } = await cli.run(['auth', ...args], { LOCKKEEPER_TOKEN: cli.server.rootToken });
      expect(code, stderr).toBe(0);
      return stdout;
    };
    expect(await asRoot('enable', 'cert', '--path', 'racks', '--description', 'machines')).toBe(
      'Enabled the auth method cert at auth/racks/\n',
    );
    expect(await asRoot('list')).toMatch(/^racks\/ +cert +\S+ +machines$/m);
    expect(await asRoot('tune', 'racks', 'max_lease_ttl=24h')).toMatch(/^max_lease_ttl +86400$/m);
    const again = await cli.run(['auth', 'enable', 'cert', '--path', 'racks'], {
      LOCKKEEPER_TOKEN: cli.server.rootToken,
    });
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('already in use')]);
    expect(await asRoot('disable', 'auth/racks/', '--yes')).toBe('Disabled the auth method at auth/racks/\n');
    expect(await asRoot('list')).not.toContain('racks');
  });

  it('hints at what happened', async () => {
    const cases: [string[], string, string, number][] = [
      [['read', 'sys/policies/acl/default'], 'hvs.unknown', 'the token is unknown, expired', 3],
      [['workspace', 'list'], 'lku.unknown', 'log in again', 3],
      [['workspace', 'show', 'nothing'], cli.server.userToken, 'check the name', 4],
      [['list', 'auth/cert/nothing'], cli.server.rootToken, 'check the name', 4],
    ];
    for (const [args, token, text, code] of cases) {
      const ended = await cli.run(args, { LOCKKEEPER_TOKEN: token });
      expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(text)]);
    }
    const created = await cli.server.root('POST', '/v1/auth/token/create', { policies: ['none'] });
    const limited = await cli.run(['read', 'sys/auth'], { LOCKKEEPER_TOKEN: created.body.auth.client_token });
    expect([limited.code, limited.stderr]).toEqual([3, expect.stringContaining('the policies of your token')]);
    expect(limited.stderr).not.toContain('1 error occurred');
  });

  it('names a thing that is missing or not visible', async () => {
    const notVisible = 'not found, or the token may not see it (404)';
    const cases: [string[], string][] = [
      [['workspace', 'show', 'nothing'], `workspace nothing in organization acme: ${notVisible}\n`],
      [['workspace', 'list', '--organization', 'none'], `workspaces of organization none: ${notVisible}\n`],
      [['run', 'show', 'run-CZcmD7eagjhyX0vN'], `run run-CZcmD7eagjhyX0vN: ${notVisible}\n`],
      [
        ['token', 'revoke', 'at-CZcmD7eagjhyX0vN'],
        'token at-CZcmD7eagjhyX0vN: not found, or the token may not see or change it (404)\n',
      ],
    ];
    for (const [args, text] of cases) {
      const { code, stderr } = await cli.run(args);
      expect([code, stderr]).toEqual([4, expect.stringContaining(`lockkeeper: ${text}`)]);
    }
    const asRoot = { LOCKKEEPER_TOKEN: cli.server.rootToken };
    const missing = await cli.run(['read', 'auth/cert/certs/nothing'], asRoot);
    expect([missing.code, missing.stderr]).toEqual([
      4,
      expect.stringContaining('auth/cert/certs/nothing: not found (404)'),
    ]);
  });

  it('recognizes a token of the other API', async () => {
    const { rootToken, userToken } = cli.server;
    const read = await cli.run(['read', 'sys/auth'], { LOCKKEEPER_TOKEN: '', VAULT_TOKEN: userToken });
    expect([read.code, read.stderr]).toEqual([
      3,
      expect.stringMatching(
        /VAULT_TOKEN is a token of the workspace API \(lku\.…\), and .* begins with lks\. or lkb\./,
      ),
    ]);
    const list = await cli.run(['workspace', 'list'], { LOCKKEEPER_TOKEN: rootToken });
    expect([list.code, list.stderr]).toEqual([
      3,
      expect.stringMatching(/LOCKKEEPER_TOKEN is a token of the access API \(lks\.…\), and .* begins with lku\./),
    ]);
    for (const { stderr } of [read, list]) {
      expect(stderr).not.toContain(rootToken.slice(4));
      expect(stderr).not.toContain(userToken.slice(4));
    }
    const access = await cli.server.call('GET', '/v1/sys/auth', { token: userToken });
    expect([access.status, access.body.errors]).toEqual([
      403,
      [expect.stringMatching(/^permission denied: .*workspace/)],
    ]);
    const authorization = { authorization: `Bearer ${rootToken}` };
    const workspaces = await cli.server.call('GET', '/api/v2/account/details', { headers: authorization });
    expect([workspaces.status, workspaces.body.errors[0].detail]).toEqual([401, expect.stringContaining('access API')]);
  });
});
