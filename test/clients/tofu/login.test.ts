import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { installed } from '../support/installation.ts';
import { APP } from './configurations.ts';
import { Installation } from './installation.ts';
import { Project } from './project.ts';

const TOFU = join(installed.tofu, 'tofu');
const hasTerraform = spawnSync('terraform', ['version']).status === 0;

let server: Installation;
beforeAll(async () => {
  server = await Installation.start();
});
afterAll(() => server.stop());

/**
 * Follows a redirect to the command line, which waits for it on loopback; returns what it shows in the browser. It closes its door
 * once it has the code, at times before it has answered.
 */
function arrive(address: string): Promise<number | 'closed' | undefined> {
  return new Promise((resolve, reject) => {
    request(address, (incoming) => {
      incoming.resume().on('end', () => resolve(incoming.statusCode));
    })
      .on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? resolve('closed') : reject(error)))
      .end();
  });
}

/** What a person does: opens the page that the command line names, signs in there with a token, and agrees. */
async function agree(address: string, token: string): Promise<string> {
  const { pathname, search } = new URL(address);
  const page = await server.call('GET', pathname + search, { token: '' });
  expect(page.status, page.text).toBe(200);
  const fields = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const given = Object.fromEntries(fields.map(([, name, value]) => [name, value]));
  const body = new URLSearchParams({ ...given, token, description: 'laptop', lifetime: '8h' }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await server.call('POST', pathname, { token: '', body, headers });
  expect(answer.status, answer.text).toBe(303);
  return answer.headers.location ?? '';
}

const programs = [
  ['tofu', TOFU],
  ['terraform', 'terraform'],
] as const;

it.each(hasTerraform ? programs : programs.slice(0, 1))(
  '%s login: by the browser, with a proof key; then it works with the token that it got',
  async (name, program) => {
    const home = mkdtempSync(join(tmpdir(), 'lockkeeper-login-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    // Terraform wants its folder to be there.
    mkdirSync(join(home, '.terraform.d'));
    // No token yet, and no browser: the address is printed.
    const files = { 'backend.tf': server.backend('cloud', `name = "login-${name}"`), 'main.tf': APP };
    const { environment, ...rest } = server.surroundings(program, 'token');
    const { CHECKPOINT_DISABLE = '', SSL_CERT_FILE = '' } = environment;
    const blank = { ...rest, environment: { HOME: home, BROWSER: '/bin/false', CHECKPOINT_DISABLE, SSL_CERT_FILE } };
    const here = new Project(blank, files);
    const running = here.start(['login', server.relay.host], 'yes\n');
    await expect.poll(() => running.printed(), { timeout: 30_000 }).toMatch(/https:\/\/\S+authorize\S+/);
    const [address = ''] = /https:\/\/\S+authorize\S+/.exec(running.printed()) ?? [];
    const { searchParams } = new URL(address);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect([200, 'closed']).toContain(await arrive(await agree(address, server.userToken)));
    const { code, stdout, stderr } = await running.ended;
    expect(code, stdout + stderr).toBe(0);
    const stored = readFileSync(join(home, '.terraform.d/credentials.tfrc.json'), 'utf8');
    const { token } = JSON.parse(stored).credentials[server.relay.host];
    expect(token).toMatch(/^lku\./);
    expect(token).not.toBe(server.userToken);
    await here.done('init', '-input=false');
    expect(await here.apply()).toContain('1 added');
  },
);
