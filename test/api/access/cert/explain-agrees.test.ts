import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Issuer, startIssuer } from '../../../support/jwt/issuer.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

/** Settings of logins at each kind of mount. */
const RUNS = 60;
const TYPES = ['default-service', 'default-batch', 'service', 'batch'];

/**
 * Settings that decide whether a role gives a token. They are written to the mount or to the role where both accept
 * them.
 */
const roleSettings = fc
  .record({
    token_type: fc.constantFrom('default', 'service', 'batch'),
    token_num_uses: fc.constantFrom(0, 0, 2),
    token_bound_cidrs: fc.constantFrom('', '', '127.0.0.0/8', '10.0.0.0/8'),
    token_strictly_bind_ip: fc.boolean(),
    token_max_ttl: fc.constantFrom(0, 60),
    token_period: fc.constantFrom(0, 3600),
    token_policies: fc.constantFrom('a', ['b', 'c']),
  })
  .map((settings) => ({
    ...settings,
    ...(settings.token_strictly_bind_ip && { token_bound_cidrs: '' }),
    ...(settings.token_type === 'batch' && { token_num_uses: 0, token_period: 0 }),
  }));

const surroundings = fc.record({
  mountType: fc.constantFrom(...TYPES),
  disabled: fc.constantFrom(false, false, true),
  first: roleSettings,
  second: roleSettings,
});

interface Verdict {
  readonly check: string;
  readonly outcome: string;
}

interface Refusal {
  readonly verdicts: readonly Verdict[];
}

/** Returns the failed checks of a list of findings or roles. */
const refusedChecks = (all: readonly Refusal[]): Set<string> =>
  new Set(
    all.flatMap(({ verdicts }) => verdicts.filter(({ outcome }) => outcome === 'refused').map(({ check }) => check)),
  );

describe('an explanation agrees with the login', () => {
  let server: TestServer;
  const ca = createRoot({ subject: 'Agreeing CA' });
  const leaves = {
    named: ca.issue({ subject: 'web-1.example.com', dns: ['web-1.example.com'] }),
    other: ca.issue({ subject: 'web-2.example.org', dns: ['web-2.example.org'] }),
    control: ca.issue({ subject: 'web\u0007', dns: ['web-3.example.com'] }),
    stranger: createRoot({ subject: 'Stranger' }).issue({ subject: 'web-1.example.com', dns: ['web-1.example.com'] }),
  };

  beforeAll(async () => {
    server = await startTestServer('sqlite');
    await server.root('POST', '/v1/auth/cert/config', { strict_dns_names: false });
  });
  afterAll(() => server.stop());

  const tune = (mount: string, token_type: string) => server.root('POST', `/v1/sys/auth/${mount}/tune`, { token_type });
  const entities = async () => (await server.root('LIST', '/v1/identity/entity/id')).body?.data?.keys?.length ?? 0;
  const lastLogin = () =>
    server.logLines().findLast(({ route }) => String(route).endsWith('/login')) as
      | { verdicts?: (Refusal | Verdict)[] }
      | undefined;

  /** Disables or enables the entity of an alias at the mount, if the alias exists. */
  async function disable(mount: string, name: string, disabled: boolean): Promise<void> {
    const { accessor } = (await server.root('GET', '/v1/sys/auth')).body.data[`${mount}/`];
    const found = await server.root('POST', '/v1/identity/lookup/entity', {
      alias_name: name,
      alias_mount_accessor: accessor,
    });
    const id = found.body?.data?.id;
    if (id) await server.root('POST', `/v1/identity/entity/id/${id}`, { disabled });
  }

  /** Explains a login, then performs it: the explanation has no side effects, and both have the same result. */
  async function compare(explain: () => ReturnType<TestServer['root']>, login: () => ReturnType<TestServer['call']>) {
    const before = await entities();
    const { status, body } = await explain();
    expect(status, JSON.stringify(body)).toBe(200);
    expect(await entities()).toBe(before);
    const answer = await login();
    const said = body.data;
    expect({ admitted: said.admitted, error: said.error }).toEqual({
      admitted: answer.status === 200,
      error: answer.status === 200 ? null : answer.body.errors[0],
    });
    if (answer.status === 200) {
      expect(said.role).toBe(answer.body.auth.metadata.cert_name ?? answer.body.auth.metadata.role);
      return;
    }
    expect(answer.status).toBe(400);
    // Certificates have verdicts by role and path; tokens have a plain list.
    const noted = refusedChecks(
      (lastLogin()?.verdicts ?? []).map((one) => ('verdicts' in one ? one : { verdicts: [one] })),
    );
    const explained = refusedChecks([
      ...(said.verdicts ? [said] : []),
      ...said.roles.flatMap((role: Refusal & { paths?: Refusal[]; rejected?: Refusal['verdicts'] }) => [
        ...(role.verdicts ? [role] : []),
        ...(role.paths ?? []),
        { verdicts: role.rejected ?? [] },
      ]),
    ]);
    expect([...explained]).toEqual(expect.arrayContaining([...noted]));
  }

  it('of a certificate', async () => {
    const certificates = fc.record({
      leaf: fc.constantFrom(...(Object.keys(leaves) as (keyof typeof leaves)[])),
      name: fc.constantFrom('', 'first', 'second', 'missing'),
      names: fc.constantFrom('', '*.example.com', '*.example.org'),
      metadata: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(surroundings, certificates, async ({ mountType, disabled, first, second }, asked) => {
        await tune('cert', mountType);
        const role = (name: string, settings: object) =>
          server.root('POST', `/v1/auth/cert/certs/${name}`, {
            certificate: ca.pem,
            allowed_dns_sans: asked.names,
            ...settings,
          });
        for (const written of [await role('first', first), await role('second', second)]) {
          expect(written.status, JSON.stringify(written.body)).toBeLessThan(300);
        }
        await server.root('POST', '/v1/auth/cert/config', { enable_identity_alias_metadata: asked.metadata });
        const leaf = leaves[asked.leaf];
        await disable('cert', asked.leaf === 'other' ? 'web-2.example.org' : 'web-1.example.com', disabled);
        const body = { name: asked.name };
        await compare(
          () => server.root('POST', '/v1/auth/cert/login/explain', { ...body, certificate: leaf.pem }),
          () => server.call('POST', '/v1/auth/cert/login', { certificate: leaf, body }),
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('of a token of another issuer', async () => {
    const issuer: Issuer = await startIssuer();
    try {
      await server.root('POST', '/v1/sys/auth/jwt', { type: 'jwt' });
      const now = () => Math.floor(server.now() / 1000);
      const tokens = fc.record({
        role: fc.constantFrom('', 'first', 'second', 'missing'),
        sub: fc.constantFrom('one', 'two', 'a\u0007b', 'x'.repeat(3_000), ''),
        aud: fc.constantFrom('a', 'b'),
        iss: fc.constantFrom(undefined, 'https://other.example'),
        note: fc.constantFrom('', 'n'.repeat(2_000), 'n'.repeat(3_000)),
        expired: fc.constantFrom(false, false, true),
        standard: fc.constantFrom('', 'first'),
        notes: fc.integer({ min: 0, max: 4 }),
      });
      await fc.assert(
        fc.asyncProperty(surroundings, tokens, async ({ mountType, disabled, first, second }, asked) => {
          await tune('jwt', mountType);
          await server.root('POST', '/v1/auth/jwt/config', {
            jwks_url: issuer.jwksUrl,
            bound_issuer: issuer.url,
            default_role: asked.standard,
          });
          const mapped = Array.from({ length: asked.notes }, (_, at) => [`note${at}`, `n${at}`]);
          const role = (name: string, settings: object) =>
            server.root('POST', `/v1/auth/jwt/role/${name}`, {
              user_claim: 'sub',
              bound_audiences: ['a'],
              claim_mappings: Object.fromEntries(mapped),
              ...settings,
            });
          for (const written of [await role('first', first), await role('second', second)]) {
            expect(written.status, JSON.stringify(written.body)).toBeLessThan(300);
          }
          await disable('jwt', 'one', disabled);
          const jwt = await issuer.sign({
            iss: asked.iss ?? issuer.url,
            sub: asked.sub,
            aud: asked.aud,
            iat: now(),
            exp: now() + (asked.expired ? -1_000 : 300),
            ...Object.fromEntries(mapped.map(([claim]) => [claim, asked.note])),
          });
          const body = { role: asked.role, jwt };
          await compare(
            () => server.root('POST', '/v1/auth/jwt/login/explain', body),
            () => server.call('POST', '/v1/auth/jwt/login', { body }),
          );
        }),
        { numRuns: RUNS },
      );
    } finally {
      await issuer.stop();
    }
  });
});
