import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CRL_BODY_BYTES } from '../../../../src/access/cert/crl/crl-operations.ts';
import { REST_BYTES } from '../../../../src/lib/long-json/long-json.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe('a CRL of several megabytes', () => {
  let server: TestServer;
  const ca = createRoot({ subject: 'Client CA' });
  const client = ca.issue({ subject: 'client' });
  const serials = Array.from({ length: 40_000 }, (_, i) => 2n ** 120n + BigInt(i));
  const { pem, der } = ca.crl({ revoked: [...serials, client.serial] });
  const path = '/v1/auth/cert/crls/large';

  beforeAll(async () => {
    server = await startTestServer('sqlite');
    await server.root('POST', '/v1/auth/cert/certs/web', { certificate: ca.pem });
  });
  afterAll(() => server.stop());

  it('is parsed in pieces, without long synchronous work, so that other requests are answered meanwhile', async () => {
    for (const crl of [pem, der.toString('base64')]) {
      const body = JSON.stringify({ crl });
      expect(body.length).toBeGreaterThan(4 * REST_BYTES);
      const parse = vi.spyOn(JSON, 'parse');
      let isWritten = false;
      const writing = server.call('POST', path, { token: server.rootToken, body }).finally(() => {
        isWritten = true;
      });
      let answered = 0;
      while (!isWritten) {
        expect((await server.call('GET', '/v1/sys/health')).status).toBe(200);
        answered += Number(!isWritten);
      }
      const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
      parse.mockRestore();
      expect((await writing).status).toBe(204);
      expect(answered).toBeGreaterThan(1);
      expect(longest).toBeLessThan(REST_BYTES);
      const { data } = (await server.root('GET', `${path}?limit=1`)).body;
      expect(data).toMatchObject({ entries: 40_001, status: { signature: 'verified' } });
      expect((await server.call('POST', '/v1/auth/cert/login', { certificate: client })).status).toBe(400);
    }
  });

  it('is in the audit log by its length and a hash', async () => {
    const writes = server.auditLines().filter(({ type, request }) => type === 'request' && request);
    const [last, before] = writes.filter(({ path: one }) => one === path).reverse();
    const ofText = (text: string) => ({ bytes: text.length, hash: expect.stringMatching(/^hmac-sha256:[\da-f]{64}$/) });
    expect(last?.request).toEqual({ crl: ofText(der.toString('base64')) });
    expect(before?.request).toEqual({ crl: ofText(pem) });
    expect(last).not.toEqual(before);
  });

  it('is evaluated by the values that a policy names, like a short one', async () => {
    const write = async (restriction: string) => {
      const policy = `path "auth/cert/crls/*" { capabilities = ["update"] ${restriction} }`;
      await server.root('PUT', '/v1/sys/policies/acl/lists', { policy });
      const { body } = await server.root('POST', '/v1/auth/token/create', { policies: ['lists'] });
      return (await server.call('POST', path, { token: body.auth.client_token, body: { crl: pem } })).status;
    };
    expect(await write('denied_parameters = { crl = ["*END X509*"] }')).toBe(403);
    expect(await write('denied_parameters = { crl = [] }')).toBe(403);
    expect(await write('allowed_parameters = { crl = ["nothing*"] }')).toBe(403);
    expect(await write('allowed_parameters = { crl = ["-----BEGIN*"] }')).toBe(204);
    expect(await write('denied_parameters = { crl = ["nothing*"] }')).toBe(204);
  });

  it('is refused when another field of the body is that long', async () => {
    const long = 'x'.repeat(100_000);
    for (const [body, status] of [
      [{ url: long }, 400],
      [{ crl: { crl: long } }, 400],
      [{ [long]: 1 }, 400],
      [{ crl: 'x'.repeat(CRL_BODY_BYTES) }, 413],
      [{ crl: 'x', other: Array.from({ length: 6 }, () => 'x'.repeat(60_000)) }, 413],
    ] as const) {
      const answer = await server.root('POST', path, body);
      expect([answer.status, answer.body.errors]).toEqual([status, [expect.any(String)]]);
    }
  });
});
