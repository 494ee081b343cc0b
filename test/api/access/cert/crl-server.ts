import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { Crls } from '../../../../src/access/cert/crl/index.ts';
import { MountStore } from '../../../../src/access/mounts/mount-store.ts';
import { createGuardedFetch } from '../../../../src/outbound/guarded-fetch.ts';
import { AnchorSet, Certificate } from '../../../../src/x509/index.ts';
import type { databaseKinds } from '../../../support/databases.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

export const HOUR = 3_600_000;
export const REFUSED = [400, 'failed to match all constraints for this login certificate'];
/** Level number of errors in pino. */
const ERROR = 50;

/** The list with another signature. */
export function tampered(list: Buffer): Buffer {
  const bytes = Buffer.from(list);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return bytes;
}

/**
 * Starts a server for the tests of a file, with a role for one CA, and functions for CRLs. Each test starts without
 * CRLs.
 */
export function crlServer(kind: (typeof databaseKinds)[number]) {
  let server: TestServer;
  const ca = createRoot({ subject: 'Client CA' });
  const client = ca.issue({ subject: 'client' });
  /** Milliseconds that the clocks were moved. */
  let ahead = 0;

  /** Sends a request as root, to a path below the mount. */
  const root = (method: string, path: string, body?: unknown) => server.root(method, `/v1/auth/cert${path}`, body);
  const call: TestServer['call'] = (...request) => server.call(...request);
  const put = (name: string, body: unknown) => root('POST', `/crls/${name}`, body);
  const read = (name: string, query = '') => root('GET', `/crls/${name}${query}`);
  const login = async (certificate: { pem: string; keyPem: string }) => {
    const { status, body } = await call('POST', '/v1/auth/cert/login', { certificate });
    return [status, body.errors?.[0]];
  };
  const register = (name: string, certificate: string) => root('POST', `/certs/${name}`, { certificate });

  /** Starts another node on the same database, which has not loaded anything yet. */
  const anotherNode = async () => {
    const { databases } = server.application;
    const [mount] = await new MountStore(databases.access).all();
    return new Crls({
      database: databases.access,
      mountId: mount?.id ?? '',
      fetch: createGuardedFetch({ deniedBlocks: [] }),
      authorities: async () => AnchorSet.fromCertificates([Certificate.parse(ca.der)]),
      trusted: async () => [],
      allowSha1: false,
      clock: () => Date.now() + ahead,
      report: (error) => {
        throw error;
      },
    });
  };
  const advance = (seconds: number) => {
    ahead += seconds * 1000;
    server.advance(seconds);
  };

  beforeAll(async () => {
    server = await startTestServer(kind);
    expect((await register('web', ca.pem)).status).toBe(204);
  });
  afterEach(async () => {
    const { body } = await root('LIST', '/crls');
    for (const name of body.data?.keys ?? []) await root('DELETE', `/crls/${name}`);
    expect(server.logLines().filter(({ level }) => Number(level) >= ERROR)).toEqual([]);
  });
  afterAll(() => server.stop());

  const asked = { root, call, put, read, login, register };
  return { ...asked, ca, client, anotherNode, advance, server: () => server };
}
