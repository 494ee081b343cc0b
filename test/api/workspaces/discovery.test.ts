import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe.each(databaseKinds)('service discovery on %s (facts §4.1)', (kind) => {
  let server: TestServer;
  let accessAlone: TestServer;
  beforeAll(async () => {
    server = await startTestServer(kind);
    accessAlone = await startTestServer(kind, { services: ['access'] });
  });
  afterAll(() => Promise.all([server.stop(), accessAlone.stop()]));

  it('lists every service that `tofu` and `terraform` look for, without a token', async () => {
    const { status, headers, body } = await server.call('GET', '/.well-known/terraform.json');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toEqual({
      'tfe.v2': '/api/v2/',
      'tfe.v2.1': '/api/v2/',
      'tfe.v2.2': '/api/v2/',
      'state.v2': '/api/v2/',
      'login.v1': {
        client: 'terraform-cli',
        grant_types: ['authz_code'],
        authz: '/app/oauth2/authorize',
        token: '/oauth2/token',
        ports: [10000, 10010],
      },
    });
  });

  it('IP ranges are readable without a token, and empty', async () => {
    const { status, headers, body } = await server.call('GET', '/api/meta/ip-ranges');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toEqual({ api: [], notifications: [], sentinel: [], vcs: [] });
    expect((await server.call('GET', '/api/meta/else')).status).toBe(404);
  });

  it('lists URLs that exist', async () => {
    const { body } = await server.call('GET', '/.well-known/terraform.json');
    const base = new URL(body['tfe.v2'], server.address);
    const ping = await server.call('GET', new URL('ping', base).pathname);
    expect(ping.status).toBe(204);
    expect((await server.call('GET', body['login.v1'].authz)).status).toBe(400);
    expect((await server.call('POST', body['login.v1'].token)).status).toBe(400);
  });

  it('is where the workspaces are, and nowhere else', async () => {
    expect((await accessAlone.call('GET', '/.well-known/terraform.json')).status).toBe(404);
    expect((await accessAlone.call('GET', '/app/settings/tokens')).status).toBe(404);
    expect((await server.call('GET', '/.well-known/other.json')).status).toBe(404);
  });

  it('ping has the headers that decide about the cloud block, with or without a token (§10.1, traps 14 and 15)', async () => {
    for (const token of ['', server.userToken, 'lku.wrong']) {
      const { status, headers } = await server.call('GET', '/api/v2/ping', token === '' ? {} : { token });
      expect(status).toBe(204);
      expect(headers).toMatchObject({
        'tfp-api-version': '2.6',
        'tfp-appname': 'Terraform Enterprise',
        'x-tfe-version': 'v202507-1',
        'x-tfe-current-version': '2.0.1',
      });
      expect(headers['x-ratelimit-limit']).toBeUndefined();
    }
  });
});
