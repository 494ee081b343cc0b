import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobIdentity } from '../../../src/runner/index.ts';
import { type Answer, type CallOptions, call } from '../../support/http.ts';
import { scripted } from '../../support/runner/engine.ts';
import { executeTrial, isolations } from '../../support/runner/run.ts';
import { archive } from '../../support/samples/archive.ts';
import { type Serving, startServing } from '../support/serving.ts';
import { Relay } from '../tofu/relay.ts';
import { Vault } from './vault.ts';

const FULL = 'organization:acme:project:Default Project:workspace:network';
const AUDIENCE = 'vault.workload.identity';

/**
 * Runs log in to an unmodified Vault by its JWT method: Vault finds our keys by the issuer URL, and checks our claims.
 */
describe('Vault', () => {
  let serving: Serving;
  let relay: Relay;
  let vault: Vault;
  let agent: { token: string; id: string };
  let workspace: string;
  beforeAll(async () => {
    // The server must know its URL before it listens.
    relay = await Relay.start('https://127.0.0.1:1');
    const issuer = `https://${relay.host}`;
    [serving, vault] = await Promise.all([
      startServing(undefined, `workspaces: { address: "${issuer}" }\n`),
      Vault.start(),
    ]);
    relay.turnTo(serving.address);
    await vault.write('sys/auth/jwt', { type: 'jwt' });
    const config = { oidc_discovery_url: issuer, bound_issuer: issuer };
    await vault.write('auth/jwt/config', { ...config, oidc_discovery_ca_pem: readFileSync(serving.caFile, 'utf8') });
    await role('reader', { sub: `${FULL}:run_phase:plan` });
    await role('writer', { sub: `${FULL}:run_phase:apply` });
    await prepare();
  });
  afterAll(async () => {
    await relay.stop();
    await Promise.all([serving.stop(), vault.stop()]);
  });

  const role = (name: string, claims: object, more: object = {}) =>
    vault.write(`auth/jwt/role/${name}`, {
      ...{ role_type: 'jwt', bound_audiences: [AUDIENCE], user_claim: 'terraform_full_workspace', token_ttl: '12s' },
      ...{ bound_claims_type: 'glob', bound_claims: claims, ...more },
    });
  const ask = (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
    call({ address: serving.address, ca: readFileSync(serving.caFile, 'utf8') }, method, path, {
      token: serving.userToken,
      ...options,
    });
  const make = async (path: string, type: string, attributes: object, relationships: object = {}, options = {}) => {
    const answer = await ask('POST', path, { body: { data: { type, attributes, relationships } }, ...options });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body.data;
  };

  /** Creates an organization with a workspace whose agent has a certificate. */
  async function prepare(): Promise<void> {
    const token = serving.rootToken;
    const certificate = readFileSync(serving.clientCaFile, 'utf8');
    const { body: methods } = await ask('GET', '/v1/sys/auth', { token });
    if (!('cert/' in methods.data)) await ask('POST', '/v1/sys/auth/cert', { token, body: { type: 'cert' } });
    await ask('POST', '/v1/auth/cert/certs/agents', { token, body: { certificate, token_ttl: '1h' } });
    await make('/api/v2/organizations', 'organizations', { name: 'acme', email: 'acme@example.com' });
    const pool = (await make('/api/v2/organizations/acme/agent-pools', 'agent-pools', { name: 'pool' })).id;
    const identities = `/api/v2/agent-pools/${pool}/machine-identities`;
    await make(identities, 'machine-identities', { mount: 'cert', role: 'agents' });
    workspace = (
      await make('/api/v2/organizations/acme/workspaces', 'workspaces', {
        ...{ name: 'network', 'execution-mode': 'agent', 'agent-pool-id': pool, 'auto-apply': true },
      })
    ).id;
    for (const [key, value] of Object.entries({
      TFC_VAULT_PROVIDER_AUTH: 'true',
      TFC_VAULT_ADDR: vault.address,
      TFC_VAULT_PLAN_ROLE: 'reader',
      TFC_VAULT_APPLY_ROLE: 'writer',
      TFC_WORKLOAD_IDENTITY_AUDIENCE: 'somebody else',
    }))
      await make(`/api/v2/workspaces/${workspace}/vars`, 'vars', { key, value, category: 'env' });
    const pem = readFileSync(serving.clientCertificateFile, 'utf8');
    const keyPem = readFileSync(serving.clientKeyFile, 'utf8');
    const login = await ask('POST', '/v1/auth/cert/login', { token: '', body: {}, certificate: { pem, keyPem } });
    const holder = login.body.auth.client_token;
    const registered = await make(`/api/v2/agent-pools/${pool}/agents`, 'agents', { name: 'a' }, {}, { token: holder });
    agent = { token: holder, id: registered.id };
  }

  /**
   * Creates a run, and claims the job of that phase as its agent.
   * @returns the identity of the job
   */
  async function identityOf(phase: 'plan' | 'apply'): Promise<JobIdentity> {
    const of = { workspace: { data: { type: 'workspaces', id: workspace } } };
    const versions = `/api/v2/workspaces/${workspace}/configuration-versions`;
    const version = await make(versions, 'configuration-versions', { 'auto-queue-runs': false });
    const upload = new URL(version.attributes['upload-url']);
    const headers = { 'content-type': 'application/octet-stream' };
    await ask('PUT', upload.pathname + upload.search, { token: '', body: archive(), headers });
    await make('/api/v2/runs', 'runs', { 'auto-apply': true }, of);
    const plan = await claimed();
    if (phase === 'plan') {
      await finish(plan, 'canceled');
      return plan.attributes.identity;
    }
    await finish(plan, 'finished', { 'has-changes': true, 'resource-additions': 1 });
    const apply = await claimed();
    await finish(apply, 'canceled');
    return apply.attributes.identity;
  }
  const claimed = async () => {
    const path = `/api/v2/agents/${agent.id}/actions/claim?wait=10`;
    const answer = await ask('POST', path, { token: agent.token, headers: { 'agent-id': agent.id } });
    if (answer.status !== 200) throw new Error(`nothing to do: ${answer.status} ${answer.text}`);
    return answer.body.data;
  };
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  async function finish(job: any, outcome: string, attributes: object = {}): Promise<void> {
    const { token } = job.attributes;
    await ask('POST', job.links.start, { token });
    const body = { data: { type: 'jobs', attributes: { outcome, ...attributes } } };
    const answer = await ask('POST', job.links.finish, { token, body });
    if (answer.status !== 204) throw new Error(`${job.id}: ${answer.status} ${answer.text}`);
  }
  const enter = (name: string, jwt = '') => vault.ask('auth/jwt/login', { role: name, jwt });

  test('accepts a plan for the plan role, and an apply for the apply role', async () => {
    const plan = (await identityOf('plan')).logins[0]?.token;
    const entered = await enter('reader', plan);
    expect(entered.status, JSON.stringify(entered.answer)).toBe(200);
    expect(entered.answer.auth.metadata.role).toBe('reader');
    const refused = await enter('writer', plan);
    expect([refused.status, refused.answer.errors.join()]).toEqual([400, expect.stringContaining('sub')]);
    const apply = (await identityOf('apply')).logins[0]?.token;
    expect((await enter('writer', apply)).status).toBe(200);
    expect((await enter('reader', apply)).status).toBe(400);
  });

  test('refuses a token for another audience, and a modified token', async () => {
    const { environment, logins } = await identityOf('plan');
    const other = await enter('reader', environment.TFC_WORKLOAD_IDENTITY_TOKEN);
    expect([other.status, other.answer.errors.join()]).toEqual([400, expect.stringContaining('aud')]);
    const [head, claims = '', signature] = (logins[0]?.token ?? '').split('.');
    const changed = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), exp: 4_000_000_000 };
    const forged = [head, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
    expect((await enter('reader', forged)).status).toBe(400);
  });

  test('can ask for the certificate of the agent', async () => {
    const { raw } = new X509Certificate(readFileSync(serving.clientCertificateFile));
    const thumbprint = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(raw))).toString('base64url');
    const named = { lockkeeper_agent_role: 'agents', lockkeeper_agent_common_name: 'machine-1' };
    await role('on-this-agent', { ...named, '/cnf/x5t#S256': thumbprint });
    await role('on-another-agent', { ...named, '/cnf/x5t#S256': thumbprint.toLowerCase() });
    const token = (await identityOf('plan')).logins[0]?.token;
    const entered = await enter('on-this-agent', token);
    expect(entered.status, JSON.stringify(entered.answer)).toBe(200);
    expect((await enter('on-another-agent', token)).status).toBe(400);
  });

  test.each(isolations.map((isolation) => ({ name: isolation.name, isolation })))(
    'gives the engine of a run a token that is renewed, and revoked when it has ended: isolation $name',
    async ({ isolation }) => {
      const identity = await identityOf('plan');
      const { engines, engine } = scripted(`[ "$1" = plan ] || exit 0
        look() { curl -s -H "X-Vault-Token: $VAULT_TOKEN" "$VAULT_ADDR/v1/auth/token/lookup-self"; echo; }
        look; sleep 15; look; exit 1`);
      const { log } = await executeTrial({
        isolation,
        job: { engine, identity },
        parts: { engines },
        files: { 'main.tf': '' },
      });
      const looks = log.split('\n').filter((line) => line.startsWith('{'));
      expect(looks, log).toHaveLength(2);
      const [first, second] = looks.map((line) => JSON.parse(line).data);
      expect(first).toMatchObject({ id: '***', display_name: `jwt-${FULL}`, meta: { role: 'reader' } });
      expect(second.accessor, 'after longer than it lives without a renewal').toBe(first.accessor);
      await expect(vault.write('auth/token/lookup-accessor', { accessor: first.accessor })).rejects.toThrow(
        'invalid accessor',
      );
    },
  );
});
