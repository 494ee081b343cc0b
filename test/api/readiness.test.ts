import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../support/databases.ts';
import { createRoot } from '../support/pki.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

interface Detail {
  readonly name: string;
  readonly status: string;
  readonly found?: string;
  readonly parts?: readonly Detail[];
}

describe.each(databaseKinds)('/healthz/ready?verbose on %s', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(kind);
    // Values that could appear in the response by mistake.
    const { pem } = createRoot({ subject: 'CA of devices' }).crl({ revoked: [1n] });
    expect((await server.root('POST', '/v1/auth/cert/crls/secret-name', { crl: pem })).status).toBe(204);
    // Moves the clock past the validity of the CRL and of the listener's certificate.
    server.advance(40 * 86_400);
    chmodSync(join(server.folder, 'keyring.json'), 0o644);
    writeFileSync(join(server.folder, 'server.key'), 'broken');
  });
  afterAll(() => server.stop());

  it('reports the failed component without any detail', async () => {
    const { status, body, text } = await server.call('GET', '/healthz/ready?verbose');
    // The diagnosis does not affect whether the server is ready.
    expect([status, body.ready]).toEqual([200, true]);
    const diagnosis = body.diagnosis as Detail[];
    const of = (subject: string, check: string) => {
      const found = diagnosis.find(({ name }) => name === subject)?.parts?.find(({ name }) => name === check);
      return [found?.status, found?.found].filter(Boolean).join(': ');
    };
    expect(of('keyring', 'file')).toBe('failure: mode 0644: any user of this machine can access it');
    expect(of('listeners', 'tls')).toBe('failure: 1 of 1');
    expect(of('revocation', 'lists')).toBe('warning: 1 of 1');
    expect(of('database', 'schema')).toBe('success');
    expect(of('agents', 'queue')).toBe('skipped');
    for (const secret of ['secret-name', server.folder, '127.0.0.1', 'server.key', 'advice', 'detail'])
      expect(text.includes(secret) ? secret : '').toBe('');
  });

  it('is returned on request only: without it the response is unchanged', async () => {
    const { body } = await server.call('GET', '/healthz/ready');
    expect(Object.keys(body)).toEqual(['ready', 'checks']);
  });
});
