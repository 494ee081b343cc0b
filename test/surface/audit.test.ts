import { Agent } from 'node:https';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspacesService } from '../../src/workspaces/index.ts';
import { databaseKinds } from '../support/databases.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { untilItsEnd } from './endless.ts';

/** Operations of the access API without an audit entry. The test fails for any other operation that is declared so. */
const UNAUDITED = ['read sys/health', 'read sys/init', 'read sys/leader', 'read sys/seal-status'];

const METHODS = { read: 'GET', list: 'LIST', update: 'POST', patch: 'PATCH', delete: 'DELETE' } as const;

interface Route {
  readonly method: string;
  readonly path: string;
}

describe.each(databaseKinds)('the audit record of the whole surface, on %s', { timeout: 120_000 }, (kind) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(kind);
    await server.root('POST', '/v1/sys/auth/jwt', { type: 'jwt' });
  });
  afterAll(async () => {
    agent.destroy();
    await server.stop();
  });

  const operations = () =>
    server.application.access.operationGroups.flatMap(({ prefix, operations: declared }) =>
      declared.map((operation) => ({ name: `${operation.verb} ${prefix}/${operation.path}`, prefix, operation })),
    );

  /** Requests of objects that do not exist: each outcome must be recorded. */
  function accessRoutes(): Route[] {
    return operations()
      .filter(({ operation }) => !operation.unaudited)
      .map(({ prefix, operation }) => {
        const path = `/v1/${prefix}/${operation.path}`.replace(/\{(\w+)_mount_path\}/, '$1');
        return { method: METHODS[operation.verb], path: path.replaceAll(/[:*]\w+/g, 'nothing').replace(/\/$/, '') };
      });
  }

  async function workspaceRoutes(): Promise<Route[]> {
    const service = workspacesService(server.application.workspaces);
    const routes: Route[] = [];
    const app = fastify();
    app.addHook('onRoute', ({ method, url, config }) => {
      expect([url, config?.audit]).toEqual([url, undefined]);
      for (const one of [method].flat()) routes.push({ method: one, path: url.replaceAll(/:\w+/g, 'nothing') });
    });
    await app.register(async (scope) => service.routes(scope), { prefix: service.prefix }).ready();
    return routes;
  }

  async function expectRecorded(routes: readonly Route[], token: string): Promise<void> {
    const asked = new Map<unknown, string>();
    for (const { method, path } of routes) {
      const { headers } = await server.call(method, untilItsEnd(path), { token, agent });
      asked.set(headers['x-request-id'], `${method} ${path}`);
    }
    const answered = new Set(
      server.auditLines().flatMap((line) => (line.type === 'response' ? [line.request_id] : [])),
    );
    expect([...asked].filter(([id]) => !answered.has(id)).map(([, route]) => route)).toEqual([]);
  }

  it('contains every operation of the access API except those named here', async () => {
    const left = operations().filter(({ operation }) => operation.unaudited);
    expect(left.map(({ name }) => name).toSorted()).toEqual(UNAUDITED);
    const routes = accessRoutes();
    expect(routes.length).toBeGreaterThan(30);
    await expectRecorded(routes, server.rootToken);
    await expectRecorded(routes, 'lks.1111111111111111.11111111111111111111111111111111');
  });

  it('contains every route of the workspace API', async () => {
    const routes = await workspaceRoutes();
    expect(routes.length).toBeGreaterThan(30);
    await expectRecorded(routes, server.userToken);
    await expectRecorded(routes, 'lku.forged');
  });
});
