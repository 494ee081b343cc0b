import { describe, expect, it } from 'vitest';
import { Certificate } from '../../../../src/x509/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot, selfSigned } from '../../../support/pki.ts';
import { crlServer, HOUR, REFUSED, tampered } from './crl-server.ts';

describe.each(databaseKinds)('CRLs, on %s', (kind) => {
  const { root, call, put, read, login, register, ca, client, anotherNode } = crlServer(kind);

  it('are written, read, listed and deleted', async () => {
    const { pem } = ca.crl({ revoked: [1n, 2n ** 159n], number: 7n, thisUpdate: new Date('2026-11-01T00:00:00Z') });
    expect((await put('Corp', { crl: pem })).status).toBe(204);
    expect((await root('PUT', '/crls/other', { crl: pem })).status).toBe(204);
    const { status, body, headers } = await read('CORP');
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    expect(body).toMatchObject({ lease_id: '', renewable: false, lease_duration: 0, warnings: null, auth: null });
    expect(body.data).toEqual({
      issuer: 'CN=Client CA',
      crl_number: '7',
      this_update: '2026-11-01T00:00:00.000Z',
      next_update: expect.any(String),
      entries: 2,
      cdp: null,
      on_stale: 'use',
      on_unknown_issuer: 'match_serial',
      status: {
        signature: 'verified',
        signature_fault: null,
        stale: false,
        fetched_at: expect.any(String),
        age: 0,
        last_error: null,
        failures: 0,
        next_fetch: null,
      },
      serials: { '1': {}, [String(2n ** 159n)]: {} },
    });
    for (const [method, path] of [
      ['LIST', '/crls'],
      ['LIST', '/crls/'],
      ['GET', '/crls?list=true'],
      ['GET', '/crls/?list=true'],
    ] as const) {
      expect((await root(method, path)).body.data).toEqual({ keys: ['corp', 'other'] });
    }
    expect((await root('LIST', '/crls?limit=1')).body.data.keys).toEqual(['corp']);
    expect((await root('LIST', '/crls?after=corp&limit=5')).body.data.keys).toEqual(['other']);
    expect((await root('GET', '/crls')).status).toBe(405);
    for (const name of ['corp', 'Other']) expect((await root('DELETE', `/crls/${name}`)).status).toBe(204);
    expect(await root('LIST', '/crls')).toMatchObject({ status: 404, body: { errors: [] } });
  });

  it('return 404 when there is none', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await root(method, '/crls/none');
      expect([status, body]).toEqual([400, { errors: ['no such CRL none'] }]);
    }
    expect((await root('GET', '/crls/..%2f')).status).toBe(400);
  });

  it('require a policy that allows them', async () => {
    for (const [method, path] of [
      ['POST', '/crls/corp'],
      ['GET', '/crls/corp'],
      ['DELETE', '/crls/corp'],
      ['LIST', '/crls'],
    ] as const) {
      expect((await call(method, `/v1/auth/cert${path}`)).status).toBe(403);
    }
    const { body } = await call('POST', '/v1/auth/cert/login', { certificate: client });
    const token = body.auth.client_token;
    expect((await call('POST', '/v1/auth/cert/crls/corp', { token, body: { crl: ca.crl().pem } })).status).toBe(403);
    // The server refuses before it reads any of the body.
    const large = 'x'.repeat(2_000_000);
    expect((await call('POST', '/v1/auth/cert/crls/corp', { body: large })).status).toBe(403);
  });

  it('are taken as DER in base64 too, and up to 32 MiB', async () => {
    const { der, pem } = ca.crl({ revoked: [5n] });
    expect((await put('corp', { crl: der.toString('base64') })).status).toBe(204);
    expect((await read('corp')).body.data.serials).toEqual({ '5': {} });
    expect((await put('corp', { crl: `${' '.repeat(20_000_000)}${pem}` })).status).toBe(204);
    expect((await put('corp', { crl: ' '.repeat(34_000_000) })).status).toBe(413);
  });

  it('are refused with a reason, and then the old one stays', async () => {
    const good = ca.crl({ revoked: [client.serial] });
    await put('corp', { crl: good.pem });
    const delta = { oid: '2.5.29.27', critical: true, value: Buffer.from([2, 1, 1]) };
    for (const [body, text] of [
      [{}, "one of 'crl' or 'url' must be provided"],
      [{ on_stale: 'use' }, "one of 'crl' or 'url' must be provided"],
      [{ url: '' }, 'empty CRL url'],
      [{ url: 'ca.crl' }, 'invalid CRL url'],
      [{ url: 'file:///etc/passwd' }, 'invalid CRL url'],
      [{ url: 'http://user:secret@127.0.0.1/' }, 'invalid CRL url'],
      [{ url: 'http://127.0.0.1:1/ca.crl' }, 'failed to fetch CRL from http://127.0.0.1:1/ca.crl: '],
      [{ crl: '' }, 'failed to parse CRL: '],
      [{ crl: 'hello' }, 'failed to parse CRL: '],
      [{ crl: '', url: 'http://127.0.0.1:1/ca.crl' }, 'failed to parse CRL: '],
      [{ crl: ca.pem }, 'failed to parse CRL: '],
      [{ crl: good.pem + good.pem }, 'failed to parse CRL: '],
      [{ crl: ['x'] }, 'Field validation failed'],
      [{ crl: ca.crl({ extensions: [delta] }).pem }, 'unusable CRL: a delta CRL'],
      [
        { crl: tampered(good.der).toString('base64') },
        'unusable CRL: the signature was not made by the key of its issuer',
      ],
      [{ crl: good.pem, on_stale: 'never' }, "invalid 'on_stale' value: expected use or refuse"],
      [{ crl: good.pem, on_unknown_issuer: '' }, "invalid 'on_unknown_issuer' value"],
    ] as const) {
      const answer = await put('corp', body);
      expect([answer.status, answer.body.errors[0]]).toEqual([400, expect.stringContaining(text)]);
      expect(answer.text).not.toContain('secret');
    }
    expect((await read('corp')).body.data.serials).toEqual({ [String(client.serial)]: {} });
    expect((await root('POST', '/crls/corp', 'no json')).status).toBe(400);
  });

  it('refuse machines as soon as they are written, and allow them again as soon as they are deleted', async () => {
    expect(await login(client)).toEqual([200, undefined]);
    await put('corp', { crl: ca.crl({ revoked: [client.serial] }).pem });
    expect(await login(client)).toEqual(REFUSED);
    expect(await login(ca.issue({ subject: 'other' }))).toEqual([200, undefined]);
    await put('corp', { crl: ca.crl({ revoked: [1n] }).pem });
    expect(await login(client)).toEqual([200, undefined]);
    await put('second', { crl: ca.crl({ revoked: [client.serial] }).pem });
    expect(await login(client)).toEqual(REFUSED);
    await root('DELETE', '/crls/second');
    expect(await login(client)).toEqual([200, undefined]);
  });

  it('are in force at the first login of a node that has just started, and seen by one that runs', async () => {
    const path = [client, ca].map(({ der }) => der);
    const running = await anotherNode();
    const refusals = async (node: typeof running) => {
      const verdicts = await node.verdicts(path.map((der) => Certificate.parse(der)));
      return verdicts.filter(({ outcome }) => outcome === 'refused');
    };
    expect(await refusals(running)).toEqual([]);
    await put('corp', { crl: ca.crl({ revoked: [client.serial] }).pem });
    for (const node of [running, await anotherNode()]) {
      expect(await refusals(node)).toEqual([
        {
          check: 'crl',
          outcome: 'refused',
          certificate: { index: 0, subject: 'CN=client' },
          expected: 'not on the CRL "corp"',
          actual: expect.stringMatching(/^revoked on \d{4}-.*, reason unspecified$/),
        },
      ]);
    }
    await root('DELETE', '/crls/corp');
    expect(await refusals(running)).toEqual([]);
  });

  it('of a CA on the path refuse the certificates below it', async () => {
    const intermediate = ca.issueAuthority({ subject: 'Below' });
    const leaf = intermediate.issue({ subject: 'leaf' });
    const chain = { pem: leaf.pem + intermediate.pem, keyPem: leaf.keyPem };
    expect(await login(chain)).toEqual([200, undefined]);
    await put('corp', { crl: ca.crl({ revoked: [intermediate.serial] }).pem });
    expect(await login(chain)).toEqual(REFUSED);
    await put('corp', { crl: intermediate.crl({ revoked: [leaf.serial] }).pem });
    expect(await login(chain)).toEqual(REFUSED);
    await put('corp', { crl: intermediate.crl({ revoked: [] }).pem });
    expect(await login(chain)).toEqual([200, undefined]);
  });

  it('match by issuer and serial number if the issuer is known, otherwise only by serial number', async () => {
    const stranger = createRoot({ subject: 'Unknown CA' });
    const list = stranger.crl({ revoked: [client.serial] }).pem;
    await put('unknown', { crl: list });
    expect((await read('unknown')).body.data.status.signature).toBe('unknown-issuer');
    expect(await login(client)).toEqual(REFUSED);
    await put('unknown', { crl: list, on_unknown_issuer: 'ignore' });
    expect(await login(client)).toEqual([200, undefined]);
    await put('unknown', { crl: list, on_unknown_issuer: 'match_serial' });
    expect(await login(client)).toEqual(REFUSED);
    await register('stranger', stranger.pem);
    expect((await read('unknown')).body.data.status.signature).toBe('verified');
    expect(await login(client)).toEqual([200, undefined]);
    await root('DELETE', '/certs/stranger');
  });

  it('refuse a pinned certificate of any issuer', async () => {
    const pinned = selfSigned({ subject: 'pinned' });
    await register('pinned', pinned.pem);
    expect(await login(pinned)).toEqual([200, undefined]);
    await put('pinned', { crl: createRoot({ subject: 'Anyone' }).crl({ revoked: [pinned.serial] }).pem });
    expect(await login(pinned)).toEqual(REFUSED);
    const issued = ca.issue({ subject: 'pinned too' });
    await register('pinned', issued.pem);
    await put('pinned', { crl: ca.crl({ revoked: [issued.serial] }).pem });
    expect(await login(issued)).toEqual(REFUSED);
    await root('DELETE', '/certs/pinned');
  });

  it('that turn out to be forged refuse every client that they could list', async () => {
    const owner = createRoot({ subject: 'Late CA' });
    const leaf = owner.issue({ subject: 'late' });
    const { der } = owner.crl();
    await put('late', { crl: tampered(der).toString('base64') });
    await register('late', owner.pem);
    expect((await read('late')).body.data.status).toMatchObject({
      signature: 'invalid',
      signature_fault: 'the signature was not made by the key of its issuer',
    });
    expect(await login(leaf)).toEqual(REFUSED);
    expect(await login(client)).toEqual([200, undefined]);
    await put('late', { crl: der.toString('base64') });
    expect(await login(leaf)).toEqual([200, undefined]);
    await root('DELETE', '/certs/late');
  });

  it('that are overdue stay in use or refuse every client, by their setting', async () => {
    const crl = ca.crl({ thisUpdate: new Date(Date.now() - 2 * HOUR), nextUpdate: new Date(Date.now() - HOUR) }).pem;
    await put('corp', { crl });
    expect((await read('corp')).body.data.status.stale).toBe(true);
    expect(await login(client)).toEqual([200, undefined]);
    await put('corp', { crl, on_stale: 'refuse' });
    expect(await login(client)).toEqual(REFUSED);
    await put('corp', { crl: ca.crl().pem });
    expect((await read('corp')).body.data).toMatchObject({ on_stale: 'refuse', status: { stale: false } });
    expect(await login(client)).toEqual([200, undefined]);
  });

  it('are read in pages on request', async () => {
    const serials = Array.from({ length: 1200 }, (_, i) => BigInt(i) * 3n - 5n);
    await put('large', { crl: ca.crl({ revoked: serials }).pem });
    const keys = async (query: string) => Object.keys((await read('large', query)).body.data.serials);
    expect((await keys('')).sort()).toEqual(serials.map(String).sort());
    expect(await keys('?limit=2')).toEqual(['-5', '-2']);
    expect(await keys(`?limit=2&after=${serials[1197]}`)).toEqual([`${serials[1198]}`, `${serials[1199]}`]);
    expect(await keys(`?after=${serials[1199]}`)).toEqual([]);
    for (const query of ['?after=2', '?after=x', '?limit=x', '?limit=1&limit=2', '?after=%00']) {
      expect((await read('large', query)).status).toBe(400);
    }
  });
});
