import { hash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Dialect } from '../../../../src/storage/index.ts';
import { createRoot } from '../../../support/pki.ts';
import { type Receiver, startReceiver } from '../../../support/receiver.ts';
import { archive } from '../../../support/samples/archive.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

/** A server whose two APIs were both used, so that every kind of event has happened once. */
export interface UsedServer {
  readonly server: TestServer;
  readonly receiver: Receiver;
  /** Makes an agent silent for so long that its job is lost. */
  loseJob(): Promise<void>;
  page(): Promise<string>;
  stop(): Promise<void>;
}

const PATH = '/api/v2';

export async function startUsedServer(kind: Dialect): Promise<UsedServer> {
  const receiver = await startReceiver();
  const notifications = { allowedAddresses: ['127.0.0.1'], authoritiesFile: receiver.caFile };
  const server = await startTestServer(kind, {
    notifications,
    // The rate limits are never reached, and no collector listens.
    rateLimits: { workspaces: 1_000_000 },
    auditSinks: (folder) => [
      { type: 'file', path: join(folder, 'audit.log') },
      {
        ...{ type: 'http', url: 'http://127.0.0.1:9', tokenHeader: 'Authorization', gzip: false },
        collected: { directory: join(folder, 'waiting'), mostBytes: 16_777_216 },
      },
    ],
    tracing: { endpoint: 'http://127.0.0.1:9', sampleRatio: 0, tokenHeader: 'Authorization' },
    services: ['access', 'workspaces', 'console', 'metrics'],
  });
  await machines(server);
  await people(server);
  const loseJob = await runs(server, receiver);
  await states(server);
  return {
    server,
    receiver,
    loseJob,
    page: async () => (await server.call('GET', '/metrics')).text,
    async stop() {
      await server.stop();
      await receiver.stop();
    },
  };
}

/** One login that succeeds and one that fails; a CRL that revokes nothing; keys of an issuer. */
async function machines(server: TestServer): Promise<void> {
  const ca = createRoot({ subject: 'Client CA' });
  await server.root('POST', '/v1/auth/cert/certs/web', { certificate: ca.pem });
  await server.root('POST', '/v1/auth/cert/crls/list', { crl: ca.crl({}).pem });
  const login = (certificate: { pem: string; keyPem: string }) =>
    server.call('POST', '/v1/auth/cert/login', { certificate, body: { name: 'web' } });
  expect((await login(ca.issue({ subject: 'device' }))).status).toBe(200);
  expect((await login(createRoot({ subject: 'Other' }).issue({ subject: 'stranger' }))).status).toBe(400);
}

/**
 * One user signs in with a token, one has an invalid token, one returns from an unknown sign-in, and a command line
 * sends a wrong code.
 */
async function people(server: TestServer): Promise<void> {
  const headers = { 'x-lockkeeper-console': '1', 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const signIn = (token: string) => server.call('POST', '/app/~session', { headers, body: { token } });
  expect((await signIn(server.userToken)).status).toBe(201);
  expect((await signIn('lku.unknown')).status).toBe(403);
  expect((await server.call('GET', '/app/~session/oidc/callback')).status).toBe(303);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = 'grant_type=authorization_code&client_id=nobody';
  expect((await server.call('POST', '/oauth2/token', { headers: form, body })).status).toBe(400);
}

async function made(server: TestServer, path: string, type: string, attributes: object, relationships?: object) {
  const answer = await server.user('POST', PATH + path, {
    data: { type, attributes, ...(relationships && { relationships }) },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
}

/** A pool whose agent executes one run and takes another one, and a pool without agents; a notification is sent. */
async function runs(server: TestServer, receiver: Receiver): Promise<() => Promise<void>> {
  await made(server, '/organizations', 'organizations', { name: 'acme', email: 'a@example.com' });
  const [busy, empty] = [await pool(server, 'busy'), await pool(server, 'empty')];
  const agent = await agentOf(server, busy);
  await runIn(server, 'alone', empty);
  const done = await runIn(server, 'carried-out', busy, receiver);
  await execute(await agent.take(), done);
  await runIn(server, 'taken', busy);
  const job = await agent.take();
  await job('start');
  return async () => {
    server.advance(121);
    await server.application.workspaces.execution.runClaims.sweep();
  };
}

async function pool(server: TestServer, name: string): Promise<string> {
  return (await made(server, '/organizations/acme/agent-pools', 'agent-pools', { name })).id;
}

type Act = (action: string, attributes?: object) => Promise<void>;

async function agentOf(server: TestServer, poolId: string) {
  const text = (
    await made(server, `/agent-pools/${poolId}/authentication-tokens`, 'authentication-tokens', { description: 'x' })
  ).attributes.token;
  const as = (token: string, method: string, path: string, body?: object, headers = {}) =>
    server.call(method, PATH + path, { token, headers, ...(body && { body }) });
  const data = { type: 'agents', attributes: { name: 'runner-1' } };
  const { id } = (await as(text, 'POST', `/agent-pools/${poolId}/agents`, { data })).body.data;
  return {
    async take(): Promise<Act> {
      const claimed = await as(text, 'POST', `/agents/${id}/actions/claim`, undefined, { 'agent-id': id });
      expect(claimed.status, claimed.text).toBe(200);
      const job = claimed.body.data;
      return async (action, attributes = {}) => {
        const body = { data: { type: 'jobs', attributes } };
        const answer = await as(job.attributes.token, 'POST', `/jobs/${job.id}/actions/${action}`, body);
        expect(answer.status, answer.text).toBeLessThan(300);
      };
    },
  };
}

async function execute(act: Act, run: string): Promise<void> {
  expect(run).toMatch(/^run-/);
  await act('start');
  await act('finish', { outcome: 'finished', exit: 0, 'has-changes': false });
}

/** Creates a run in a new workspace that uses this pool. */
async function runIn(server: TestServer, name: string, poolId: string, receiver?: Receiver): Promise<string> {
  const mode = { name, 'execution-mode': 'agent', 'agent-pool-id': poolId };
  const { id } = await made(server, '/organizations/acme/workspaces', 'workspaces', mode);
  if (receiver) {
    const webhook = { 'destination-type': 'generic', enabled: true, triggers: ['run:completed'] };
    await made(server, `/workspaces/${id}/notification-configurations`, 'notification-configurations', {
      ...{ name: 'told', url: `${receiver.address}/told`, ...webhook },
    });
  }
  const versions = `/workspaces/${id}/configuration-versions`;
  const { attributes } = await made(server, versions, 'configuration-versions', { 'auto-queue-runs': false });
  const upload = new URL(attributes['upload-url']).pathname;
  expect((await server.call('PUT', upload, { body: archive() })).status).toBe(200);
  const workspace = { data: { type: 'workspaces', id } };
  return (await made(server, '/runs', 'runs', {}, { workspace })).id;
}

/** Two clients that want one lock, a state that is stored, and a state that does not match its announced checksum. */
async function states(server: TestServer): Promise<void> {
  const { id } = await made(server, '/organizations/acme/workspaces', 'workspaces', { name: 'states' });
  const lock = () => server.user('POST', `${PATH}/workspaces/${id}/actions/lock`, {});
  expect((await lock()).status).toBe(200);
  expect((await lock()).status).toBe(409);
  const text = JSON.stringify({ version: 4, serial: 1, lineage: randomUUID(), outputs: {}, resources: [] });
  const state = (md5: string) => ({
    data: {
      type: 'state-versions',
      attributes: { serial: 1, md5, lineage: JSON.parse(text).lineage, state: Buffer.from(text).toString('base64') },
    },
  });
  const send = (md5: string) => server.user('POST', `${PATH}/workspaces/${id}/state-versions`, state(md5));
  expect((await send('0'.repeat(32))).status).toBe(422);
  expect((await send(hash('md5', text, 'hex'))).status).toBe(201);
}
