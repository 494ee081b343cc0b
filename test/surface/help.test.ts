import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/access/operation/operation.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

interface Declared {
  readonly prefix: string;
  readonly operation: Operation;
}

const at = ({ prefix, operation }: Declared): string =>
  `/v1/${prefix}/${operation.path}`.replace(/\{(\w+)_mount_path\}/, '$1').replace(/\/$/, '');
const filled = (path: string): string => path.replaceAll(/[:*]\w+/g, 'nothing-of-this-name');
const parametersIn = ({ path, fields = {} }: Operation): string[] => [
  ...[...path.matchAll(/[:*](\w+)/g)].map(([, name = '']) => name),
  ...Object.keys(fields),
];

// Help does not depend on the database.
describe('help about a path of the access API', () => {
  let server: TestServer;
  let declared: Declared[];
  /** Token without any permission. */
  let stranger: string;

  beforeAll(async () => {
    server = await startTestServer('sqlite');
    await server.root('POST', '/v1/sys/auth/jwt', { type: 'jwt' });
    declared = server.application.access.operationGroups.flatMap(({ prefix, operations }) =>
      operations.map((operation) => ({ prefix, operation })),
    );
    const created = await server.root('POST', '/v1/auth/token/create', {
      policies: ['nothing'],
      no_default_policy: true,
    });
    stranger = created.body.auth.client_token;
  });
  afterAll(() => server.stop());

  const help = (path: string, token = stranger) => server.call('GET', `${path}?help=1`, { token });

  it('exists for every operation, with its text and each of its parameters', async () => {
    expect(declared.length).toBeGreaterThan(90);
    for (const one of declared) {
      const path = filled(at(one));
      const { status, body } = await help(path);
      expect([path, status, body?.see_also]).toEqual([path, 200, null]);
      expect(body.help).toContain(one.operation.summary);
      expect(body.help).toContain(`${at(one).slice('/v1/'.length)}\n`);
      const named = [...body.help.matchAll(/^ {4}(\w+) \(.+\)$/gm)].map(([, name]) => name);
      expect([path, named]).toEqual([path, expect.arrayContaining(parametersIn(one.operation))]);
      const items = Object.values<object>(body.openapi.paths).flatMap((item) => Object.values(item));
      expect(items.map(({ summary }) => summary)).toContain(one.operation.summary);
    }
  });

  it('of a mount lists the paths below it', async () => {
    for (const { prefix, operations } of server.application.access.operationGroups) {
      if (operations.some(({ path }) => path === '')) continue;
      const mount = `/v1/${prefix.replace(/\{(\w+)_mount_path\}/, '$1')}`;
      const { status, body } = await help(mount);
      expect([mount, status]).toEqual([mount, 200]);
      for (const { path, summary } of operations) {
        expect(body.help).toContain(`\n    ${path}\n`);
        expect(body.help).toContain(summary);
      }
      expect((await help(`${mount}/`)).body).toEqual(body);
    }
  });

  it('is given about a mount at any path', async () => {
    await server.root('POST', '/v1/sys/auth/teams/ops', { type: 'cert', description: 'For those who look after it.' });
    expect((await help('/v1/auth/teams/ops')).body.help).toContain('For those who look after it.');
    const { body } = await help('/v1/auth/teams/ops/certs/web');
    expect(body.help).toContain('auth/teams/ops/certs/web');
    expect(body.help).toContain('allowed_common_names (array of string)');
    expect(Object.keys(body.openapi.paths)).toEqual(['/auth/{cert_mount_path}/certs/{name}']);
  });

  it('requires a token if the operation does, but no policy', async () => {
    const denied = { errors: [expect.stringMatching(/^permission denied/)] };
    for (const path of ['/v1/auth/cert/certs/web', '/v1/sys', '/v1/auth/nowhere', '/v1/sys/nothing']) {
      for (const token of [undefined, server.userToken]) {
        const answer = await server.call('GET', `${path}?help=1`, token === undefined ? {} : { token });
        expect([path, answer.status, answer.body]).toEqual([path, 403, denied]);
      }
    }
    expect((await server.call('GET', '/v1/auth/cert/login?help=1')).body.help).toContain('Log in');
    expect((await help('/v1/sys/seal')).body.help).toContain('sudo');
  });

  it('is not given about paths that do not exist', async () => {
    const nowhere = await help('/v1/auth/nowhere/certs');
    expect([nowhere.status, nowhere.body.errors[0]]).toEqual([404, expect.stringContaining('no handler for route')]);
    const nothing = await help('/v1/sys/nothing');
    expect([nothing.status, nothing.body.errors[0]]).toEqual([404, expect.stringContaining('unsupported path')]);
  });

  it('replaces the effect of the request, for any method', async () => {
    const answer = await server.root('POST', '/v1/auth/token/create?help=1', { policies: ['default'] });
    expect(Object.keys(answer.body)).toEqual(['help', 'see_also', 'openapi']);
    expect((await server.root('DELETE', '/v1/sys/auth/cert?help=1')).status).toBe(200);
    expect((await help('/v1/auth/cert')).status).toBe(200);
    // An empty parameter does not request help.
    expect((await server.root('GET', '/v1/auth/token/lookup-self?help=')).body).toHaveProperty('data');
  });

  it('never shows a secret of the path', async () => {
    const { text } = await help(`/v1/auth/token/lookup/${server.rootToken}`);
    expect(text).toContain('auth/token/lookup/:token');
    expect(text).not.toContain(server.rootToken);
    const recorded = [JSON.stringify(server.logLines()), JSON.stringify(server.auditLines())].join('\n');
    expect(recorded).toContain('auth/token/lookup/:token');
    expect(recorded).not.toContain(server.rootToken);
  });
});
