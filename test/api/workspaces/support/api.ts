import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance, type FastifyRequest, type InjectOptions } from 'fastify';
import { pino } from 'pino';
import { expect } from 'vitest';
import { PathPatterns } from '../../../../src/lib/path-patterns.ts';
import type { Peer } from '../../../../src/lib/request.ts';
import { peerOf } from '../../../../src/server/peer/peer.ts';
import { errorHandler } from '../../../../src/server/request/error-edge.ts';
import { RequestContext, requestContextOf } from '../../../../src/server/request/request-context.ts';
import { type Reading, readTarget } from '../../../../src/server/request/target.ts';
import {
  BlobWriter,
  createKeyring,
  type Database,
  type Dialect,
  FileBlobs,
  type Keyring,
  LocalSignals,
} from '../../../../src/storage/index.ts';
import {
  createWorkspaces,
  type Machine,
  type Workspaces,
  type WorkspacesOptions,
  workspacesService,
} from '../../../../src/workspaces/index.ts';
import { openLosing } from '../../../support/lost-commits/losing-database.ts';
import type { Loss } from '../../../support/lost-commits/lossy-network.ts';
import { openMigrated } from '../../../support/migrated-databases.ts';
import { type AnswerChecks, answerChecks } from '../../../support/openapi.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  readonly body: any;
  readonly text: string;
}

/** A client with a token. */
export interface Caller {
  readonly token: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface UserCaller extends Caller {
  readonly id: string;
  readonly username: string;
}

export interface TestApi {
  readonly app: FastifyInstance;
  readonly workspaces: Workspaces;
  /** Folder with the keyring and the blobs. */
  readonly folder: string;
  /** Writes blobs beside the API, as parts of the server do in the background. */
  readonly blobs: BlobWriter;
  readonly keyring: Keyring;
  /** Returns the services of another process on the same database. @param other its own configuration */
  anotherProcess(other?: Pick<WorkspacesOptions, 'notifications'>): Workspaces;
  /** Moves the clock by milliseconds; it stands still otherwise. */
  advance(milliseconds: number): void;
  now(): number;
  nobody(): Caller;
  /** Returns a client that uses this token. */
  holder(token: string): Caller;
  user(username: string): Promise<UserCaller>;
  /** A machine that holds a token of the certificate method. */
  machine(machine: Partial<Machine>): Caller;
  /** Starts another node on the same database, without caches. `reads` counts the statements that read. */
  forgetful(): Promise<Pick<TestApi, 'holder' | 'close'> & { reads(): number }>;
  /** Starts another node for this work, which loses its database at every COMMIT. */
  losing<T>(loss: Loss, work: (node: Pick<TestApi, 'app' | 'holder'>) => Promise<T>): Promise<T>;
  /** Returns the fields that the last request added to its log line. */
  lastEvent(): Readonly<Record<string, unknown>>;
  /** `METHOD /path/:parameter` of every route. */
  readonly routes: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts the workspace API without the access API, on its own database, behind the error handling of the real server.
 * @param Blobs store of large objects
 * @param notifications permitted destinations; without it, none on this machine
 * @param execution executor of runs, beside the agents of pools
 * @param address public URL for cloud providers; without it, runs have no identity
 * @param vcs permitted VCS providers; without it, none on this machine
 * @param bounds other limits than the usual ones
 */
export async function startApi(
  kind: Dialect,
  Blobs: typeof FileBlobs = FileBlobs,
  notifications: NonNullable<WorkspacesOptions['notifications']> = {},
  execution: NonNullable<WorkspacesOptions['execution']> = 'none',
  address?: string,
  vcs: NonNullable<WorkspacesOptions['vcs']> = {},
  bounds: Pick<WorkspacesOptions, 'explorerMemory' | 'policies'> = {},
): Promise<TestApi> {
  const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-'));
  const opened = await openMigrated(kind, 'workspaces');
  const { database, close } = opened;
  const keyring = await createKeyring({ file: join(folder, 'keyring') });
  const time = { now: Date.parse('2026-11-21T09:30:00.000Z') };
  const machines = new Map<string, Machine>();
  const failures: unknown[] = [];
  const installation = {
    signals: new LocalSignals(),
    keyring,
    blobStore: new Blobs(join(folder, 'blobs')),
    clock: () => time.now,
    machines: {
      authenticate: async (token: string) => machines.get(token),
      standing: async (given: string) => [...machines.values()].find(({ reference }) => reference === given),
    },
    ...{ notifications, execution, address, vcs, ...bounds },
    report: (error: unknown) => void failures.push(error),
  };
  const workspaces = createWorkspaces({ database, ...installation });
  const routes: string[] = [];
  const events: RequestContext[] = [];
  const app = await mount(workspaces, routes, events);
  const checks = answerChecks((await app.inject('/api/v2/openapi.json')).payload);
  const other = async (through: Database, report = installation.report) => {
    const node = await mount(createWorkspaces({ ...installation, database: through, report }), [], []);
    return {
      app: node,
      holder: (token: string): Caller => ({ token, call: (...request) => send(node, checks, token, ...request) }),
      close: async () => node.close(),
    };
  };
  const caller = (token: string): Caller => ({ token, call: (...request) => send(app, checks, token, ...request) });
  return {
    app,
    workspaces,
    folder,
    blobs: new BlobWriter(installation),
    routes,
    keyring,
    anotherProcess: (other = {}) => createWorkspaces({ database, ...installation, ...other }),
    advance: (milliseconds) => {
      time.now += milliseconds;
    },
    now: () => time.now,
    nobody: () => caller(''),
    holder: caller,
    async user(username) {
      const { id } = await workspaces.tenancy.users.create({ username, email: `${username}@example.com` });
      const { text } = await workspaces.tenancy.tokens.issue(id, { description: 'test', expiresAt: null });
      return { id, username, ...caller(text) };
    },
    machine(given) {
      const token = `hvs.machine-${machines.size}`;
      machines.set(token, { ...MACHINE, reference: `machine-${machines.size}`, ...given });
      return caller(token);
    },
    async forgetful() {
      let reads = 0;
      return { ...(await other(keepingNothing(database, () => reads++))), reads: () => reads };
    },
    async losing(loss, work) {
      const through = await openLosing(opened, loss);
      const node = await other(through.database, () => {});
      try {
        return await through.losing(() => work(node));
      } finally {
        await node.close();
        await through.close();
      }
    },
    lastEvent: () => events.at(-1)?.fields ?? {},
    async close() {
      await app.close();
      await close();
      await rm(folder, { recursive: true });
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** A database without change tracking. @param read called for each statement that reads */
function keepingNothing(database: Database, read: () => void): Database {
  return new Proxy(database, {
    get(target, name) {
      if (name === 'reading') return () => undefined;
      if (name === 'one' || name === 'all' || name === 'dynamic') read();
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const MACHINE: Omit<Machine, 'reference'> = {
  mount: 'cert',
  role: 'runner',
  commonName: 'runner-1.example.com',
  subject: 'CN=runner-1.example.com,O=Example',
  serialNumber: '123456789012345678901234567890',
  fingerprint: 'ab'.repeat(32),
  accessor: 'accessor-1',
  expiresAt: Date.parse('2030-01-01T00:00:00Z'),
};

const NOBODY: Peer = {
  address: '127.0.0.1',
  tls: false,
  leaf: () => undefined,
  intermediates: () => [],
  proved: () => {},
  admitted: () => {},
};

async function mount(workspaces: Workspaces, routes: string[], events: RequestContext[]): Promise<FastifyInstance> {
  const service = workspacesService(workspaces);
  const logger = pino({ level: 'error' }, { write: (line: string) => process.stderr.write(line) });
  const readings = new WeakMap<object, Reading>();
  const app = fastify({
    routerOptions: { maxParamLength: 1024 },
    // The path is checked before the router sees it, as on the real server.
    rewriteUrl(raw) {
      readings.set(raw, readTarget(raw, [service]));
      return raw.url ?? '';
    },
  });
  app.removeAllContentTypeParsers();
  app.decorateRequest('peer', {
    getter: () => NOBODY,
  });
  app.decorateRequest('event', {
    getter(this: FastifyRequest) {
      return requestContextOf(this.raw);
    },
  });
  app.addHook('onRequest', async (request, reply) => {
    const reading = readings.get(request.raw) ?? readTarget(request.raw, [service]);
    const arrival = { peer: peerOf(request.raw), reading, patterns: new PathPatterns(), headers: {} };
    events.push(new RequestContext(request.raw, reply.raw, arrival));
  });
  app.addHook('onRoute', ({ method, url }) => {
    const methods = [method].flat().filter((name) => name !== 'HEAD');
    routes.push(...methods.map((name) => `${name} ${url.slice(service.prefix.length)}`));
  });
  app.setErrorHandler(errorHandler(service.errors, logger));
  await app.register(
    async (scope) => {
      scope.setErrorHandler(errorHandler(service.errors, logger));
      scope.setNotFoundHandler((request) => {
        throw service.notFound(request);
      });
      await service.routes(scope);
    },
    { prefix: service.prefix },
  );
  await app.ready();
  return app;
}

/** `body` is sent as JSON, unless it is a string. Every response must conform to the OpenAPI document. */
async function send(
  app: FastifyInstance,
  checks: AnswerChecks,
  token: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url: `/api/v2${path}`,
    headers: {
      host: 'keeper.example.com:8443',
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/vnd.api+json' }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
  });
  const text = response.payload;
  const json = String(response.headers['content-type']).includes('json') && text !== '';
  const { statusCode: status, headers: answered } = response;
  const answer = { status, headers: answered, text, body: json ? JSON.parse(text) : undefined };
  const documented = path.replace(/\/(?=\?|$)/, '');
  expect(
    checks.faultsOf(method, documented, answer),
    `${method} ${path} ${status} against the OpenAPI document`,
  ).toEqual([]);
  return answer;
}
