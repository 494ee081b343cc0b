import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Admission } from '../../../src/access/cert/admission.ts';
import { Crls, crlRoutes } from '../../../src/access/cert/crl/index.ts';
import { CertMethod } from '../../../src/access/cert/method.ts';
import { RoleRegistry } from '../../../src/access/cert/role-registry.ts';
import { RoleStore } from '../../../src/access/cert/role-store.ts';
import { certRoutes } from '../../../src/access/cert/routes.ts';
import { accessErrors } from '../../../src/access/envelope.ts';
import { accessMigrations } from '../../../src/access/index.ts';
import { ensureCertMount } from '../../../src/access/mounts/mount.ts';
import { TokenService } from '../../../src/access/tokens/token-service.ts';
import { AppError } from '../../../src/lib/errors.ts';
import { parseJsonBody } from '../../../src/lib/json.ts';
import type { Service } from '../../../src/lib/service.ts';
import { createGuardedFetch } from '../../../src/revocation/guarded-fetch.ts';
import { createServer, DEFAULT_LIMITS, Metrics, Readiness } from '../../../src/server/index.ts';
import { createKeyring, type Dialect, migrate } from '../../../src/storage/index.ts';
import { openTestDatabase } from '../../support/databases.ts';
import { type Answer, type CallOptions, call } from '../../support/http.ts';
import { createRoot } from '../../support/pki.ts';

export interface CrlServer {
  readonly crls: Crls;
  /** A second node on the same database, which has loaded nothing yet. */
  anotherNode(): Crls;
  /** What was reported of the background. */
  readonly reported: unknown[];
  advance(seconds: number): void;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** As root, below the certificate method. */
  root(method: string, path: string, body?: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

const DAY = 86_400;

/** The certificate method with its revocation lists, over real TLS and a real database. */
export async function startCrlServer(kind: Dialect): Promise<CrlServer> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-'));
  const { database, close } = await openTestDatabase(kind);
  await migrate(database, 'access', accessMigrations);
  const keyring = await createKeyring(join(folder, 'keyring.json'));
  const now = { value: Date.now() };
  const clock = () => now.value;
  const reported: unknown[] = [];
  const mount = await ensureCertMount(database);
  const registry = new RoleRegistry(new RoleStore(database, mount.id));
  const fetch = createGuardedFetch({ deniedBlocks: [] });
  const node = () =>
    new Crls({
      database,
      mountId: mount.id,
      fetch,
      authorities: async () => (await registry.current()).anchors,
      allowSha1: false,
      clock,
      report: (error) => reported.push(error),
      random: () => 0,
    });
  const crls = node();
  const tokens = new TokenService(database, keyring, clock);
  const limits = { defaultTtl: DAY, maxTtl: DAY };
  const report = (error: unknown) => void reported.push(error);
  const cert = new CertMethod({ mount, limits, allowSha1: false, database, tokens, fetch, clock, report });
  const admission = new Admission({
    registry,
    revocation: { verdicts: (path) => crls.verdicts(path) },
    allowSha1: false,
    clock,
  });
  const rootToken = await tokens.createRoot();
  const service: Service = {
    name: 'access',
    prefix: '/v1',
    errors: accessErrors,
    notFound: () => new AppError('not-found', ''),
    routes(app) {
      app.removeAllContentTypeParsers();
      app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, parseJsonBody);
      app.register(async (scope) => certRoutes(scope, cert, tokens), { prefix: '/auth/cert' });
      app.post('/auth/cert/admit', async (request) => {
        const { role } = await admission.admit('', request);
        return { role: role.name };
      });
      const dependencies = { path: 'auth/cert', crls: crls.service, tokens, clock };
      app.register(async (scope) => crlRoutes(scope, dependencies), { prefix: '/auth/cert' });
    },
  };
  const ca = createRoot({ subject: 'Server CA' });
  const own = ca.issue({ subject: 'localhost', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });
  const server = createServer({
    listeners: [
      {
        name: 'test',
        address: { host: '127.0.0.1', port: 0 },
        tls: { certificate: own.pem, privateKey: own.keyPem, minVersion: 'TLSv1.2' },
        requestClientCertificate: true,
        limits: { ...DEFAULT_LIMITS, bodyBytes: 1_048_576 },
        services: [service],
      },
    ],
    logger: pino({ level: 'silent' }),
    metrics: new Metrics(),
    audit: { record() {}, async close() {} },
    readiness: new Readiness([]),
  });
  const [listening] = await server.start();
  const address = { address: `https://127.0.0.1:${listening?.address.port}`, ca: ca.pem };
  return {
    crls,
    anotherNode: node,
    reported,
    advance: (seconds) => {
      now.value += seconds * 1000;
    },
    call: (method, path, options) => call(address, method, `/v1/auth/cert${path}`, options),
    root: (method, path, body) =>
      call(address, method, `/v1/auth/cert${path}`, { token: rootToken, ...(body !== undefined && { body }) }),
    stop: async () => {
      await crls.refresher.stop();
      await server.close(1000);
      await close();
      rmSync(folder, { recursive: true });
    },
  };
}
