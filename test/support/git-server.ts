import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Request of a Git client, and what it cost. */
export interface GitRequest {
  /** Path with its query: `/a.git/info/refs?service=git-upload-pack`. */
  readonly path: string;
  readonly authorization: string | undefined;
  /** Bytes of the response's body so far. */
  bytes: number;
}

/** Answers a request instead of Git, or calls `next` to let Git answer. */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Options of a repository. */
export interface GitRepositoryOptions {
  /** Whether the server supports `filter`. Default: true. */
  readonly filters?: boolean;
  /** Whether clients may push over HTTP. Default: false. */
  readonly push?: boolean;
  /** Default: sha1. */
  readonly format?: 'sha1' | 'sha256';
}

/** `git http-backend` behind an HTTP server on loopback, with bare repositories in a temporary folder. */
export interface GitServer {
  /** `http://127.0.0.1:40123` */
  readonly address: string;
  readonly port: number;
  /** Folder of the repositories. */
  readonly root: string;
  /** Requests in order of arrival; tests may clear it. */
  readonly requests: GitRequest[];
  /** Credential that each request must have. Default: none. */
  credential: { readonly username: string; readonly password: string } | undefined;
  /** Runs before Git for each request. */
  misbehave: Misbehaviour | undefined;
  /** @param name such as `a.git` or `group/a.git` */
  createRepository(name: string, options?: GitRepositoryOptions): Promise<TestRepository>;
  stop(): Promise<void>;
}

/** Content of a file by its path: text, bytes, a symbolic link, or null to delete the file. */
export type TestFiles = Readonly<Record<string, string | Uint8Array | { readonly link: string } | null>>;

export async function startGitServer(): Promise<GitServer> {
  const root = mkdtempSync(join(tmpdir(), 'lockkeeper-git-'));
  const http = createServer((request, response) => receive(server, request, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  const server: GitServer = {
    ...{ address, port, root, requests: [], credential: undefined, misbehave: undefined },
    createRepository: async (name, options = {}) => {
      const repository = new TestRepository(join(root, name), `${address}/${name}`);
      await repository.initialize(options);
      return repository;
    },
    stop: async () => {
      http.close();
      http.closeAllConnections();
      if (http.listening) await once(http, 'close');
      rmSync(root, { recursive: true, force: true });
    },
  };
  return server;
}

function receive(server: GitServer, request: IncomingMessage, response: ServerResponse): void {
  const { url: path = '', headers } = request;
  const seen: GitRequest = { path, authorization: headers.authorization, bytes: 0 };
  server.requests.push(seen);
  if (!isAllowed(server, headers.authorization)) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('Unauthorized');
    return;
  }
  const next = () => serve(server.root, request, response, seen);
  if (server.misbehave) server.misbehave(request, response, next);
  else next();
}

function isAllowed({ credential }: GitServer, authorization: string | undefined): boolean {
  if (!credential) return true;
  const expected = Buffer.from(`${credential.username}:${credential.password}`).toString('base64');
  return authorization === `Basic ${expected}`;
}

/** Runs `git http-backend` as a CGI program. @see RFC 3875 */
function serve(root: string, request: IncomingMessage, response: ServerResponse, seen: GitRequest): void {
  const url = new URL(request.url ?? '', 'http://localhost');
  const { headers } = request;
  const program = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      ...environment(),
      ...{ GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', REMOTE_USER: 'test', REMOTE_ADDR: '127.0.0.1' },
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
    },
  });
  program.stdin.on('error', () => {});
  request.pipe(program.stdin);
  response.on('close', () => program.kill());
  let head: Buffer | undefined = Buffer.alloc(0);
  program.stdout.on('data', (chunk: Buffer) => {
    const body = head === undefined ? chunk : bodyAfterHead(Buffer.concat([head, chunk]));
    if (body === undefined) return;
    head = undefined;
    seen.bytes += body.length;
    if (!response.write(body)) {
      program.stdout.pause();
      response.once('drain', () => program.stdout.resume());
    }
  });
  program.stdout.on('end', () => response.end());

  function bodyAfterHead(received: Buffer): Buffer | undefined {
    head = received;
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    for (const line of received.subarray(0, end).toString().split('\r\n')) {
      const [name = '', value = ''] = line.split(/: ?(.*)/s);
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    return received.subarray(end + 4);
  }
}

/** Git without the settings of this machine. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, TMPDIR } = process.env;
  return { PATH, TMPDIR, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
}

/** Milliseconds since 1970 of the first commit; each further one is a second later. */
const FIRST_COMMIT_AT = Date.UTC(2026, 0, 1);

/** A bare repository with a work tree beside it. Its commits are at the server at once. */
export class TestRepository {
  /** URL over HTTP. */
  readonly url: string;
  /** Folder of the bare repository. */
  readonly folder: string;
  /** Folder of the files of the current branch. */
  readonly workTree: string;
  #commits = 0;

  constructor(folder: string, url: string) {
    this.folder = folder;
    this.url = url;
    this.workTree = `${folder}.work`;
  }

  async initialize({ filters = true, push = false, format = 'sha1' }: GitRepositoryOptions): Promise<void> {
    mkdirSync(this.workTree, { recursive: true });
    mkdirSync(this.folder, { recursive: true });
    const env = { GIT_DIR: undefined, GIT_WORK_TREE: undefined };
    const kind = [`--object-format=${format}`, '--initial-branch=main'];
    await this.gitWith({ env }, 'init', '--quiet', '--bare', ...kind, this.folder);
    // `git config` would be a process for each setting.
    const settings = `[uploadpack]\n allowFilter = ${filters}\n[http]\n receivepack = ${push}\n[gc]\n auto = 0\n`;
    appendFileSync(join(this.folder, 'config'), settings);
  }

  /** Runs git in the work tree. Returns its output without the last line break. */
  async git(...args: readonly string[]): Promise<string> {
    return this.gitWith({}, ...args);
  }

  /** Runs git with additional environment variables, or with an input. */
  gitWith(
    { env = {}, input }: { readonly env?: NodeJS.ProcessEnv; readonly input?: string | Uint8Array },
    ...args: readonly string[]
  ): Promise<string> {
    const when = `${Math.floor(FIRST_COMMIT_AT / 1000) + this.#commits} +0000`;
    const person = { NAME: 'Ada', EMAIL: 'ada@example.com', DATE: when };
    const people = Object.entries(person).flatMap(([name, value]) => [
      [`GIT_AUTHOR_${name}`, value],
      [`GIT_COMMITTER_${name}`, value],
    ]);
    return new Promise((resolve, reject) => {
      const options = {
        cwd: this.workTree,
        maxBuffer: 1_000_000_000,
        env: {
          ...environment(),
          ...{ GIT_DIR: this.folder, GIT_WORK_TREE: this.workTree },
          ...Object.fromEntries(people),
          ...env,
        },
      };
      const child = execFile('git', args, options, (error, stdout, stderr) => {
        if (error) reject(new Error(`git ${args.join(' ')}: ${stderr}`, { cause: error }));
        else resolve(stdout.replace(/\n$/, ''));
      });
      child.stdin?.on('error', () => {});
      child.stdin?.end(input);
    });
  }

  /** Writes, links or deletes files of the work tree. */
  write(files: TestFiles): void {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.workTree, path);
      rmSync(file, { recursive: true, force: true });
      if (content === null) continue;
      mkdirSync(dirname(file), { recursive: true });
      if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(file, content);
      else symlinkSync(content.link, file);
    }
  }

  /** Writes files and commits the whole work tree to the current branch. Returns the commit's id. */
  async commit(files: TestFiles = {}, message = 'change'): Promise<string> {
    this.write(files);
    this.#commits++;
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--allow-empty', '--message', message);
    return this.#newest();
  }

  /** Returns the id of the commit just made. Git would be one more process for each commit. */
  #newest(): string {
    const head = readFileSync(join(this.folder, 'HEAD'), 'utf8').trim();
    // Without a branch, HEAD is the id.
    return head.startsWith('ref: ') ? readFileSync(join(this.folder, head.slice(5)), 'utf8').trim() : head;
  }

  /** Returns the id of a commit. */
  id(revision = 'HEAD'): Promise<string> {
    return this.git('rev-parse', revision);
  }
}
