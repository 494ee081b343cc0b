import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../support/machine/free-port.ts';
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
  /** Returns another token of a created user. */
  createToken(name: string, scopes: readonly string[]): Promise<string>;
  /** Deletes all tokens of a created user. */
  revokeTokens(name: string): Promise<void>;
  /** Signs the administrator in, who agrees to the URL of an OAuth client. Returns the code. */
  approve(authorizeUrl: string): Promise<string>;
  /** Runs git in a folder. Returns its output without the last line break. */
  git(folder: string, ...args: readonly string[]): Promise<string>;
  /** Returns the URL of a repository for Git, with a credential. */
  cloneUrl(fullName: string, credential?: { readonly username: string; readonly password: string }): string;
  /** Folder for files of the test. */
  readonly folder: string;
  /** Ends the server as a power cut does. Its data stay. */
  kill(): Promise<void>;
  /** Starts the server again after it was killed. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

const execute = promisify(execFile);

/**
 * Starts a server, which sends webhooks to loopback.
 * @param caFile PEM of CAs that it trusts; default: those of the system
 */
export async function startGitea(caFile?: string): Promise<Gitea> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-gitea-'));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const configuration = join(folder, 'app.ini');
  writeFileSync(configuration, settings(folder, port));
  const program = join(installed.gitea, 'gitea');
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, GITEA_WORK_DIR: folder, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' },
    ...(caFile !== undefined && { SSL_CERT_FILE: caFile }),
  };
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
  const serve = async (): Promise<ChildProcess> => {
    const started = spawn(program, ['web', '--config', configuration], { env, cwd: folder, stdio: 'ignore' });
    await untilServing(`${address}/api/v1/version`, started);
    return started;
  };
  let server = await serve();
  const passwords = new Map<string, string>();
  /** Tokens are managed with the password. */
  const tokensOf = (name: string, method: string, path = '', body?: object): Promise<Response> => {
    const credential = Buffer.from(`${name}:${passwords.get(name)}`).toString('base64');
    const headers = { authorization: `Basic ${credential}`, 'content-type': 'application/json' };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return fetch(`${address}/api/v1/users/${name}/tokens${path}`, sent);
  };

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
      const secret = randomBytes(16).toString('hex');
      const person = { username: name, email: `${name}@example.com`, password: secret, must_change_password: false };
      await gitea.api('POST', '/admin/users', person);
      passwords.set(name, secret);
      return gitea.createToken(name, scopes);
    },
    createToken: async (name, scopes) => {
      const response = await tokensOf(name, 'POST', '', { name: randomBytes(4).toString('hex'), scopes });
      return ((await response.json()) as { sha1: string }).sha1;
    },
    revokeTokens: async (name) => {
      const tokens = (await (await tokensOf(name, 'GET')).json()) as { id: number }[];
      for (const { id } of tokens) await tokensOf(name, 'DELETE', `/${id}`);
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
    kill: async () => {
      server.kill('SIGKILL');
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    },
    resume: async () => {
      server = await serve();
    },
    stop: async () => {
      await gitea.kill();
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
