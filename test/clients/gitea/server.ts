import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { downloadModule } from '../../support/machine/installed.ts';
import { GITEA_MODULE, installed } from '../support/installation.ts';
import { Browser } from './browser.ts';

const START_MS = 60_000;
/** Name of the administrator. */
export const ADMINISTRATOR = 'boss';

/** A Gitea server on loopback, with its database and repositories in a temporary folder. */
export interface Gitea {
  /** `http://127.0.0.1:40123` */
  readonly address: string;
  /** `http://127.0.0.1:40123/api/v1` */
  readonly apiUrl: string;
  /** Token of the administrator, with all permissions. */
  readonly token: string;
  /** Sends a request to the API as the administrator. Throws if the status is 400 or above. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  api(method: string, path: string, body?: object): Promise<any>;
  /** Creates a user. Returns a token with these scopes, such as `write:repository`. */
  createUser(name: string, scopes: readonly string[]): Promise<string>;
  /** Signs the administrator in, who agrees to the URL of an OAuth client. Returns the code. */
  approve(authorizeUrl: string): Promise<string>;
  /** Runs git in a folder. Returns its output without the last line break. */
  git(folder: string, ...args: readonly string[]): Promise<string>;
  /** Returns the URL of a repository for Git, with a credential. */
  cloneUrl(fullName: string, credential?: { readonly username: string; readonly password: string }): string;
  /** Folder for files of the test. */
  readonly folder: string;
  stop(): Promise<void>;
}

const execute = promisify(execFile);

/** Starts a server, which sends webhooks to loopback. */
export async function startGitea(): Promise<Gitea> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-gitea-'));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const configuration = join(folder, 'app.ini');
  writeFileSync(configuration, settings(folder, port));
  const program = join(installed.gitea, 'gitea');
  const env = { PATH: process.env.PATH, HOME: folder, GITEA_WORK_DIR: folder, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
  const command = async (...args: readonly string[]) =>
    (await execute(program, [...args, '--config', configuration], { env, cwd: folder })).stdout.trim();
  await command('migrate');
  const password = randomBytes(16).toString('hex');
  const account = ['--username', ADMINISTRATOR, '--email', 'boss@example.com', '--password', password];
  await command('admin', 'user', 'create', '--admin', '--must-change-password=false', ...account);
  const names = ['--username', ADMINISTRATOR, '--token-name', 'test', '--scopes', 'all', '--raw'];
  const output = await command('admin', 'user', 'generate-access-token', ...names);
  // Warnings are on the lines before.
  const token = output.split('\n').at(-1) ?? '';
  const server = spawn(program, ['web', '--config', configuration], { env, cwd: folder, stdio: 'ignore' });
  await untilServing(`${address}/api/v1/version`, server);

  const gitea: Gitea = {
    ...{ address, apiUrl: `${address}/api/v1`, token, folder },
    api: async (method, path, body) => {
      const headers = { authorization: `token ${token}`, 'content-type': 'application/json' };
      const response = await fetch(`${address}/api/v1${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
    createUser: async (name, scopes) => {
      const password = randomBytes(16).toString('hex');
      const person = { username: name, email: `${name}@example.com`, password, must_change_password: false };
      await gitea.api('POST', '/admin/users', person);
      const headers = {
        authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
        'content-type': 'application/json',
      };
      const body = JSON.stringify({ name: 'test', scopes });
      const response = await fetch(`${address}/api/v1/users/${name}/tokens`, { method: 'POST', headers, body });
      return ((await response.json()) as { sha1: string }).sha1;
    },
    approve: (authorizeUrl) => new Browser(address).approve(authorizeUrl, password),
    git: async (where, ...args) => {
      const person = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' };
      const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' };
      const options = { cwd: where, env: { ...env, ...person, ...committer, GIT_TERMINAL_PROMPT: '0' } };
      return (await execute('git', [...args], options)).stdout.trim();
    },
    cloneUrl: (fullName, { username, password } = { username: ADMINISTRATOR, password: token }) =>
      `http://${encodeURIComponent(username)}:${encodeURIComponent(password)}@127.0.0.1:${port}/${fullName}.git`,
    stop: async () => {
      server.kill('SIGKILL');
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return gitea;
}

/** The folder of the sources has the templates and languages, which this build does not contain. */
function settings(folder: string, port: number): string {
  const data = join(folder, 'data');
  mkdirSync(data);
  const secret = () => randomBytes(32).toString('base64url');
  const sections: Record<string, Record<string, string | number | boolean>> = {
    server: {
      ...{ PROTOCOL: 'http', HTTP_ADDR: '127.0.0.1', HTTP_PORT: port, ROOT_URL: `http://127.0.0.1:${port}/` },
      ...{ DISABLE_SSH: true, OFFLINE_MODE: true, LFS_START_SERVER: false, APP_DATA_PATH: data },
      STATIC_ROOT_PATH: downloadModule(GITEA_MODULE),
    },
    database: { DB_TYPE: 'sqlite3', PATH: join(data, 'gitea.db') },
    repository: { ROOT: join(data, 'repositories') },
    security: {
      INSTALL_LOCK: true,
      SECRET_KEY: secret(),
      INTERNAL_TOKEN: secret(),
      PASSWORD_HASH_ALGO: 'pbkdf2$1000$50',
    },
    service: { DISABLE_REGISTRATION: true },
    webhook: { ALLOWED_HOST_LIST: 'loopback', DELIVER_TIMEOUT: 5 },
    log: { MODE: 'file', LEVEL: 'Warn', ROOT_PATH: join(folder, 'log') },
    indexer: { ISSUE_INDEXER_TYPE: 'db' },
    oauth2: { JWT_SECRET: secret() },
    ...{ actions: { ENABLED: false }, packages: { ENABLED: false }, mailer: { ENABLED: false } },
    'cron.update_checker': { ENABLED: false },
  };
  const general = [`WORK_PATH = ${folder}`, 'RUN_MODE = prod', 'I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true'];
  const lines = Object.entries(sections).flatMap(([name, values]) => [
    `[${name}]`,
    ...Object.entries(values).map(([key, value]) => `${key} = ${value}`),
  ]);
  return [...general, ...lines, ''].join('\n');
}

async function untilServing(url: string, server: ChildProcess): Promise<void> {
  for (const until = Date.now() + START_MS; Date.now() < until; ) {
    if (server.exitCode !== null) throw new Error(`Gitea ended with code ${server.exitCode}`);
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  server.kill('SIGKILL');
  throw new Error('Gitea does not answer');
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
