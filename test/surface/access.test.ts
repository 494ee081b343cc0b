import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../support/databases.ts';
import { createRoot } from '../support/pki.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** Who may call what without being an administrator. A route that is not here needs the root token. */
const OPEN: Readonly<Record<string, 'anybody' | 'any token'>> = {
  'POST /v1/auth/cert/login': 'anybody',
  'PUT /v1/auth/cert/login': 'anybody',
  'GET /v1/sys/health': 'anybody',
  'GET /v1/auth/token/lookup-self': 'any token',
  'POST /v1/auth/token/lookup-self': 'any token',
  'PUT /v1/auth/token/lookup-self': 'any token',
  'POST /v1/auth/token/renew-self': 'any token',
  'PUT /v1/auth/token/renew-self': 'any token',
  'POST /v1/auth/token/revoke-self': 'any token',
  'PUT /v1/auth/token/revoke-self': 'any token',
};

describe.each(databaseKinds)('every route of the access API, on %s', (kind) => {
  let server: TestServer;
  let routes: string[];
  let machineToken: string;

  beforeAll(async () => {
    server = await startTestServer(kind);
    const { service } = server.application.access;
    const app = fastify();
    app.addHttpMethod('LIST');
    routes = [];
    app.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) if (one !== 'HEAD') routes.push(`${one} ${url}`);
    });
    await app.register(async (scope) => service.routes(scope), { prefix: service.prefix }).ready();
    const ca = createRoot();
    await server.root('POST', '/v1/auth/cert/certs/web', { certificate: ca.pem });
    const login = await server.call('POST', '/v1/auth/cert/login', { certificate: ca.issue() });
    machineToken = login.body.auth.client_token;
  });
  afterAll(() => server.stop());

  const answers = async (token: string | undefined) =>
    Promise.all(
      routes.map(async (route) => {
        const [method = '', url = ''] = route.split(' ');
        const { status, body } = await server.call(method, url.replace(':name', 'web'), token ? { token } : {});
        return { route, status, body };
      }),
    );

  it('is told from the others by who may call it', () => {
    expect(routes.length).toBeGreaterThan(15);
    expect(Object.keys(OPEN).filter((route) => !routes.includes(route))).toEqual([]);
  });

  it('is closed to nobody and to a token that is none', async () => {
    for (const token of [undefined, 'lks.1111111111111111.11111111111111111111111111111111', server.userToken]) {
      for (const { route, status, body } of await answers(token)) {
        if (OPEN[route] === 'anybody') expect([route, status]).not.toEqual([route, 403]);
        else expect([route, status, body]).toEqual([route, 403, { errors: ['permission denied'] }]);
      }
    }
  });

  it('that administers is closed to a machine', async () => {
    const tried = (await answers(machineToken)).filter(({ route }) => !OPEN[route]);
    expect(tried.length).toBeGreaterThan(5);
    for (const { route, status } of tried) expect([route, status]).toEqual([route, 403]);
  });

  it('answers errors in the one shape of this API', async () => {
    for (const { body, status } of await answers(undefined)) {
      if (status >= 400) expect(body).toEqual({ errors: [expect.any(String)] });
    }
  });
});
