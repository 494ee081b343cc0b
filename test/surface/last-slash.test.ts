import { Agent } from 'node:https';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workspacesService } from '../../src/workspaces/index.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { untilItsEnd } from './endless.ts';

// Paths do not depend on the database. test/api/workspaces/surface.test.ts tests the responses of routes for existing
// resources.
describe('a slash at the end of a path of the workspace API', { timeout: 120_000 }, () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  let server: TestServer;
  let routes: (readonly [method: string, path: string])[];
  beforeAll(async () => {
    server = await startTestServer('sqlite');
    const service = workspacesService(server.application.workspaces);
    const declared: [string, string][] = [];
    const app = fastify();
    app.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) declared.push([one, url.replaceAll(/:\w+/g, 'nothing%20here')]);
    });
    await app.register(async (scope) => service.routes(scope), { prefix: service.prefix }).ready();
    routes = declared;
  });
  afterAll(async () => {
    agent.destroy();
    await server.stop();
  });

  test('makes no difference: responses, log, metrics and audit log are those of the path without it', async () => {
    expect(routes.length).toBeGreaterThan(100);
    const asked: [unknown, unknown][] = [];
    for (const [method, path] of routes) {
      const options = { agent, token: server.userToken };
      const [plain, slashed] = [
        await server.call(method, untilItsEnd(path), options),
        await server.call(method, untilItsEnd(`${path}/`), options),
      ];
      expect([method, path, slashed.status, slashed.text]).toEqual([method, path, plain.status, plain.text]);
      asked.push([plain.headers['x-request-id'], slashed.headers['x-request-id']]);
    }
    const lines = () => new Map(server.logLines().map((line) => [line.request_id, line.route]));
    await expect.poll(() => asked.every((pair) => pair.every((id) => lines().has(id))), { timeout: 10_000 }).toBe(true);
    const logged = lines();
    const recorded = new Map(
      server.auditLines().flatMap((line) => (line.type === 'request' ? [[line.request_id, line] as const] : [])),
    );
    for (const [plain, slashed] of asked) {
      expect(logged.get(slashed)).toBe(logged.get(plain));
      expect(recorded.get(slashed)?.path).toBe(recorded.get(plain)?.path);
    }
    expect(new Set(logged.values()).size).toBeGreaterThan(100);
  });

  test('that is encoded is part of a name', async () => {
    const answer = await server.user('GET', '/api/v2/ping%2F');
    expect(answer.status).toBe(404);
    expect((await server.user('GET', '/api/v2/ping/')).status).toBe(204);
    expect((await server.user('GET', '/api/v2/ping//')).status).toBe(400);
  });
});
