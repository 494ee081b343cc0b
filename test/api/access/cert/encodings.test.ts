import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as der from '../../../../src/pki/der.ts';
import { sql } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import {
  type Authority,
  type AuthorityOptions,
  type CertificateOptions,
  createRoot,
  dnsName,
  emailName,
  OID,
  uriName,
} from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const extension = (oid: string, value: Uint8Array, critical = false) => ({ extensions: [{ oid, value, critical }] });
const usage = (bits: string) => extension(OID.keyUsage, hex(bits), true);
const minimum0 = der.sequence(dnsName('corp.example'), der.primitive(0, hex('00')));
const permitting = (...subtrees: Uint8Array[]) =>
  extension(OID.nameConstraints, der.sequence(der.constructed(0, ...subtrees)), true);
const points = (...rest: Uint8Array[]) =>
  der.sequence(
    der.sequence(der.constructed(0, der.constructed(0, uriName('http://crl.corp.example/ca.crl'))), ...rest),
  );
const ECDSA_NULL = der.sequence(der.oid('1.2.840.10045.4.3.2'), der.nullValue());
const algorithm = { innerAlgorithm: ECDSA_NULL, outerAlgorithm: ECDSA_NULL };

/** A CA, and a client below it. */
type Pair = readonly [what: string, ca: AuthorityOptions, client: CertificateOptions];

const ADMITTED: readonly Pair[] = [
  ['a client with key usage that ends with a zero bit', {}, usage('03 02 00 a0')],
  ['a CA with key usage that ends with zero bits', usage('03 02 00 06'), {}],
  ['a CA with key usage that ends with a zero byte', usage('03 03 07 06 00'), {}],
  ['a client with no alternative name in their list', {}, extension(OID.subjectAltName, der.sequence())],
  ['a CA and a client with no policy in their list', extension(OID.certificatePolicies, der.sequence()), {}],
  ['a CA with no policy mapping in their list', extension(OID.policyMappings, der.sequence()), {}],
  [
    'a client that says that it is no CA, with a path length',
    {},
    extension(OID.basicConstraints, hex('30 03 02 01 00')),
  ],
  ['a client of version 1, written out', {}, { version: 1, replace: { version: der.constructed(0, der.integer(0)) } }],
  ['a CA and a client signed by ECDSA with NULL', { replace: algorithm }, { replace: algorithm }],
  ['a client with critical CRL distribution points', {}, extension('2.5.29.31', points(), true)],
  [
    'a client with malformed CRL distribution points that are not critical',
    {},
    extension('2.5.29.31', der.nullValue()),
  ],
  ['a CA with critical CRL distribution points', extension('2.5.29.31', points(), true), {}],
  [
    'a name below a permitted DNS name with a leading dot',
    { permitted: [dnsName('.corp.example')] },
    { dns: ['a.corp.example'] },
  ],
  [
    'another name than an excluded DNS name with a leading dot',
    { excluded: [dnsName('.corp.example')] },
    { dns: ['a.example'] },
  ],
  [
    'the apex of an excluded DNS name with a leading dot',
    { excluded: [dnsName('.corp.example')] },
    { dns: ['corp.example'] },
  ],
  ['a constraint with a minimum of 0', permitting(minimum0), { dns: ['a.corp.example'] }],
];

const REFUSED: readonly Pair[] = [
  // OpenSSL cannot decode these two. The server must respond anyway.
  ['a client with malformed critical CRL distribution points', {}, extension('2.5.29.31', der.nullValue(), true)],
  ['a client with a malformed key usage', {}, usage('04 01 80')],
  ['a client with key usage whose padding bits are set', {}, usage('03 02 07 ff')],
  ['a client with no name in critical alternative names', {}, extension(OID.subjectAltName, der.sequence(), true)],
  [
    'a client with critical CRL distribution points whose reasons have padding bits set',
    {},
    extension('2.5.29.31', points(der.primitive(1, hex('06 7f'))), true),
  ],
  [
    'the apex of a permitted DNS name with a leading dot',
    { permitted: [dnsName('.corp.example')] },
    { dns: ['corp.example'] },
  ],
  [
    'a name beside a permitted DNS name with a leading dot',
    { permitted: [dnsName('.corp.example')] },
    { dns: ['a.xcorp.example'] },
  ],
  [
    'a name below an excluded DNS name with a leading dot',
    { excluded: [dnsName('.corp.example')] },
    { dns: ['a.b.corp.example'] },
  ],
  [
    'a wildcard below an excluded DNS name with a leading dot',
    { excluded: [dnsName('.corp.example')] },
    { dns: ['*.corp.example'] },
  ],
  [
    'an excluded e-mail address in the subject, beside no alternative name',
    { excluded: [emailName('corp.example')] },
    { subject: [['emailAddress', der.ia5String('a@corp.example')]], ...extension(OID.subjectAltName, der.sequence()) },
  ],
  ['a name outside of a constraint with a minimum of 0', permitting(minimum0), { dns: ['a.example'] }],
];

const UNREADABLE_CAS: readonly (readonly [what: string, ca: AuthorityOptions])[] = [
  ['key usage whose padding bits are set', usage('03 02 02 07')],
  ['a constraint with a maximum', permitting(der.sequence(dnsName('corp.example'), der.primitive(1, hex('05'))))],
  ['a constraint with a minimum of 1', permitting(der.sequence(dnsName('corp.example'), der.primitive(0, hex('01'))))],
  ['cA of 1', extension(OID.basicConstraints, hex('30 03 01 01 01'), true)],
];

const readSettings = sql<{ name: string }, { settings: string }>('SELECT settings FROM role WHERE name = :name');
const writeSettings = sql<{ name: string; settings: string }>(
  'UPDATE role SET settings = :settings WHERE name = :name',
);

describe.each(databaseKinds)('certificates in other forms than the one of DER, on %s', (kind) => {
  let server: TestServer;
  let number = 0;

  const put = (name: string, certificate: string, on = server) =>
    on.root('POST', `/v1/auth/cert/certs/${name}`, { certificate });
  const login = (certificate: { pem: string; keyPem: string }, name: string, on = server) =>
    on.call('POST', '/v1/auth/cert/login', { certificate, body: { name } });
  const logins = async (ca: AuthorityOptions, client: CertificateOptions) => {
    const name = `role-${number++}`;
    const authority = createRoot({ subject: `CA ${name}`, ...ca });
    const { status: written } = await put(name, authority.pem);
    return [written, (await login(authority.issue({ subject: 'device', ...client }), name)).status];
  };

  beforeAll(async () => {
    server = await startTestServer(kind);
  });
  afterAll(() => server.stop());

  it.each(ADMITTED)('%s is admitted', async (_, ca, client) => {
    const [written, status] = await logins(ca, client);
    expect([written, status]).toEqual([expect.toBeOneOf([200, 204]), 200]);
  });

  it.each(REFUSED)('%s is refused', async (_, ca, client) => {
    const [written, status] = await logins(ca, client);
    expect([written, status]).toEqual([expect.toBeOneOf([200, 204]), 400]);
  });

  it.each(UNREADABLE_CAS)('a CA with %s is no role', async (_, ca) => {
    expect((await put('unreadable', createRoot(ca).pem)).status).toBe(400);
  });

  it('a CRL entry with an empty list of extensions is accepted', async () => {
    const ca = createRoot({ subject: 'List CA' });
    await put('listed', ca.pem);
    const client = ca.issue({ subject: 'device' });
    expect((await login(client, 'listed')).status).toBe(200);
    const crl = der.pem('X509 CRL', ca.crl({ revoked: [{ serial: client.serial, extensions: [] }] }).der);
    expect((await server.root('POST', '/v1/auth/cert/crls/plain', { crl })).status).toBe(204);
    expect((await login(client, 'listed')).status).toBe(400);
  });

  describe('a stored role with a CA that this release cannot read', () => {
    const unreadable = createRoot({ subject: 'Unreadable', ...usage('03 02 02 07') });
    const [known, other] = ['Known', 'Other'].map((subject) => createRoot({ subject })) as [Authority, Authority];
    const pinned = known.issue({ subject: 'pinned' });

    /** The row as an older release stored it. */
    async function store(name: string, certificate: string): Promise<void> {
      const database = server.application.databases.access;
      const row = await database.one(readSettings, { name });
      const settings = { ...JSON.parse(row?.settings ?? ''), certificate };
      await database.run(writeSettings, { name, settings: JSON.stringify(settings) });
    }

    it('logs in by its other CAs with a warning, and no other role is affected', async () => {
      await put('bundle', known.pem);
      await put('lost', known.pem);
      await put('beside', other.pem);
      await store('bundle', known.pem + unreadable.pem);
      await store('lost', unreadable.pem + known.pem);
      const upgraded = await startTestServer(kind, { beside: server });
      try {
        const client = known.issue({ subject: 'device' });
        expect((await login(client, 'bundle', upgraded)).status).toBe(200);
        expect((await login(other.issue(), 'beside', upgraded)).status).toBe(200);
        expect((await login(unreadable.issue(), 'bundle', upgraded)).status).toBe(400);
        // The first certificate decides whether a role pins certificates or trusts CAs. Without it, the later ones
        // are not used as CAs.
        expect((await login(client, 'lost', upgraded)).status).toBe(400);
        expect((await login(pinned, 'lost', upgraded)).status).toBe(400);
        const { body } = await upgraded.root('GET', '/v1/auth/cert/certs/bundle');
        expect(body.warnings).toEqual([
          expect.stringMatching(/^certificate 2 of the role cannot be parsed: key usage: BIT STRING with unused bits/),
        ]);
        expect((await upgraded.root('GET', '/v1/auth/cert/certs/beside')).body.warnings).toBeNull();
        const logged = upgraded.logLines().map(({ err }) => (err as Error | undefined)?.message);
        expect(logged).toEqual(
          expect.arrayContaining([
            expect.stringMatching(/^role bundle: certificate 2 of the role cannot be parsed: key usage/),
            expect.stringMatching(/^role lost: certificate 1 of the role cannot be parsed: key usage/),
          ]),
        );
      } finally {
        await upgraded.stop();
      }
    });
  });
});
