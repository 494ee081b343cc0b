import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command, type DevServer, startDev } from '../support/command.ts';

describe('the sign-in link of lockkeeper dev', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'lockkeeper-dev-')), 'demo');
  let server: DevServer;
  beforeAll(async () => {
    server = await startDev(folder);
  });
  afterAll(async () => {
    server.command.signal('SIGTERM');
    await server.command.ended();
    rmSync(folder, { recursive: true });
  });

  const follow = (url: string, method = 'GET', cookie?: string) =>
    server.call(method, new URL(url).pathname, { headers: cookie === undefined ? {} : { cookie } });

  it('signs one browser in to both APIs, and then leads to the sign-in page', async () => {
    const { sign_in_address: link, user_token: token } = server.line;
    expect(link).toMatch(/^https:\/\/localhost:\d+\/app\/~session\/link\/[\w-]{40}$/);
    // Neither a guess nor a preview uses the link up.
    expect((await follow(`${link.slice(0, -1)}!`)).headers.location).toBe('/app/~sign-in?refused=link');
    expect((await follow(link, 'HEAD')).status).toBe(404);
    const first = await follow(link);
    expect([first.status, first.headers.location]).toEqual([303, '/app']);
    const cookie = String(first.headers['set-cookie']).split(';', 1)[0] ?? '';
    const session = await server.call('GET', '/app/~session', {
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect(session.body).toMatchObject({ workspaces: { kind: 'user', name: 'dev' }, access: { kind: 'token' } });
    const second = await follow(link);
    expect([second.status, second.headers.location]).toEqual([303, '/app/~sign-in?refused=link']);
    expect(second.headers['set-cookie']).toBeUndefined();
    // A browser that loads the link twice stays signed in.
    expect((await follow(link, 'GET', cookie)).headers.location).toBe('/app');
    // The session has tokens of its own.
    expect((await server.call('GET', '/api/v2/account/details', { token })).status).toBe(200);
  });

  it('is not in the audit log', async () => {
    const code = new URL(server.line.sign_in_address).pathname.split('/').at(-1) ?? '';
    const path = '/v1/sys/audit-record?path=/app/~session/link';
    const { body, text } = await server.call('GET', path, { token: server.line.root_token });
    expect(body.data.records.length).toBeGreaterThan(0);
    expect(text).not.toContain(code);
  });

  it('a server on a free port knows its own address, for the identity of runs', async () => {
    const { body } = await server.call('GET', '/.well-known/openid-configuration');
    expect(body.issuer).toBe(server.line.address);
    expect(server.line.address).toMatch(/^https:\/\/localhost:\d+$/);
  });

  it('comes after an explanation of the warning that the browser shows first', async () => {
    const other = join(mkdtempSync(join(tmpdir(), 'lockkeeper-dev-')), 'demo');
    const command = new Command(['dev', '--listen', '127.0.0.1:0', '--data', other]);
    await expect.poll(() => command.stdout, { timeout: 60_000 }).toContain('kill ');
    expect(command.stdout).toMatch(/Your browser warns[\s\S]*server-ca\.pem[\s\S]*\/app\/~session\/link\//);
    command.signal('SIGTERM');
    await command.ended();
    rmSync(other, { recursive: true });
  });
});
