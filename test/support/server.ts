import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Application, type Databases, startApplication } from '../../src/composition/index.ts';
import type { Config, ListenerConfig, ServiceName } from '../../src/config/index.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { Resolve } from '../../src/outbound/address-guard.ts';
import { createKeyring, type Dialect, LocalSignals } from '../../src/storage/index.ts';
import { AccessAnswers } from './access-answers.ts';
import { auditEntries } from './audit.ts';
import { type Answer, type CallOptions, call } from './http.ts';
import { openMigrated } from './migrated-databases.ts';
import { createRoot } from './pki.ts';

export interface TestServer {
  /** `https://127.0.0.1:40123` */
  readonly address: string;
  /** PEM of the CA that signs the server's certificate. */
  readonly ca: string;
  readonly application: Application;
  /** Root token of the access API. */
  readonly rootToken: string;
  /** Token of the first user, who has no organization yet. */
  readonly userToken: string;
  readonly userId: string;
  /** Folder with its data and its audit log. */
  readonly folder: string;
  /** Moves the clock of the server, which stands still otherwise. */
  advance(seconds: number): void;
  /** Time of the server's clock, milliseconds. */
  now(): number;
  /** @throws Error for a response of the access API that violates its document */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Sends a request as root to the access API. Reuses connections, because a new one costs more than the request. */
  root(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Sends a request as the first user to the workspace API. Reuses connections. */
  user(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Log lines so far, oldest first. */
  logLines(): Record<string, unknown>[];
  auditLines(): Record<string, unknown>[];
  stop(): Promise<void>;
}

export interface TestServerOptions {
  readonly services?: readonly ServiceName[];
  readonly allowSha1?: boolean;
  readonly stateSnapshotInterval?: number;
  readonly forwarded?: NonNullable<ListenerConfig['forwarded']>;
  /** Default: a folder of its own. */
  readonly auditFile?: string;
  /** Refuses responders and distribution points on this machine, like a real server. */
  readonly deniesOwnAddresses?: true;
  readonly allowedAddresses?: readonly string[];
  readonly notifications?: NonNullable<Config['notifications']>;
  readonly smtp?: NonNullable<Config['smtp']>;
  readonly vcs?: NonNullable<Config['vcs']>;
  /** Resolver of the names of VCS providers. */
  readonly resolveVcs?: Resolve;
  /** Identity provider for sign-in. */
  readonly signIn?: NonNullable<Config['signIn']>;
  /** Public URL for cloud providers. Default: none. */
  readonly publicAddress?: string;
  /** Default execution mode of a new workspace. */
  readonly globalRemoteState?: boolean;
  /** Bytes. */
  readonly chainMemory?: { readonly ofAll: number; readonly ofAddress: number };
  /** Ports of two listeners: one without client certificates, one with. Each knows the port of the other. */
  readonly ports?: readonly [open: number, asking: number];
  readonly rateLimits?: NonNullable<Config['rateLimits']>;
  readonly tracing?: NonNullable<Config['tracing']>;
  /** Audit sinks that replace the file. */
  readonly auditSinks?: (folder: string) => NonNullable<Config['auditSinks']>;
  /** Starts another node with the same databases and keys; stop it before this one. */
  readonly beside?: TestServer;
}

/** Starts the whole program on a free port of loopback, with TLS and a real database. */
export async function startTestServer(kind: Dialect, options: TestServerOptions = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-'));
  const { beside } = options;
  const opened = beside ? undefined : await openDatabases(kind);
  const serverCa = createRoot({ subject: 'Test server CA' });
  const now = { value: Date.now() };
  const clock: Clock = () => now.value;
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const config = testConfig(folder, serverCa, options);
  const keyring = beside?.application.keyring ?? (await createKeyring(config.keyring));
  const databases = beside?.application.databases ?? (opened as Opened).databases;
  const application = await startApplication({
    ...{ config, logger, databases, keyring, clock },
    ...(options.resolveVcs && { resolveVcs: options.resolveVcs }),
  });
  const [address = ''] = application.addresses;
  const rootToken = await application.access.tokens.createRoot();
  const { userId, userToken } = beside ?? (await createUser(application));
  const server = { address, ca: serverCa.pem };
  const answers = new AccessAnswers(application.access);
  const callServer = async (method: string, path: string, callOptions: CallOptions = {}) => {
    const answer = await call(server, method, path, callOptions);
    answers.assert(method, path, callOptions, answer);
    return answer;
  };
  const agent = new Agent({ keepAlive: true });
  const callAs = (token: string, method: string, path: string, body?: unknown) =>
    callServer(method, path, { agent, token, ...(body !== undefined && { body }) });
  return {
    ...server,
    application,
    rootToken,
    userToken,
    userId,
    folder,
    advance: (seconds) => {
      now.value += seconds * 1000;
    },
    now: clock,
    call: callServer,
    root: (method, path, body) => callAs(rootToken, method, path, body),
    user: (method, path, body) => callAs(userToken, method, path, body),
    logLines: () => lines.map((line) => JSON.parse(line)),
    auditLines: () => auditEntries(config.auditFile ?? ''),
    stop: async () => {
      agent.destroy();
      await application.stop();
      await opened?.close();
      rmSync(folder, { recursive: true });
    },
  };
}

interface Opened {
  readonly databases: Databases;
  close(): Promise<void>;
}

async function openDatabases(kind: Dialect): Promise<Opened> {
  const isOne = kind === 'postgres';
  const access = await (isOne ? openMigrated(kind, 'access', 'workspaces') : openMigrated(kind, 'access'));
  const workspaces = isOne ? access : await openMigrated(kind, 'workspaces');
  return {
    databases: { access: access.database, workspaces: workspaces.database, signals: new LocalSignals() },
    close: async () => {
      await access.close();
      if (workspaces !== access) await workspaces.close();
    },
  };
}

async function createUser({ workspaces }: Application): Promise<Pick<TestServer, 'userId' | 'userToken'>> {
  const user = await workspaces.tenancy.users.create({ username: 'first', email: 'first@example.com' });
  const { text } = await workspaces.tenancy.tokens.issue(user.id, { description: '', expiresAt: null });
  return { userId: user.id, userToken: text };
}

function testConfig(folder: string, serverCa: ReturnType<typeof createRoot>, options: TestServerOptions): Config {
  const certificate = serverCa.issue({ subject: 'localhost', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });
  const certificateFile = join(folder, 'server.pem');
  const privateKeyFile = join(folder, 'server.key');
  writeFileSync(certificateFile, certificate.pem);
  writeFileSync(privateKeyFile, certificate.keyPem);
  const listener: ListenerConfig = {
    host: '127.0.0.1',
    port: 0,
    services: options.services ?? ['access', 'workspaces', 'metrics'],
    tls: { certificateFile, privateKeyFile, minVersion: 'TLSv1.2' },
    requestClientCertificate: true,
    ...(options.forwarded && { forwarded: options.forwarded }),
  };
  const [open, asking] = options.ports ?? [];
  return {
    listeners:
      open === undefined || asking === undefined
        ? [listener]
        : [
            { ...listener, port: open, requestClientCertificate: false },
            { ...listener, port: asking },
          ],
    // Nodes share one blob store.
    storage: { type: 'sqlite', directory: options.beside?.folder ?? folder },
    keyring: { file: join(folder, 'keyring.json') },
    access: { defaultTokenTtl: 768 * 3600, maxTokenTtl: 768 * 3600, allowSha1: options.allowSha1 ?? false },
    stateSnapshotInterval: options.stateSnapshotInterval ?? 0,
    // Responders and distribution points of tests are on this machine.
    ...(options.deniesOwnAddresses ? {} : { deniedAddresses: [] }),
    ...(options.allowedAddresses && { allowedAddresses: options.allowedAddresses }),
    ...(options.notifications && { notifications: options.notifications }),
    ...(options.smtp && { smtp: options.smtp }),
    ...(options.vcs && { vcs: options.vcs }),
    ...(options.signIn && { signIn: options.signIn }),
    ...((options.publicAddress || options.globalRemoteState) && {
      workspaces: {
        ...{ engineVersions: [], recoverableFor: 168 * 3600, planTimeout: 2 * 3600, applyTimeout: 24 * 3600 },
        ...(options.publicAddress && { address: options.publicAddress }),
        globalRemoteState: options.globalRemoteState ?? false,
      },
    }),
    limits: {
      bodyBytes: 1_048_576,
      connections: 1000,
      lameDuckSeconds: 0,
      shutdownGraceSeconds: 5,
      ...(options.chainMemory && { chainMemory: options.chainMemory }),
    },
    ...(options.tracing && { tracing: options.tracing }),
    ...(options.rateLimits && { rateLimits: options.rateLimits }),
    logLevel: 'info',
    ...(options.auditSinks
      ? { auditSinks: options.auditSinks(folder) }
      : { auditFile: options.auditFile ?? join(folder, 'audit.log') }),
  };
}
