import { readFileSync } from 'node:fs';
import type { Application } from '../../composition/index.ts';
import { HttpClient } from '../../lib/http/http-client.ts';
import { type Client, createClient } from '../client/client.ts';
import { CommandError } from '../errors/command-error.ts';
import type { DemoEngine } from './demo-engine.ts';
import type { DemoGit } from './demo-git.ts';
import { expectDone } from './demo-requests.ts';
import { ensureDemoRun } from './demo-run.ts';
import { makeDemoStates } from './demo-states.ts';
import { DEMO_PROJECTS, DEMO_WORKSPACES, type DemoWorkspace } from './demo-workspaces.ts';
import type { DevCertificates } from './dev-certificates.ts';
import { readRecord, writeRecord } from './dev-folder.ts';

const ORGANIZATION = 'demo';
const ROLE = 'runner';
const TEAM = 'runners';
const USERNAME = 'dev';
/** Limits for the upload of the sample configuration. */
const UPLOAD = { timeoutMs: 60_000, maxBytes: 65_536 };

/** Content of a demo server. */
export interface Demo {
  readonly rootToken: string;
  readonly userToken: string;
  readonly organization: string;
  readonly role: string;
  /** Workspace for the lock example. */
  readonly unlockedWorkspaceId: string;
  /** Run that waits for confirmation. Empty without an executor. */
  readonly runId: string;
}

/** Programs of this machine that a demo uses. Undefined for those that are missing. */
export interface DemoPrograms {
  readonly engine: DemoEngine['kind'] | undefined;
  readonly git: DemoGit | undefined;
}

/** Creates the tokens and the sample data unless they exist. The data is created through the public API. */
export async function ensureDemoData(
  application: Application,
  directory: string,
  certificates: DevCertificates,
  { engine, git }: DemoPrograms,
): Promise<Demo> {
  const { rootToken, userToken } = await ensureTokens(application, directory);
  const [address = ''] = application.addresses;
  const ca = readFileSync(certificates.serverCaFile, 'utf8');
  const asRoot = createClient({ address, ca, token: rootToken });
  const asUser = createClient({ address, ca, token: userToken });
  if (!readRecord(directory).complete) {
    await makeAccess(asRoot, certificates);
    await makeOrganization(asUser, engine);
    writeRecord(directory, { ...readRecord(directory), complete: true });
  }
  const upload = (url: string, bytes: Buffer) => sendBytes(new URL(url), ca, bytes);
  const runId = engine ? await ensureDemoRun({ asUser, organization: ORGANIZATION, upload }) : '';
  const unlockedWorkspaceId = await firstUnlocked(asUser);
  if (engine) await git?.follow(asUser, ORGANIZATION);
  return { rootToken, userToken, organization: ORGANIZATION, role: ROLE, unlockedWorkspaceId, runId };
}

/** Returns the tokens: from the environment, or else from the last start, or else new ones. */
async function ensureTokens({ access, workspaces }: Application, directory: string) {
  const record = readRecord(directory);
  const rootToken = fixedToken('LOCKKEEPER_DEV_ROOT_TOKEN') ?? record.rootToken ?? (await access.tokens.createRoot());
  await access.tokens.adoptRoot(rootToken);
  const user =
    (await workspaces.tenancy.users.byUsername(USERNAME)) ??
    (await workspaces.tenancy.users.create({ username: USERNAME, email: 'dev@lockkeeper.test', siteAdmin: true }));
  const input = { description: 'lockkeeper dev', expiresAt: null };
  const fixed = fixedToken('LOCKKEEPER_DEV_USER_TOKEN') ?? record.userToken;
  const userToken = fixed ?? (await workspaces.tenancy.tokens.issue(user.id, input)).text;
  if (fixed) await workspaces.tenancy.tokens.adopt(user.id, fixed, input);
  writeRecord(directory, { ...record, rootToken, userToken });
  return { rootToken, userToken };
}

/** @throws CommandError for text that is not valid in a header */
function fixedToken(name: string): string | undefined {
  const text = process.env[name] || undefined;
  if (text !== undefined && !/^[\x21-\x7e]{1,512}$/.test(text)) {
    throw new CommandError(`${name}: expected 1 to 512 printable ASCII characters without spaces`);
  }
  return text;
}

/** Sample policy of an operator. Its second rule takes precedence for the demo role. */
const POLICY = `path "auth/cert/certs/*" {
  capabilities = ["create", "read", "update", "list"]
}

path "auth/cert/certs/${ROLE}" {
  capabilities = ["read"]
}
`;

/** Creates a role, the CRL of its CA, and a sample policy. */
async function makeAccess(asRoot: Client, certificates: DevCertificates): Promise<void> {
  await expectDone(
    asRoot('POST', `/v1/auth/cert/certs/${ROLE}`, {
      certificate: readFileSync(certificates.clientCaFile, 'utf8'),
      allowed_common_names: '*.lockkeeper.test',
      token_ttl: '1h',
      token_max_ttl: '24h',
    }),
  );
  const list = readFileSync(certificates.revocationListFile, 'utf8');
  await expectDone(asRoot('POST', '/v1/auth/cert/crls/clients', { crl: list }));
  await expectDone(asRoot('PUT', '/v1/sys/policies/acl/operators', { policy: POLICY }));
}

async function makeOrganization(asUser: Client, engine: DemoEngine['kind'] | undefined): Promise<void> {
  const path = `/api/v2/organizations/${ORGANIZATION}`;
  const create = async (at: string, type: string, attributes: object, relationships: object = {}): Promise<string> => {
    const { data } = await expectDone<Resource>(asUser('POST', at, { data: { type, attributes, relationships } }));
    return data?.id ?? '';
  };
  await create('/api/v2/organizations', 'organizations', {
    ...{ name: ORGANIZATION, email: 'dev@lockkeeper.test' },
    ...(engine && { 'default-engine': engine }),
  });
  const team = await create(`${path}/teams`, 'teams', {
    name: TEAM,
    visibility: 'organization',
    'organization-access': { 'manage-workspaces': true },
  });
  const identity = { mount: 'cert', role: ROLE, 'common-name': '*.lockkeeper.test' };
  await create(`/api/v2/teams/${team}/machine-identities`, 'machine-identities', identity);
  const projects = new Map<string, string>();
  for (const name of DEMO_PROJECTS) projects.set(name, await create(`${path}/projects`, 'projects', { name }));
  const ids = new Map<string, string>();
  for (const workspace of DEMO_WORKSPACES) {
    const id = await create(
      `${path}/workspaces`,
      'workspaces',
      attributesOf(workspace),
      relationshipsOf(workspace, projects),
    );
    ids.set(workspace.name, id);
    if (workspace.lockedBecause) {
      await expectDone(asUser('POST', `/api/v2/workspaces/${id}/actions/lock`, { reason: workspace.lockedBecause }));
    }
  }
  await makeDemoStates(asUser, ids, expectDone);
}

function attributesOf({ name, settings }: DemoWorkspace): object {
  return { name, ...settings };
}

function relationshipsOf({ project, tags = [], bindings = {} }: DemoWorkspace, projects: ReadonlyMap<string, string>) {
  const id = project && projects.get(project);
  return {
    ...(id && { project: { data: { type: 'projects', id } } }),
    tags: { data: tags.map((name) => ({ type: 'tags', attributes: { name } })) },
    'tag-bindings': {
      data: Object.entries(bindings).map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } })),
    },
  };
}

interface Resource {
  readonly id: string;
  readonly attributes: { readonly locked?: boolean };
}

async function firstUnlocked(asUser: Client): Promise<string> {
  const { body } = await asUser('GET', `/api/v2/organizations/${ORGANIZATION}/workspaces?page%5Bsize%5D=100`);
  const workspaces = (body as { data?: readonly Resource[] } | undefined)?.data ?? [];
  return (workspaces.find(({ attributes }) => !attributes.locked) ?? workspaces[0])?.id ?? '';
}

async function sendBytes(url: URL, ca: string, bytes: Buffer): Promise<void> {
  const headers = { 'content-type': 'application/octet-stream' };
  const client = new HttpClient({ connections: 'process', tls: { ca } });
  const response = await client.send(url, { method: 'PUT', headers, body: bytes, limits: UPLOAD });
  const { status } = response;
  await response.bytes();
  if (status !== 200) throw new CommandError(`the sample configuration could not be stored (${status})`);
}
