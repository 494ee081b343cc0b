import { createRemoteJWKSet, customFetch, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JobIdentity } from '../../../../src/workspaces/execution/workload-identity/job-identity.ts';
import type { Workload } from '../../../../src/workspaces/execution/workload-identity/token.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const ISSUER = 'https://lockkeeper.example.com';
const HOUR = 3600;
const DAY = 24 * HOUR;
const WORKLOAD: Workload = {
  organization: { id: 'org-1', name: 'acme' },
  project: { id: 'prj-1', name: 'Default Project' },
  workspace: { id: 'ws-1', name: 'network' },
  runId: 'run-1',
  phase: 'plan',
  speculative: false,
  agent: null,
};
const AGENT = {
  mount: 'cert',
  role: 'agents',
  commonName: 'agent-1',
  subject: 'CN=agent-1,O=acme',
  serialNumber: '77',
  fingerprint: '00ff'.repeat(16),
};

describe.each(databaseKinds)('the identity of runs on %s', (kind) => {
  let server: TestServer;
  let now: number;
  beforeEach(async () => {
    server = await startTestServer(kind, { publicAddress: ISSUER });
    now = server.now();
  });
  afterEach(() => server.stop());

  const advance = (seconds: number) => {
    server.advance(seconds);
    now += seconds * 1000;
  };
  const forJob = (workload: Partial<Workload> = {}, variables: Record<string, string> = {}, of = server) => {
    const given = Object.entries({ TFC_WORKLOAD_IDENTITY_AUDIENCE: 'somebody', ...variables });
    const open = given.map(([key, value]) => ({ key, value, category: 'env' }));
    const timeout = workload.phase === 'apply' ? DAY : 2 * HOUR;
    return of.application.workspaces.execution.workloadIdentity.forJob({ ...WORKLOAD, ...workload }, open, timeout);
  };
  const tokenOf = (identity: JobIdentity | null) => identity?.environment.TFC_WORKLOAD_IDENTITY_TOKEN ?? '';
  /** Verifies a token with a generic library, like any cloud provider: discovery, keys, signature, claims. */
  const verified = async (token: string, audience = 'somebody', of = server): Promise<JWTPayload> => {
    const { body } = await of.call('GET', '/.well-known/openid-configuration');
    const keys = createRemoteJWKSet(new URL(body.jwks_uri), {
      [customFetch]: async (url) => {
        expect(url.startsWith(`${ISSUER}/`)).toBe(true);
        const { text, status } = await of.call('GET', new URL(url).pathname);
        return new Response(text, { status });
      },
    });
    const options = { issuer: body.issuer, audience, currentDate: new Date(now), algorithms: ['RS256'] };
    return (await jwtVerify(token, keys, options)).payload;
  };
  const published = async (of = server): Promise<string[]> =>
    (await of.call('GET', '/.well-known/jwks')).body.keys.map(({ kid }: { kid: string }) => kid);
  const rotate = (of = server) => of.application.workspaces.execution.workloadIdentity.keys.rotate();

  test('publishes its keys without authentication, with a cache time', async () => {
    const discovery = await server.call('GET', '/.well-known/openid-configuration');
    expect(discovery.status).toBe(200);
    expect(discovery.headers['content-type']).toContain('application/json');
    expect(discovery.headers['cache-control']).toBe('public, max-age=3600');
    expect(discovery.body).toMatchObject({
      issuer: ISSUER,
      jwks_uri: `${ISSUER}/.well-known/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    });
    const keys = await server.call('GET', '/.well-known/jwks');
    expect(keys.headers['cache-control']).toBe('public, max-age=3600');
    expect(keys.body.keys).toEqual([
      { kty: 'RSA', alg: 'RS256', use: 'sig', e: 'AQAB', n: expect.any(String), kid: expect.any(String) },
    ]);
    expect((await server.call('GET', '/.well-known/terraform.json')).status).toBe(200);
    expect((await server.call('GET', '/.well-known/jwks/other')).status).toBe(404);
  });

  test('is a token with the run in its claims, valid as long as its phase may take', async () => {
    const token = tokenOf(await forJob());
    expect(decodeProtectedHeader(token)).toEqual({ typ: 'JWT', alg: 'RS256', kid: (await published())[0] });
    const claims = await verified(token);
    const made = claims.iat ?? 0;
    expect(claims).toEqual({
      jti: expect.stringMatching(/^[\da-f-]{36}$/),
      iss: ISSUER,
      aud: 'somebody',
      iat: expect.any(Number),
      nbf: made - 60,
      exp: made + 2 * HOUR,
      sub: 'organization:acme:project:Default Project:workspace:network:run_phase:plan',
      terraform_organization_id: 'org-1',
      terraform_organization_name: 'acme',
      terraform_project_id: 'prj-1',
      terraform_project_name: 'Default Project',
      terraform_workspace_id: 'ws-1',
      terraform_workspace_name: 'network',
      terraform_full_workspace: 'organization:acme:project:Default Project:workspace:network',
      terraform_run_id: 'run-1',
      terraform_run_phase: 'plan',
      lockkeeper_speculative: 'false',
    });
    expect(made).toBe(Math.floor(now / 1000));
    advance(3 * HOUR);
    await expect(verified(token)).rejects.toThrow('"exp" claim timestamp check failed');
  });

  test('of an apply is not that of a plan, and for one audience is not for another', async () => {
    const plan = tokenOf(await forJob());
    const apply = await verified(tokenOf(await forJob({ phase: 'apply' })));
    expect([apply.sub, apply.terraform_run_phase]).toEqual([
      'organization:acme:project:Default Project:workspace:network:run_phase:apply',
      'apply',
    ]);
    expect((apply.exp ?? 0) - (apply.iat ?? 0)).toBe(DAY);
    expect((await verified(plan)).jti).not.toBe(apply.jti);
    await expect(verified(plan, 'somebody else')).rejects.toThrow('unexpected "aud" claim value');
    const [head, , signature] = plan.split('.');
    const forged = Buffer.from(JSON.stringify({ ...apply, aud: 'somebody' })).toString('base64url');
    await expect(verified(`${head}.${forged}.${signature}`)).rejects.toThrow('signature verification failed');
  });

  test('names the certificate of the executing agent, as far as it is known', async () => {
    const claims = await verified(tokenOf(await forJob({ agent: AGENT })));
    expect(claims).toMatchObject({
      cnf: { 'x5t#S256': Buffer.from('00ff'.repeat(16), 'hex').toString('base64url') },
      lockkeeper_agent_mount: 'cert',
      lockkeeper_agent_role: 'agents',
      lockkeeper_agent_common_name: 'agent-1',
      lockkeeper_agent_subject: 'CN=agent-1,O=acme',
      lockkeeper_agent_serial: '77',
    });
    const recalled = { ...AGENT, subject: '', serialNumber: '', fingerprint: '' };
    const less = await verified(tokenOf(await forJob({ agent: recalled })));
    expect(less).toMatchObject({ lockkeeper_agent_role: 'agents' });
    for (const name of ['cnf', 'lockkeeper_agent_subject', 'lockkeeper_agent_serial'])
      expect(less).not.toHaveProperty(name);
  });

  test('outlives the key that has signed it: the next one is published a week before, and the old one as long as tokens live', async () => {
    const [first = ''] = await published();
    advance(83 * DAY);
    await rotate();
    const [, second = ''] = await published();
    expect([await published(), second]).toEqual([[first, second], expect.any(String)]);
    expect(decodeProtectedHeader(tokenOf(await forJob())).kid).toBe(first);
    advance(7 * DAY - 1);
    const last = tokenOf(await forJob({ phase: 'apply' }));
    expect(decodeProtectedHeader(last).kid).toBe(first);
    advance(1);
    const next = tokenOf(await forJob({ phase: 'apply' }));
    expect(decodeProtectedHeader(next).kid).toBe(second);
    await rotate();
    advance(DAY - 60);
    await rotate();
    await verified(last);
    await verified(next);
    advance(2 * DAY);
    await rotate();
    expect(await published()).toEqual([second]);
  });

  test('is the same on all nodes, from the first moment on', async () => {
    const other = await startTestServer(kind, { publicAddress: ISSUER, beside: server });
    try {
      const tokens = await Promise.all([server, other, server, other].map((node) => forJob({}, {}, node)));
      expect(await published()).toHaveLength(1);
      expect(await published(other)).toEqual(await published());
      for (const [index, token] of tokens.entries())
        await verified(tokenOf(token), 'somebody', index < 2 ? other : server);
      advance(83 * DAY);
      other.advance(83 * DAY);
      await Promise.all([server, other].map((node) => rotate(node)));
      expect(await published()).toHaveLength(2);
      expect(await published(other)).toEqual(await published());
    } finally {
      await other.stop();
    }
  });

  test('is issued only if the workspace asks for it, with complete settings', async () => {
    const { workloadIdentity } = server.application.workspaces.execution;
    const terraform = { key: 'TFC_WORKLOAD_IDENTITY_AUDIENCE', value: 'x', category: 'terraform' };
    expect(await workloadIdentity.forJob(WORKLOAD, [terraform], HOUR)).toBeNull();
    expect(await forJob({}, { TFC_AWS_PROVIDER_AUTH: 'true' })).toEqual({
      problem: expect.stringContaining('TFC_AWS_RUN_ROLE_ARN is missing'),
      environment: {},
      files: [],
      logins: [],
      secrets: [],
    });
  });

  test('appears in no log and no audit entry', async () => {
    const token = tokenOf(await forJob());
    await published();
    const written = JSON.stringify([server.logLines(), server.auditLines()]);
    expect(written).not.toContain(token.split('.')[2]);
    expect(written).not.toContain(token.split('.')[1]);
  });
});

describe('a server without a public URL', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer('sqlite');
  });
  afterAll(() => server.stop());

  test('issues no identity, and gives the remedy', async () => {
    for (const path of ['openid-configuration', 'jwks']) {
      const { status, text } = await server.call('GET', `/.well-known/${path}`);
      expect([status, text]).toEqual([404, expect.stringContaining('workspaces.address')]);
    }
    const { workloadIdentity } = server.application.workspaces.execution;
    const variable = { key: 'TFC_WORKLOAD_IDENTITY_AUDIENCE', value: 'x', category: 'env' };
    expect((await workloadIdentity.forJob(WORKLOAD, [variable], HOUR))?.problem).toContain('workspaces.address');
    expect(await workloadIdentity.forJob(WORKLOAD, [], HOUR)).toBeNull();
  });
});
