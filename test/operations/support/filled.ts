import { expect } from 'vitest';
import type { Caller, UserCaller } from '../../api/workspaces/support/api.ts';
import { newOrganization, type TestOrganization } from '../../api/workspaces/support/organization.ts';
import { oneOfEverything } from '../../api/workspaces/support/surface/one-of-everything.ts';
import type { RunningServer } from '../../support/machine/running-server.ts';
import type { Site } from '../../support/machine/site.ts';
import { createRoot } from '../../support/pki.ts';
import type { Shown } from './fixture.ts';

/**
 * Fields that differ between two answers about one resource: signed URLs, ages, whether a CRL is overdue, the check of a
 * connection in the background, and the version of the server.
 */
const NEW_EACH_TIME =
  /(?:-url|-urls|^links|^ttl|^age|^stale|^last-ping-at|^connection-(?:checked-at|status|status-reason|status-since)|^agent-count|^request_id|^running_plugin_version)$/;
/** Fields that answers no longer have: SCIM fields are shown only while SCIM is on. */
const GONE = /^scim-/;
/** Fields that were null in earlier versions, which had no sign-in at a VCS provider. */
const WAS_NULL = /^connect-path$/;
/** Fields that were constants in earlier versions. */
const WAS_CONSTANT = /^recoverable-items-enabled$/;
/** Statuses of a run that no agent executes. */
const MOVES_ON = /^(?:actions|status|status-timestamps|position-in-queue|run-events|waiting-for)$/;
/** The lock of a workspace: a restore ends runs, which unlocks their workspaces. */
const UNLOCKED = /^locked(?:-at|-by|-reason)?$/;

/** Client of the workspace API of one server. */
function callerOf(server: RunningServer, token: string): Caller {
  return {
    token,
    async call(method, path, body, headers) {
      const options = { token, body, ...(headers && { headers }) };
      return await server.call(method, `/api/v2${path}`, options);
    },
  };
}

/**
 * Fills a server through its APIs.
 * @returns the paths to compare, and the token of the owner of the workspaces
 */
export async function fill(installation: Site, server: RunningServer, root: string) {
  await fillAccess(server, root);
  const user = (username: string) => newUser(installation, server, username);
  const acme = await newOrganization({ user, machine: () => callerOf(server, '') });
  const values = await oneOfEverything(acme);
  const modes = await executionModes(acme, values);
  return { owner: acme.owner.token, paths: [...ACCESS, ...workspacePaths(acme.name, values), ...modes] };
}

/**
 * Creates workspaces with each execution mode, of their own and inherited.
 * @returns the paths of their permissions
 */
async function executionModes(
  { name, owner }: TestOrganization,
  values: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  async function made(path: string, type: string, attributes: object, relationships: object = {}): Promise<string> {
    const { status, body, text } = await owner.call('POST', path, { data: { type, attributes, relationships } });
    expect(status, text).toBe(201);
    return body.data.id;
  }
  const below = `/organizations/${name}`;
  const pool = { 'agent-pool-id': values.agent_pool_id };
  const project = await made(`${below}/projects`, 'projects', {
    ...{ name: 'by-agents', 'default-execution-mode': 'agent', 'default-agent-pool-id': values.agent_pool_id },
  });
  const inProject = { project: { data: { type: 'projects', id: project } } };
  const workspaces = [
    await made(`${below}/workspaces`, 'workspaces', { name: 'mode-remote', 'execution-mode': 'remote' }),
    await made(`${below}/workspaces`, 'workspaces', { name: 'mode-local', 'execution-mode': 'local' }, inProject),
    await made(`${below}/workspaces`, 'workspaces', { name: 'mode-agent', 'execution-mode': 'agent', ...pool }),
    await made(`${below}/workspaces`, 'workspaces', { name: 'mode-of-project' }, inProject),
  ];
  // Rows of `fillEmptyTables` belong to the newest of each, which is in no path.
  await made('/runs', 'runs', {}, { workspace: { data: { type: 'workspaces', id: values.other_workspace_id } } });
  await made(`${below}/workspaces`, 'workspaces', { name: 'newest' });
  return [
    ...[...workspaces.map((id) => `/workspaces/${id}`), `/projects/${project}`],
    ...['remote', 'agent'].map((mode) => `${below}/workspaces?filter[execution-mode]=${mode}`),
  ].map((path) => `/api/v2${path}`);
}

async function newUser(installation: Site, server: RunningServer, username: string): Promise<UserCaller> {
  const email = `${username}@example.com`;
  const { stdout, stderr } = await installation.run(['user', 'create', '--username', username, '--email', email]);
  const token = /lku\.\S+/.exec(stdout)?.[0];
  if (token === undefined) throw new Error(stdout + stderr);
  const caller = callerOf(server, token);
  const { body } = await caller.call('GET', '/account/details');
  return { id: body.data.id, username, ...caller };
}

const ACCESS = [
  'sys/policies/acl/readers',
  'auth/cert/certs/web',
  'auth/cert/crls/withdrawn',
  'auth/token/roles/builders',
  'auth/jwt/role/pipeline',
  'identity/entity/name/rack-7',
  'identity/group/name/racks',
  'sys/auth/jwt',
].map((path) => `/v1/${path}`);

async function fillAccess(server: RunningServer, root: string): Promise<void> {
  const ca = createRoot({ subject: 'Machines', notAfter: new Date('2100-01-01T00:00:00Z') });
  const write = async (path: string, body: object) => {
    const answer = await server.call('POST', `/v1/${path}`, { token: root, body });
    expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300);
    return answer.body?.data;
  };
  await write('sys/policies/acl/readers', { policy: 'path "sys/auth" { capabilities = ["read"] }' });
  await write('auth/cert/certs/web', {
    certificate: ca.pem,
    token_policies: ['readers'],
    allowed_common_names: '*.example.com',
  });
  await write('auth/cert/crls/withdrawn', { crl: ca.crl({ revoked: [7n] }).pem });
  await write('auth/token/roles/builders', { orphan: true, token_period: '1h' });
  await write('sys/auth/jwt', { type: 'jwt' });
  await write('auth/jwt/role/pipeline', { user_claim: 'sub', bound_audiences: ['lockkeeper'] });
  const entity = await write('identity/entity', { name: 'rack-7', policies: ['readers'] });
  await write('identity/group', { name: 'racks', policies: ['readers'], member_entity_ids: [entity?.id ?? ''] });
}

function workspacePaths(organization: string, values: Readonly<Record<string, string | undefined>>): string[] {
  const of = (path: string, name: string) => `${path}/${values[name]}`;
  const workspace = of('/workspaces', 'workspace_id');
  const below = ['', '/teams', '/projects', '/tags', '/ssh-keys', '/reserved-tag-keys', '/oauth-clients', '/varsets'];
  return [
    ...below.map((path) => `/organizations/${organization}${path}`),
    ...['', '/vars', '/tag-bindings', '/tasks', '/relationships/data-retention-policy'].map((path) => workspace + path),
    of('/workspaces', 'other_workspace_id'),
    of('/team-workspaces', 'team_workspace_id'),
    of('/team-projects', 'team_project_id'),
    of('/state-versions', 'state_version_id'),
    of('/state-version-outputs', 'output_id'),
    of('/runs', 'run_id'),
    of('/comments', 'comment_id'),
    of('/agent-pools', 'agent_pool_id'),
    of('/notification-configurations', 'notification_configuration_id'),
    of('/run-triggers', 'run_trigger_id'),
    of('/configuration-versions', 'configuration_version_id'),
    of('/tasks', 'task_id'),
    of('/varsets', 'varset_id'),
    of('/organization-memberships', 'membership_id'),
    of('/machine-identities', 'machine_identity_id'),
    of('/pipeline-identities', 'pipeline_identity_id'),
  ].map((path) => `/api/v2${path}`);
}

/** Returns the server's answers at these paths, each of which must exist, and each state as it was uploaded. */
export async function shownAt(
  server: RunningServer,
  tokens: Readonly<Record<'root' | 'owner', string>>,
  paths: readonly string[],
): Promise<Shown> {
  const shown: Record<string, unknown> = {};
  for (const path of paths) {
    const token = path.startsWith('/v1/') ? tokens.root : tokens.owner;
    const answer = await server.call('GET', path, { token });
    expect(answer.status, `${path} ${answer.text}`).toBe(200);
    shown[path] = lasting(answer.body);
    if (path.includes('/state-versions/')) shown[`${path}/download`] = await state(server, path, tokens.owner);
  }
  return shown;
}

/**
 * Returns the part of the earlier answers that a server still shows later: fixtures may have fields that expire. States
 * do not change.
 */
export function stillShown(shown: Shown): Shown {
  const entries = Object.entries(shown);
  return Object.fromEntries(entries.map(([path, one]) => [path, path.endsWith('/download') ? one : lasting(one)]));
}

async function state(server: RunningServer, path: string, token: string): Promise<unknown> {
  const answer = await server.call('GET', `${path}/download`, { token });
  expect(answer.status).toBe(200);
  return JSON.parse(answer.text);
}

/** @param isRun whether the answer is about a run */
function lasting(value: unknown, isRun = false): unknown {
  if (Array.isArray(value)) return value.map((one) => lasting(one, isRun));
  if (value === null || typeof value !== 'object') return value;
  const isOfRun = isRun || ('type' in value && value.type === 'runs');
  const entries = Object.entries(value).filter(
    ([name, one]) =>
      !NEW_EACH_TIME.test(name) &&
      !GONE.test(name) &&
      !UNLOCKED.test(name) &&
      !WAS_CONSTANT.test(name) &&
      !(one === null && WAS_NULL.test(name)) &&
      !(isOfRun && MOVES_ON.test(name)),
  );
  return Object.fromEntries(entries.map(([name, one]) => [name, lasting(one, isOfRun)]));
}
