import { expect } from 'vitest';
import { archive } from '../../support/samples/archive.ts';
import type { TestServer } from '../../support/server.ts';
import { type Derivation, type Derived, isIn, type World } from './world.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT = 'urn:ietf:params:oauth:token-type:jwt';
const BYTES = { 'content-type': 'application/octet-stream' };

/** Creates a team that sees workspaces. */
async function team(world: World) {
  const { organization, token } = await world.person();
  const attributes = { name: 'ours', 'organization-access': { 'manage-workspaces': true } };
  const { id } = await world.made(`/organizations/${organization}/teams`, 'teams', attributes, { token });
  const workspaces = `/api/v2/organizations/${organization}/workspaces`;
  const reads = (held: string) => async (node: TestServer) => isIn(await node.call('GET', workspaces, { token: held }));
  return { id, organization, token, reads };
}

interface Pipeline {
  readonly identity: string;
  readonly team: string;
  readonly token: string;
}

async function pipeline(world: World, end: (world: World, pipeline: Pipeline) => Promise<unknown>): Promise<Derived> {
  const { id, token, reads } = await team(world);
  const { issuer } = world;
  const rules = { issuer: issuer.url, audiences: ['lockkeeper'], claims: { repository: 'acme/infra' } };
  const identity = await world.made(`/teams/${id}/pipeline-identities`, 'pipeline-identities', rules, { token });
  const now = Math.floor(world.server.now() / 1000);
  const claims = {
    iss: issuer.url,
    aud: 'lockkeeper',
    sub: 'repo:acme/infra',
    repository: 'acme/infra',
    iat: now,
    exp: now + 300,
  };
  const fields = { grant_type: GRANT, subject_token_type: JWT, audience: id, subject_token: await issuer.sign(claims) };
  const { body } = await world.form(world.server, '/oauth2/token', fields);
  return {
    uses: { 'acts for the team': reads(body.access_token) },
    end: () =>
      end(world, { identity: `/api/v2/pipeline-identities/${identity.id}`, team: `/api/v2/teams/${id}`, token }),
  };
}

interface Login {
  readonly held: string;
  readonly identity: string;
  readonly owner: string;
}

/** A machine whose login acts for a team. */
async function machine(world: World, end: (world: World, login: Login) => Promise<unknown>): Promise<Derived> {
  const { id, token, reads } = await team(world);
  const { role, login } = await world.role();
  const rules = { mount: 'cert', role };
  const identity = await world.made(`/teams/${id}/machine-identities`, 'machine-identities', rules, { token });
  const held = await login();
  return {
    uses: { 'acts for the team': reads(held) },
    end: () => end(world, { held, identity: `/api/v2/machine-identities/${identity.id}`, owner: token }),
  };
}

/** An agent of a pool, how it sends requests, and how its credential ends. */
export interface TestAgent {
  readonly id: string;
  readonly pool: string;
  /** Token of the owner of the organization. */
  readonly owner: string;
  readonly organization: string;
  ask(node: TestServer, method: string, path: string, body?: unknown): ReturnType<TestServer['call']>;
  readonly ends: Readonly<Record<Ending, () => Promise<unknown>>>;
}

type Ending = 'its token is deleted' | 'its pool is deleted' | 'its login is revoked' | 'its identity is deleted';
const BY_TOKEN = ['its token is deleted', 'its pool is deleted'] as const;
const BY_CERTIFICATE = ['its login is revoked', 'its identity is deleted', 'its pool is deleted'] as const;

async function newAgent(world: World, certified: boolean): Promise<TestAgent> {
  const { organization, token: owner } = await world.person();
  const delegated = { token: owner };
  const { id: pool } = await world.made(
    `/organizations/${organization}/agent-pools`,
    'agent-pools',
    { name: 'rack' },
    delegated,
  );
  const { role, login } = await world.role();
  const rules = { mount: 'cert', role };
  const identity = await world.made(`/agent-pools/${pool}/machine-identities`, 'machine-identities', rules, delegated);
  const own = await world.made(
    `/agent-pools/${pool}/authentication-tokens`,
    'authentication-tokens',
    { description: 'rack' },
    delegated,
  );
  const held = certified ? await login() : own.attributes.token;
  const { id } = await world.made(
    '/agents',
    'agents',
    { name: 'runner', engines: ['opentofu 1.10.7'] },
    { token: held },
  );
  const remove = (path: string) => world.done('DELETE', `/api/v2${path}`, delegated);
  return {
    ...{ id, pool, owner, organization },
    ask: (node, method, path, body) =>
      node.call(method, path, { token: held, headers: { 'agent-id': id }, ...(body !== undefined && { body }) }),
    ends: {
      'its token is deleted': () => remove(`/authentication-tokens/${own.id}`),
      'its pool is deleted': async () => {
        await detach(world, organization, owner);
        return remove(`/agent-pools/${pool}`);
      },
      'its login is revoked': () => world.revoke(held),
      'its identity is deleted': () => remove(`/machine-identities/${identity.id}`),
    },
  };
}

/** A pool with workspaces cannot be deleted. */
async function detach(world: World, organization: string, token: string): Promise<void> {
  const { body } = await world.done('GET', `/api/v2/organizations/${organization}/workspaces`, { token });
  for (const { id } of body.data) {
    const data = { type: 'workspaces', attributes: { 'execution-mode': 'local' } };
    await world.done('PATCH', `/api/v2/workspaces/${id}`, { token, body: { data } });
  }
}

async function agent(world: World, ending: Ending, certified: boolean): Promise<Derived> {
  const { id, ask, ends } = await newAgent(world, certified);
  return {
    uses: {
      'sees itself': async (node) => isIn(await ask(node, 'GET', `/api/v2/agents/${id}`)),
      'asks for jobs': async (node) => isIn(await ask(node, 'POST', `/api/v2/agents/${id}/actions/claim`)),
    },
    end: ends[ending],
  };
}

/** Creates a run for an agent. @returns the id of its workspace */
async function newRun(
  world: World,
  { pool, owner, organization }: TestAgent,
  attributes: object = {},
): Promise<string> {
  const settings = { name: world.name(), 'execution-mode': 'agent', 'agent-pool-id': pool, ...attributes };
  const { id } = await world.made(`/organizations/${organization}/workspaces`, 'workspaces', settings, {
    token: owner,
  });
  await upload(world, id, owner);
  return id;
}

/** Uploads a configuration version, which starts a run. */
async function upload(world: World, workspace: string, token: string): Promise<void> {
  const path = `/workspaces/${workspace}/configuration-versions`;
  const version = await world.made(path, 'configuration-versions', { 'auto-queue-runs': true }, { token });
  const { pathname } = new URL(version.attributes['upload-url']);
  await world.done('PUT', pathname, { token: '', body: archive(), headers: BYTES });
}

/** A job that an agent has taken and started. */
export interface TestJob {
  readonly workspace: string;
  /** The resource. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  readonly data: any;
  readonly agent: TestAgent;
  /** Requests a link of the job, with its token. */
  by(node: TestServer, method: string, link: string, body?: unknown): ReturnType<TestServer['call']>;
}

export async function startedJob(world: World, certified: boolean, phase: 'plan' | 'apply' = 'plan'): Promise<TestJob> {
  const held = await newAgent(world, certified);
  const workspace = await newRun(world, held, { 'auto-apply': phase === 'apply' });
  const plan = await take(world, held, workspace);
  if (phase === 'plan') return plan;
  const attributes = { outcome: 'finished', 'has-changes': true };
  await plan.by(world.server, 'POST', 'finish', { data: { type: 'jobs', attributes } });
  return take(world, held, workspace);
}

async function take(world: World, held: TestAgent, workspace: string): Promise<TestJob> {
  const claimed = await held.ask(world.server, 'POST', `/api/v2/agents/${held.id}/actions/claim`);
  const { data } = claimed.body;
  const { token, links = data.links } = data.attributes;
  const by: TestJob['by'] = (node, method, link, body) =>
    node.call(method, links[link], {
      token,
      ...(body !== undefined && { body }),
      ...(typeof body === 'string' && { headers: BYTES }),
    });
  await by(world.server, 'POST', 'start');
  return { workspace, data, agent: held, by };
}

async function job(world: World, ending: Ending, certified: boolean): Promise<Derived> {
  const { data, agent: held, by } = await startedJob(world, certified);
  const log = `${(data.links ?? data.attributes.links).log}?offset=0`;
  const { token } = data.attributes;
  return {
    uses: {
      'gives signs of life': async (node) => isIn(await by(node, 'POST', 'heartbeat')),
      'reads its document, values included': async (node) => isIn(await by(node, 'GET', 'self')),
      'reads its configuration': async (node) => isIn(await by(node, 'GET', 'configuration')),
      logs: async (node) => isIn(await node.call('PATCH', log, { token, body: 'a line', headers: BYTES })),
    },
    end: held.ends[ending],
  };
}

async function engine(world: World, ending: Ending, certified: boolean): Promise<Derived> {
  const { data, agent: held, workspace } = await startedJob(world, certified);
  const token = data.attributes['run-token'];
  const path = `/api/v2/organizations/${held.organization}/workspaces/${data.attributes.workspace.name}`;
  return {
    uses: {
      // The workspace has no state, so an authenticated request gets 404.
      'reads states': async (node) => {
        const { status } = await node.call('GET', `/api/v2/workspaces/${workspace}/current-state-version`, { token });
        return status === 404 && (await node.call('GET', path, { token })).status !== 401;
      },
    },
    end: held.ends[ending],
  };
}

const byAgent = (make: (world: World, ending: Ending, certified: boolean) => Promise<Derived>) => ({
  ...Object.fromEntries(BY_TOKEN.map((how) => [how, (world: World) => make(world, how, false)])),
  ...Object.fromEntries(
    BY_CERTIFICATE.map((how) => [`${how}, with a certificate`, (world: World) => make(world, how, true)]),
  ),
});

/** A run task service that gets a request about a run. */
async function task(
  world: World,
  end: (world: World, run: string, token: string) => Promise<unknown>,
): Promise<Derived> {
  const { organization, token } = await world.person();
  const place = { token };
  const name = world.name();
  const path = `/organizations/${organization}`;
  const url = `${world.receiver.address}/${name}`;
  const settings = { name: 'checks', category: 'task', url, 'hmac-key': 'a secret of both' };
  const made = await world.made(`${path}/tasks`, 'tasks', settings, place);
  const { id } = await world.made(`${path}/workspaces`, 'workspaces', { name }, place);
  const stages = { 'enforcement-level': 'mandatory', stages: ['pre_plan'] };
  const relationships = { task: { data: { type: 'tasks', id: made.id } } };
  await world.made(`/workspaces/${id}/tasks`, 'workspace-tasks', stages, { token, relationships });
  await upload(world, id, token);
  // The first request is the verification of the service.
  const asked = () => world.receiver.at(`/${name}`).slice(1).at(-1)?.body;
  await expect.poll(() => asked()?.run_id, { timeout: 15_000 }).toMatch(/^run-/);
  const { access_token: held, run_id: run } = asked();
  return {
    uses: { 'reads the run': async (node) => isIn(await node.call('GET', `/api/v2/runs/${run}`, { token: held })) },
    end: () => end(world, run, token),
  };
}

const TENANCY = 'src/workspaces/tenancy/';
const EXECUTION = 'src/workspaces/execution/';

/** Derived credentials of machines, pipelines, agents and services. */
export const OF_MACHINES: readonly Derivation[] = [
  {
    name: 'Token of a pipeline',
    sources: [`${TENANCY}pipeline/exchange.ts`],
    endings: {
      'its identity is deleted': (world) =>
        pipeline(world, (_, { identity, token }) => world.done('DELETE', identity, { token })),
      'its identity says other rules': (world) =>
        pipeline(world, (_, { identity, token }) => {
          const data = { type: 'pipeline-identities', attributes: { claims: { repository: 'acme/other' } } };
          return world.done('PATCH', identity, { token, body: { data } });
        }),
      'its team is deleted': (world) =>
        pipeline(world, (_, { team: of, token }) => world.done('DELETE', of, { token })),
    },
  },
  {
    name: 'Login of a machine, as a team',
    sources: ['src/access/method/logins.ts'],
    endings: {
      'the login is revoked': (world) => machine(world, (_, { held }) => world.revoke(held)),
      'its identity is deleted': (world) =>
        machine(world, (_, { identity, owner: token }) => world.done('DELETE', identity, { token })),
    },
  },
  {
    name: 'Agent',
    sources: [`${EXECUTION}agent-pool/agent-tokens.ts`, `${EXECUTION}agent-pool/create-agents.ts`],
    endings: byAgent(agent),
  },
  {
    name: 'Token of a job',
    sources: [`${EXECUTION}job/job-tokens.ts`, `${EXECUTION}job/inputs.ts`, `${EXECUTION}create-execution.ts`],
    endings: byAgent(job),
  },
  { name: 'Token of the engine of a job', sources: [`${EXECUTION}job/job-tokens.ts`], endings: byAgent(engine) },
  {
    name: 'Token of a run task',
    sources: [`${EXECUTION}task-stage/callback-token.ts`],
    endings: {
      'the run is canceled': (world) =>
        task(world, (_, run, token) => world.done('POST', `/api/v2/runs/${run}/actions/cancel`, { token })),
    },
  },
];
