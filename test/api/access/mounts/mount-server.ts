import { afterAll, beforeAll } from 'vitest';
import type { databaseKinds } from '../../../support/databases.ts';
import type { Answer } from '../../../support/http.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

export const NOBODY = 'lks.1111111111111111.11111111111111111111111111111111';
/** Maximum TTL that the server allows, in seconds. */
export const TTL = 768 * 3600;

/** Starts a server for the tests of a file, with a role at `cert`, and functions for mounts. */
export function mountServer(kind: (typeof databaseKinds)[number]) {
  let server: TestServer;
  const authority = createRoot({ subject: 'Client CA' });
  const certificate = authority.issue({ subject: 'web-1', dns: ['web-1'] });

  const root: TestServer['root'] = (...request) => server.root(...request);
  const call: TestServer['call'] = (...request) => server.call(...request);
  const enable = (path: string, body: object = {}) => root('POST', `/v1/sys/auth/${path}`, { type: 'cert', ...body });
  const disable = (path: string) => root('DELETE', `/v1/sys/auth/${path}`);
  const tune = (path: string, body: object) => root('POST', `/v1/sys/mounts/auth/${path}/tune`, body);
  const tuning = async (path: string) => (await root('GET', `/v1/sys/mounts/auth/${path}/tune`)).body.data;
  const entry = async (path: string) => (await root('GET', `/v1/sys/auth/${path}`)).body.data;
  const role = (path: string, settings: object = {}) =>
    root('POST', `/v1/auth/${path}/certs/web`, { certificate: authority.pem, ...settings });
  const login = (path: string) => call('POST', `/v1/auth/${path}/login`, { certificate });
  const tokenOf = async (path: string) => (await login(path)).body.auth.client_token;
  const lookup = (token: string) => call('GET', '/v1/auth/token/lookup-self', { token });

  /** Creates a token with one policy for these paths. */
  const tokenFor = async (name: string, policy: string) => {
    await root('PUT', `/v1/sys/policies/acl/${name}`, { policy });
    const created = await root('POST', '/v1/auth/token/create', { policies: [name], no_default_policy: true });
    return created.body.auth.client_token as string;
  };

  beforeAll(async () => {
    server = await startTestServer(kind);
    await role('cert');
  });
  afterAll(() => server.stop());

  const asked = { root, call, enable, disable, tune, tuning, entry, role, login, tokenOf, lookup, tokenFor };
  return { ...asked, authority, certificate, server: () => server };
}

/** Returns the status, and the first error. */
export const shown = ({ status, body }: Answer): [number, string] => [status, body?.errors?.[0] ?? ''];
