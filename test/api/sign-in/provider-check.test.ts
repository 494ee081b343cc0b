import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../support/machine/free-port.ts';
import { CertifiedProvider, CLIENT_ID, CLIENT_SECRET } from '../../support/oidc/certified.ts';
import { TestProvider } from '../../support/oidc/provider.ts';
import { SigningIn } from '../../support/oidc/signing-in.ts';
import { startTestServer } from '../../support/server.ts';

const DISCOVERY = '/.well-known/openid-configuration';
const PROVIDER = '/api/v2/organizations/acme/sign-in-provider';
const HOUR = 3_600_000;

type Verdict = {
  readonly check: string;
  readonly status: string;
  readonly found: string;
  readonly advice: string | null;
};

describe("the check of an organization's provider", () => {
  let on: SigningIn;
  let certified: CertifiedProvider;
  /** A provider whose responses a test controls. */
  let own: TestProvider;

  const ask = () => on.server.user('POST', `${PROVIDER}/actions/check`);
  const put = async (attributes: object) => {
    const data = { type: 'sign-in-providers', attributes: { name: 'Acme ID', 'client-id': CLIENT_ID, ...attributes } };
    const { status, body } = await on.server.user('POST', PROVIDER, { data });
    expect(status, JSON.stringify(body)).toBe(201);
  };
  const putOwn = (attributes: object = {}) =>
    put({ issuer: own.issuer, 'client-secret': CLIENT_SECRET, 'certificate-authorities': own.ca, ...attributes });
  const putCertified = (attributes: object = {}) =>
    put({
      ...{ issuer: certified.issuer, 'client-secret': CLIENT_SECRET, 'certificate-authorities': certified.ca },
      ...attributes,
    });
  /** Returns the failed checks as `status check: found`. Each of them must have an advice. */
  const wrong = async () => {
    const { status, body } = await ask();
    expect([status, body.data?.type]).toEqual([200, 'sign-in-provider-checks']);
    const verdicts: Verdict[] = body.data.attributes.verdicts;
    const bad = verdicts.filter((one) => one.status === 'warning' || one.status === 'failure');
    expect(bad.filter(({ advice }) => advice === null)).toEqual([]);
    const worst = bad.some((one) => one.status === 'failure') ? 'failure' : (bad[0]?.status ?? 'success');
    expect(body.data.attributes.status).toBe(worst);
    return bad.map(({ check, status: how, found }) => `${how} ${check}: ${found}`);
  };
  const verdict = async (check: string) => {
    const { verdicts } = (await ask()).body.data.attributes;
    return verdicts.find((one: Verdict) => one.check === check);
  };

  beforeAll(async () => {
    [on, certified, own] = await Promise.all([
      SigningIn.start('sqlite'),
      CertifiedProvider.start(),
      TestProvider.start(),
    ]);
    const data = { type: 'organizations', attributes: { name: 'acme', email: 'a@example.com' } };
    expect((await on.server.user('POST', '/api/v2/organizations', { data })).status).toBe(201);
    certified.serve(['https://lock.example.com/callback']);
  });
  afterAll(async () => {
    await on.stop();
    certified.stop();
    await own.stop();
  });
  afterEach(() => own.reset());

  it('passes every check, one by one, and the check changes nothing', async () => {
    await putCertified();
    const before = (await on.server.user('GET', PROVIDER)).body;
    const { status, body, headers } = await ask();
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    const { verdicts } = body.data.attributes;
    expect(verdicts.map((one: Verdict) => `${one.status} ${one.check}: ${one.found}`)).toEqual([
      'success address: the discovery document can be read',
      'success issuer: the discovery document names the configured issuer',
      'success endpoints: all endpoints that a sign-in needs',
      'success keys: 1 key',
      'success scopes: the provider knows all 3',
      'success claims: the provider lists all 3',
      'success client: the provider accepts this client',
      expect.stringMatching(/^success clock: within \d s of the clock of the provider/),
    ]);
    expect(body.data.attributes.status).toBe('success');
    expect((await on.server.user('GET', PROVIDER)).body).toEqual(before);
  });

  it.each([
    ['another secret', { 'client-secret': 'of somebody else' }],
    ['no secret, where there is one', { 'client-secret': null }],
    ['another client', { 'client-id': 'nobody' }],
  ])('is reported to refuse the client that has %s, and the report contains no secret', async (_, attributes) => {
    await putCertified(attributes);
    expect(await wrong()).toEqual(['failure client: the provider does not accept this client']);
    expect(JSON.stringify((await ask()).body)).not.toContain('of somebody else');
  });

  it('is reported to have the wrong time', async () => {
    await putOwn();
    own.says.headers = { date: new Date(Date.now() - HOUR).toUTCString() };
    expect(await wrong()).toEqual([expect.stringMatching(/^failure clock: 3\d\d\d\.\d s from that of the provider/)]);
    // A cached response with its age.
    own.says.headers = { ...own.says.headers, age: '3600' };
    expect(await wrong()).toEqual([]);
  });

  it('is reported with the scopes and claims that it does not list', async () => {
    await putOwn({ scopes: ['profile', 'groups'], claims: { groups: 'realm_access.roles' } });
    expect(await verdict('scopes')).toMatchObject({
      status: 'skipped',
      found: 'the provider does not list its scopes',
    });
    own.says.metadata = {
      scopes_supported: ['openid', 'profile', 7],
      claims_supported: ['preferred_username', 'realm_access', {}],
    };
    expect(await wrong()).toEqual(['warning scopes: the provider does not list 1 of 3']);
    expect(await verdict('scopes')).toMatchObject({ detail: 'groups' });
    expect(await verdict('claims')).toMatchObject({ status: 'skipped', detail: 'email' });
  });

  it.each([
    ['another', 'https://else.example.com', 'the discovery document names another issuer', 'https://else.example.com'],
    ['a control character', '\u001b[31mred', 'the discovery document names another issuer', '[31mred'],
    ['no', undefined, 'the discovery document names no issuer', undefined],
  ])('is reported to announce %s issuer, and the secret is not sent', async (_, issuer, found, shown) => {
    await putOwn();
    own.says.metadata = { issuer };
    own.asked.splice(0);
    expect(await wrong()).toEqual([`failure issuer: ${found}`]);
    expect((await verdict('issuer')).detail).toBe(shown ?? own.issuer);
    expect(await verdict('client')).toMatchObject({ status: 'skipped' });
    expect(own.asked).not.toContain('/token');
  });

  it('is reported to spell its issuer another way', async () => {
    await putOwn({ issuer: `${own.issuer}/` });
    expect(await wrong()).toEqual(['failure issuer: the discovery document spells the issuer differently']);
  });

  it.each([
    [{ token_endpoint: undefined }, 'the discovery document has no token_endpoint'],
    [{ authorization_endpoint: 7 }, 'the discovery document has no authorization_endpoint'],
    [{ userinfo_endpoint: 'http://127.0.0.1/userinfo' }, 'userinfo_endpoint is not an https URL'],
    [{ token_endpoint: 'nonsense' }, 'token_endpoint is not an https URL'],
    [{ response_types_supported: ['id_token'] }, 'the provider does not offer the authorization code flow'],
    [
      { id_token_signing_alg_values_supported: ['HS256', 'none'] },
      'the provider supports no accepted signature algorithm',
    ],
  ])('is reported to offer nothing that sign-in works with: %j', async (metadata, found) => {
    await putOwn();
    own.says.metadata = metadata;
    own.asked.splice(0);
    expect(await wrong()).toEqual([`failure endpoints: ${found}`]);
    expect(own.asked).not.toContain('/token');
  });

  it.each([
    [{ '/keys': { status: 200, body: '{"keys":[]}' } }, 'the key set has no key that can verify a signature'],
    [{ '/keys': { status: 200, body: '{}' } }, 'the answer is not a JSON Web Key Set'],
    [{ '/keys': { status: 500, body: '' } }, 'status 500'],
  ])('is reported to have no keys: %j', async (instead, found) => {
    await putOwn();
    own.says.instead = instead;
    expect(await wrong()).toEqual([`failure keys: ${found}`]);
    own.says.instead = {};
    own.says.metadata = { jwks_uri: undefined };
    expect(await wrong()).toEqual([
      'failure keys: the discovery document does not name the URL of the keys (jwks_uri)',
    ]);
  });

  it.each([
    [{ status: 404, body: '{}' }, 'status 404'],
    [{ status: 200, body: '<html>' }, 'the answer is not JSON'],
    [{ status: 200, body: '['.repeat(100_000) }, 'the answer is not JSON'],
    [{ status: 200, body: ' '.repeat(300_000) }, 'the answer has more than 262144 bytes'],
  ])('is reported to have no document: %o', async (instead, found) => {
    await putOwn();
    own.says.instead = { [DISCOVERY]: instead };
    expect(await wrong()).toEqual([`failure address: ${found}`]);
  });

  it.each(['garbage', '{"error":"temporarily_unavailable"}'])(
    'is reported with an invalid token endpoint: %s',
    async (body) => {
      await putOwn();
      own.says.instead = { '/token': { status: 400, body } };
      const { status, found } = await verdict('client');
      expect([status, found]).toEqual(
        body === 'garbage'
          ? ['failure', 'the answer is not valid OpenID Connect']
          : ['skipped', 'the provider does not say whether it accepts this client'],
      );
    },
  );

  it('is reported to be unreachable, forbidden by the network rules, or to have a certificate of an unknown CA', async () => {
    await put({ issuer: `https://127.0.0.1:${await freePort()}` });
    expect(await wrong()).toEqual(['failure address: the connection failed: ECONNREFUSED']);
    await put({ issuer: 'https://10.0.0.1/realms/main' });
    expect(await wrong()).toEqual(['failure address: connections to this address are not allowed']);
    expect((await verdict('address')).advice).toContain('notifications.allowed_addresses');
    await putOwn({ 'certificate-authorities': null });
    expect(await wrong()).toEqual([
      expect.stringMatching(/^failure address: the connection failed: [A-Z_]*(CERT|SIGNATURE)/),
    ]);
    expect((await verdict('address')).advice).toContain('CA certificate');
  });

  it('is reported if its token endpoint is forbidden by the network rules, and the secret is not sent', async () => {
    await putOwn();
    own.says.metadata = { jwks_uri: 'https://10.0.0.1/keys', token_endpoint: 'https://169.254.169.254/token' };
    expect(await wrong()).toEqual([
      'failure keys: connections to this address are not allowed',
      'failure client: the token endpoint does not answer',
    ]);
    own.says.metadata = {};
    own.says.instead = { [DISCOVERY]: { status: 302, body: '' } };
    own.says.headers = { location: `${own.issuer}/elsewhere` };
    expect(await wrong()).toEqual(['failure address: too many redirects']);
  });

  it('that hangs is reported as unreachable, and the number of simultaneous checks is limited', async () => {
    await putOwn();
    own.says.slow = { [DISCOVERY]: 'hangs' };
    const answers = await Promise.all(Array.from({ length: 6 }, ask));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 429, 429]);
    const told = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.attributes.verdicts);
    for (const verdicts of told) expect(verdicts).toMatchObject([{ check: 'address', found: 'no answer in time' }]);
    await expect.poll(() => own.open()).toBe(0);
    own.reset();
    expect(await wrong()).toEqual([]);
  });

  it('whose token endpoint never ends its response is reported as unreachable', async () => {
    await putOwn();
    own.says.slow = { '/token': 'drips' };
    expect(await wrong()).toEqual(['failure client: the token endpoint does not answer']);
    await expect.poll(() => own.open()).toBe(0);
  }, 20_000);

  it('is not contacted if the operator forbids such providers', async () => {
    await putOwn();
    const times = { sessionIdle: 3600, sessionLifetime: 3600, reauthenticateAfter: 0 };
    const signIn = { ...times, organizationProviders: false };
    const beside = await startTestServer('sqlite', { services: ['workspaces'], signIn, beside: on.server });
    own.asked.splice(0);
    const { status, body } = await beside.user('POST', `${PROVIDER}/actions/check`);
    await beside.stop();
    expect([status, body.errors[0].detail]).toEqual([403, expect.stringContaining('sign_in.organization_providers')]);
    expect(own.asked).toEqual([]);
  });

  it('can be checked by owners of the organization, as long as it exists', async () => {
    await on.server.user('DELETE', PROVIDER);
    expect((await ask()).status).toBe(404);
    expect((await on.server.user('POST', '/api/v2/organizations/other/sign-in-provider/actions/check')).status).toBe(
      404,
    );
  });
});
