import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as der from '../../../../src/pki/der.ts';
import { otherName } from '../../../../src/pki/names.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { type Authority, type CertificateOptions, createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const UPN = '1.3.6.1.4.1.311.20.2.3';
const GROUPS = '1.3.6.1.4.1.99999.2';
const extension = (value: Uint8Array): CertificateOptions => ({ extensions: [{ oid: GROUPS, value }] });

describe.each(databaseKinds)('identities and groups from certificates, on %s', (kind) => {
  let server: TestServer;
  let root: Authority;
  let accessor: string;

  const role = (name: string, settings: Record<string, unknown>) =>
    server.root('POST', `/v1/auth/cert/certs/${name}`, { certificate: root.pem, ...settings });
  const login = async (options: CertificateOptions, name: string) =>
    server.call('POST', '/v1/auth/cert/login', { certificate: root.issue(options), body: { name } });
  const policies = async (options: CertificateOptions, name: string) => {
    const { status, body } = await login({ subject: 'client', ...options }, name);
    return status === 200 ? (body.auth.identity_policies ?? []) : status;
  };
  const explain = async (options: CertificateOptions, name: string) => {
    const certificate = root.issue(options).pem;
    return (await server.root('POST', '/v1/auth/cert/login/explain', { certificate, name })).body.data;
  };
  const group = async (name: string, policy: string) => {
    const made = await server.root('POST', '/v1/identity/group', {
      name: policy,
      type: 'external',
      policies: [policy],
    });
    const alias = { name, mount_accessor: accessor, canonical_id: made.body.data.id };
    expect((await server.root('POST', '/v1/identity/group-alias', alias)).status).toBe(200);
  };

  beforeAll(async () => {
    server = await startTestServer(kind);
    root = createRoot({ subject: 'Identities' });
    accessor = (await server.root('GET', '/v1/sys/auth')).body.data['cert/'].accessor;
    await role('plain', {});
    await role('grouped', {
      group_sources: [
        'subject:OU',
        'uri_san:spiffe://Example.org/team/*',
        `extension:${GROUPS}`,
        'other_san:upn:*@a.example',
      ],
    });
    await group('ops', 'of-ops');
    await group('dev', 'of-dev');
    await group('spiffe://example.org/team/Blue', 'of-blue');
    await group('jane@a.example', 'of-jane');
  });
  afterAll(() => server.stop());

  it('groups are names in the sources of the role', async () => {
    const subject = (...units: string[]) => ({
      subject: [['CN', 'client'], ...units.map((unit) => ['OU', unit] as [string, string])] as [string, string][],
    });
    expect(await policies({}, 'grouped')).toEqual([]);
    expect(await policies(subject('ops'), 'grouped')).toEqual(['of-ops']);
    expect(await policies(subject('dev', 'ops', 'other', 'ops'), 'grouped')).toEqual(['of-dev', 'of-ops']);
    expect(await policies(subject('Ops'), 'grouped')).toEqual([]);
    expect(await policies({ uris: ['SPIFFE://EXAMPLE.org/team/Blue'] }, 'grouped')).toEqual(['of-blue']);
    expect(await policies({ uris: ['spiffe://example.org/other/Blue'] }, 'grouped')).toEqual([]);
    expect(await policies(extension(der.utf8String('ops')), 'grouped')).toEqual(['of-ops']);
    const list = der.sequence(der.utf8String('ops'), der.printableString('dev'));
    expect(await policies(extension(list), 'grouped')).toEqual(['of-dev', 'of-ops']);
    const names = ['jane@a.example', 'ops'].map((name) => otherName(UPN, der.utf8String(name)));
    expect(await policies({ otherNames: names }, 'grouped')).toEqual(['of-jane']);
    expect(await explain(subject('ops', 'x'), 'grouped')).toMatchObject({ roles: [{ groups: ['ops', 'x'] }] });
  });

  it('a login replaces the groups, for earlier tokens too, also a login with a role without sources', async () => {
    const { body } = await login(
      {
        subject: [
          ['CN', 'client'],
          ['OU', 'ops'],
        ],
      },
      'grouped',
    );
    const token = body.auth.client_token;
    const held = async () =>
      (await server.call('GET', '/v1/auth/token/lookup-self', { token })).body.data.identity_policies;
    expect(await held()).toEqual(['of-ops']);
    expect(await policies({}, 'plain')).toEqual([]);
    expect(await held()).toBeUndefined();
    expect(
      await policies(
        {
          subject: [
            ['CN', 'client'],
            ['OU', 'dev'],
          ],
        },
        'grouped',
      ),
    ).toEqual(['of-dev']);
    expect(await held()).toEqual(['of-dev']);
  });

  it('extensions of any ASN.1 are no groups, or a list of at most 500', async () => {
    const deep = Array.from({ length: 30 }).reduce<Buffer>((inner) => der.sequence(inner), der.utf8String('ops'));
    for (const value of [
      der.nullValue(),
      der.sequence(),
      deep,
      der.sequence(der.utf8String('ops'), der.integer(1)),
      der.sequence(der.sequence(der.utf8String('ops'))),
      Buffer.from('0c0461', 'hex'),
      Buffer.from('30800000', 'hex'),
      Buffer.from('0c01ff', 'hex'),
      Buffer.concat([der.utf8String('ops'), der.utf8String('dev')]),
      Buffer.alloc(0),
      der.utf8String('op\u0000s'),
      der.utf8String('o'.repeat(3000)),
    ]) {
      expect([value.toString('hex').slice(0, 40), await policies(extension(value), 'grouped')]).toEqual([
        value.toString('hex').slice(0, 40),
        [],
      ]);
    }
    const many = (count: number) =>
      extension(
        der.sequence(der.utf8String('ops'), ...Array.from({ length: count }, (_, i) => der.utf8String(`g${i}`))),
      );
    expect(await policies(many(499), 'grouped')).toEqual(['of-ops']);
    expect(await policies(many(500), 'grouped')).toBe(400);
    expect((await explain({ subject: 'a', ...many(500) }, 'grouped')).roles[0].paths[0].verdicts).toContainEqual(
      expect.objectContaining({
        check: 'group_sources',
        outcome: 'refused',
        actual: '501 groups',
        hint: expect.any(String),
      }),
    );
    expect(await policies(many(10_000), 'grouped')).toBe(400);
  });

  it.each([
    ['fingerprint'],
    ['subject'],
    ['subject:nickname'],
    ['subject:OU:'],
    ['extension:3.1'],
    [`extension:1.2.${'9'.repeat(300)}`],
    ['other_san:'],
    ['URI_SAN'],
    ['constructor'],
    [''],
    [`dns_san:${'a'.repeat(1000)}`],
  ])('the source of groups %j is refused', async (source) => {
    const { status, body } = await role('grouped', { group_sources: ['subject:OU', source] });
    expect([status, body.errors[0]]).toEqual([400, expect.stringContaining('group_sources')]);
  });

  it('aliases come from attributes, other names, IP addresses and extensions', async () => {
    const alias = (source: string) => server.root('POST', '/v1/auth/cert/config', { alias_source: source });
    const rich: CertificateOptions = {
      subject: [
        ['UID', 'u-1'],
        ['CN', 'client'],
      ],
      ips: ['10.0.0.1'],
      otherNames: [otherName(UPN, der.nullValue()), otherName(UPN, der.utf8String('jane@a.example'))],
      ...extension(der.utf8String('machine-7')),
    };
    for (const [source, name] of [
      ['subject:uid', 'u-1'],
      ['subject:2.5.4.3', 'client'],
      ['other_san:UPN', 'jane@a.example'],
      [`extension:${GROUPS}`, 'machine-7'],
      ['ip_san', '10.0.0.1'],
    ] as const) {
      expect((await alias(source)).status).toBe(204);
      const { alias_name } = await explain(rich, 'plain');
      expect([source, alias_name]).toEqual([source, name]);
      const { body } = await login(rich, 'plain');
      const entity = await server.root('GET', `/v1/identity/entity/id/${body.auth.entity_id}`);
      expect(entity.body.data.aliases[0].name).toBe(name);
      // The common name is no substitute: it could be the attribute of another client.
      const poor = await explain(
        { subject: [['CN', 'u-1']].slice(source === 'subject:2.5.4.3' ? 1 : 0) as [string, string][] },
        'plain',
      );
      expect(poor.alias_name).toMatch(/^[\da-f]{64}$/);
    }
    expect((await server.root('GET', '/v1/auth/cert/config')).body.data.alias_source).toBe('ip_san');
    for (const wrong of ['subject:', 'subject:UID:*', 'other_san:x', 'extension', 'serial', '__proto__', 'ip_san:']) {
      expect([wrong, (await alias(wrong)).status]).toEqual([wrong, 400]);
    }
    await alias('common_name');
  });
});
