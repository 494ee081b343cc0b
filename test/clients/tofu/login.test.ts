import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { CertifiedProvider, CLIENT_ID, CLIENT_SECRET } from '../../support/oidc/certified.ts';
import { Browsing } from '../support/browsing.ts';
import { installed } from '../support/installation.ts';
import { APP } from './configurations.ts';
import { Installation } from './installation.ts';
import { Project } from './project.ts';

const TOFU = join(installed.tofu, 'tofu');
const hasTerraform = spawnSync('terraform', ['version']).status === 0;

let server: Installation;
let provider: CertifiedProvider;
/** CA certificates of the server and of the identity provider, in PEM. */
let authorities: string;
const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-provider-'));

beforeAll(async () => {
  provider = await CertifiedProvider.start();
  const authoritiesFile = join(folder, 'provider.pem');
  writeFileSync(authoritiesFile, provider.ca);
  server = await Installation.start(`sign_in:
  oidc:
    name: Example ID
    issuer: ${provider.issuer}
    client_id: ${CLIENT_ID}
    client_secret: ${CLIENT_SECRET}
    scopes: [profile, email, groups]
    create: always
    teams: [{ group: platform, organization: acme, team: runners }]
    authorities_file: ${authoritiesFile}
    allowed_addresses: [127.0.0.1]
`);
  provider.serve([`https://${server.relay.host}/app/~session/oidc/callback`]);
  authorities = provider.ca + server.authority;
});
afterAll(async () => {
  await server.stop();
  provider.stop();
  rmSync(folder, { recursive: true });
});

/**
 * Follows a redirect to the command line, which listens on loopback.
 * @returns the page that it shows. The command line closes its listener once it has the code, sometimes before it has
 * answered
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

/**
 * Acts as the user: opens the page that the command line prints, signs in there with a token, and authorizes the login.
 */
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
const there = hasTerraform ? programs : programs.slice(0, 1);

/** A machine without a token and without a browser: the command line prints the URL. */
function newcomer(name: string, program: string) {
  const home = mkdtempSync(join(tmpdir(), 'lockkeeper-login-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  // Terraform requires that this folder exists.
  mkdirSync(join(home, '.terraform.d'));
  const files = { 'backend.tf': server.backend('cloud', `name = "login-${name}"`), 'main.tf': APP };
  const { environment, ...rest } = server.surroundings(program, 'token');
  const { CHECKPOINT_DISABLE = '', SSL_CERT_FILE = '' } = environment;
  const blank = { ...rest, environment: { HOME: home, BROWSER: '/bin/false', CHECKPOINT_DISABLE, SSL_CERT_FILE } };
  const project = new Project(blank, files);
  const stored = () => {
    const { credentials } = JSON.parse(readFileSync(join(home, '.terraform.d/credentials.tfrc.json'), 'utf8'));
    return credentials[server.relay.host].token as string;
  };
  return { project, stored };
}

/**
 * Starts a login.
 * @returns the URL that it prints, and a function that continues after the authorization
 */
async function login(project: Project) {
  const running = project.start(['login', server.relay.host], 'yes\n');
  await expect.poll(() => running.printed(), { timeout: 30_000 }).toMatch(/https:\/\/\S+authorize\S+/);
  const [address = ''] = /https:\/\/\S+authorize\S+/.exec(running.printed()) ?? [];
  const finish = async (back: string) => {
    expect([200, 'closed']).toContain(await arrive(back));
    const { code, stdout, stderr } = await running.ended;
    expect(code, stdout + stderr).toBe(0);
  };
  return { address, finish };
}

it.each(there)('%s login: in the browser, with PKCE; then it uses the new token', async (name, program) => {
  const { project, stored } = newcomer(name, program);
  const { address, finish } = await login(project);
  const { searchParams } = new URL(address);
  expect(searchParams.get('code_challenge_method')).toBe('S256');
  await finish(await agree(address, server.userToken));
  expect(stored()).toMatch(/^lku\./);
  expect(stored()).not.toBe(server.userToken);
  await project.done('init', '-input=false');
  expect(await project.apply()).toContain('1 added');
});

it.each(there)(
  '%s login with an identity provider: the user enters no token, and is in the teams of their groups',
  async (name, program) => {
    const { project, stored } = newcomer(`${name}-by-provider`, program);
    const { address, finish } = await login(project);
    const loopback = new URL(new URL(address).searchParams.get('redirect_uri') ?? '').origin;
    const browsing = new Browsing(authorities, (next) => next.startsWith(loopback));
    await browsing.open(address);
    await browsing.follow(/~session\/oidc/);
    expect(browsing.at.address).toContain(provider.issuer);
    await browsing.send({ login: `grace-${name}`, password: 'any' });
    await browsing.send({});
    // Returns to the server, which redirects to the page of the login.
    await browsing.follow(/authorize/);
    expect(browsing.at.text).toContain(`You are signed in as <strong>grace-${name}</strong>`);
    const { address: back } = await browsing.send({ description: 'laptop', lifetime: '8h' });
    await finish(back);
    expect(stored()).toMatch(/^lku\./);
    await project.done('init', '-input=false');
    expect(await project.apply()).toContain('1 added');
    const { body } = await server.call('GET', '/api/v2/account/details', { token: stored() });
    expect(body.data.attributes.username).toBe(`grace-${name}`);
  },
);
