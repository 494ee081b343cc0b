import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareDatabases, sealedDatabases } from '../../src/composition/index.ts';
import { addKey, countSealed, createKeyring, openKeyring, removeKey } from '../../src/storage/index.ts';
import { START, sealedTable } from '../../src/storage/sealed-table.ts';
import { databaseKinds, openTestDatabase } from '../support/databases.ts';
import { newPrivateKey, privateKey } from '../support/samples/private-key.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const output = { value: 'from-the-state', type: 'string', sensitive: false };
const STATE = JSON.stringify({ version: 4, serial: 1, lineage: 'l', outputs: { out: output }, resources: [] });

describe.each(databaseKinds)('the keyring gets a new key, on %s', (kind) => {
  let server: TestServer;
  let file: string;
  const later = newPrivateKey();
  const ids = { workspace: '', variable: '', state: '', sshKey: '' };
  const tokens = { wrapping: '', batch: '' };

  const make = async (path: string, type: string, attributes: object, relationships: object = {}): Promise<string> => {
    const { status, body, text } = await server.user('POST', `/api/v2${path}`, {
      data: { type, attributes, relationships },
    });
    expect(status, text).toBe(201);
    return body.data.id;
  };
  const get = async (path: string) => (await server.user('GET', `/api/v2${path}`)).body.data;
  const databases = () => sealedDatabases(server.application.databases);
  const sealedBy = async (key: number) =>
    (await countSealed(databases()))
      .filter(({ version }) => version === key)
      .map(({ column }) => column)
      .toSorted();
  const lookUp = async (token: string) => (await server.call('GET', '/v1/auth/token/lookup-self', { token })).status;

  /** Creates one encrypted value of each kind. */
  beforeAll(async () => {
    server = await startTestServer(kind, { publicAddress: 'https://lockkeeper.example.com' });
    file = join(server.folder, 'keyring.json');
    await make('/organizations', 'organizations', { name: 'acme', email: 'a@example.com' });
    ids.workspace = await make('/organizations/acme/workspaces', 'workspaces', { name: 'one' });
    const variable = { category: 'terraform', hcl: false };
    const variables = `/workspaces/${ids.workspace}/vars`;
    ids.variable = await make(variables, 'vars', { key: 'plain', value: 'shown', sensitive: false, ...variable });
    await make(variables, 'vars', { key: 'hidden', value: 'sensitive-value', sensitive: true, ...variable });
    ids.sshKey = await make('/organizations/acme/ssh-keys', 'ssh-keys', { name: 'git', value: privateKey });
    const provider = {
      'service-provider': 'github',
      'http-url': 'https://github.com',
      'api-url': 'https://api.github.com',
    };
    await make('/organizations/acme/oauth-clients', 'oauth-clients', { ...provider, 'oauth-token-string': 'ghp' });
    await make(`/workspaces/${ids.workspace}/notification-configurations`, 'notification-configurations', {
      ...{ name: 'Builds', 'destination-type': 'generic', enabled: false },
      ...{ url: 'https://hooks.example.com/path', token: 'signing key' },
    });
    expect((await server.call('GET', '/.well-known/jwks')).body.keys).toHaveLength(1);
    expect((await server.user('POST', `/api/v2/workspaces/${ids.workspace}/actions/lock`)).status).toBe(200);
    ids.state = await make(`/workspaces/${ids.workspace}/state-versions`, 'state-versions', {
      ...{ serial: 1, lineage: 'l', md5: md5(STATE), state: Buffer.from(STATE).toString('base64') },
      'json-state-outputs': base64({ out: output }),
    });
    const wrapped = await server.call('POST', '/v1/sys/wrapping/wrap', {
      ...{ token: server.rootToken, body: { secret: 'wrapped' } },
      headers: { 'x-vault-wrap-ttl': '1h' },
    });
    tokens.wrapping = wrapped.body.wrap_info.token;
    const batch = { type: 'batch', policies: ['default'], ttl: '1h' };
    tokens.batch = (await server.root('POST', '/v1/auth/token/create', batch)).body.auth.client_token;
  });
  afterAll(() => server.stop());

  const SEALED = [
    'blob.data_key',
    'identity_key.private_key',
    'notification_configuration.token',
    'notification_configuration.url',
    'oauth_client.secrets',
    'oauth_token.token',
    'ssh_key.value',
    'variable.value',
    'wrapped_answer.answer',
  ];

  it('encrypts existing values with the first key', async () => {
    expect(await sealedBy(1)).toEqual(expect.arrayContaining(SEALED));
    expect(await sealedBy(2)).toEqual([]);
  });

  it('opens everything with a key that does not seal yet in the file, and seals with the old one', async () => {
    await addKey({ file }, Date.now() + 3_600_000);
    await server.application.keyring.reload();
    await make('/organizations/acme/ssh-keys', 'ssh-keys', { name: 'later', value: later });
    expect(server.application.keyring.versions).toEqual([1, 2]);
    expect(await sealedBy(2)).toEqual([]);
    await expect(addKey({ file }, 0)).rejects.toThrow('has key 2 already, which does not encrypt yet');
  });

  it('moves everything to the new key in the background once that seals', { timeout: 60_000 }, async () => {
    letTimeCome(file, 2);
    await server.application.keyring.reload();
    await expect.poll(() => sealedBy(1), { timeout: 50_000, interval: 200 }).toEqual([]);
    expect(await sealedBy(2)).toEqual(expect.arrayContaining(SEALED));
    expect(await lookUp(tokens.batch)).toBe(200);
    expect(server.logLines().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it('reads everything after the old key is removed, and logs out only holders of batch tokens', async () => {
    await removeKey({ file }, 1);
    await server.application.keyring.reload();
    expect(server.application.keyring.versions).toEqual([2]);
    expect((await get(`/workspaces/${ids.workspace}/vars`)).map(valueIn)).toEqual(
      expect.arrayContaining(['shown', null]),
    );
    expect(await server.application.workspaces.workspace.sshKeys.value(ids.sshKey)).toBe(privateKey);
    expect((await server.user('GET', `/api/v2/state-versions/${ids.state}/download`)).text).toBe(STATE);
    const { keys } = server.application.workspaces.execution.workloadIdentity;
    expect((await keys.signer(Date.now())).privateKey.asymmetricKeyType).toBe('rsa');
    const [shown] = await get(`/workspaces/${ids.workspace}/current-state-version-outputs`);
    expect(shown.attributes).toMatchObject({ name: 'out', value: 'from-the-state' });
    const unwrapped = await server.call('POST', '/v1/sys/wrapping/unwrap', { token: tokens.wrapping, body: {} });
    expect(unwrapped.body.data).toEqual({ secret: 'wrapped' });
    expect([await lookUp(server.rootToken), await lookUp(tokens.batch)]).toEqual([200, 403]);
  });

  it('decrypts every value with only the new key', async () => {
    const keyring = await openKeyring({ file });
    const opened: string[] = [];
    for (const { database, columns } of databases()) {
      for (const column of columns) {
        const table = sealedTable(column);
        for (const key of await table.page(database, START, 2, 1000)) {
          const value = (await table.value(database, key)) ?? new Uint8Array();
          opened.push(Buffer.from(keyring.decrypt(value, column.contextOf(key.text, key.number))).toString('latin1'));
        }
      }
    }
    expect(opened).toEqual(expect.arrayContaining(['sensitive-value', 'shown', privateKey, later]));
  });
});

const valueIn = ({ attributes }: { attributes: { value: string | null } }) => attributes.value;

/** Skips the time that a new key waits before its use. */
function letTimeCome(file: string, version: number): void {
  const content = JSON.parse(readFileSync(file, 'utf8'));
  content.keys[version].seals_from = new Date(0).toISOString();
  writeFileSync(file, JSON.stringify(content));
}

/** Columns that no keyring encrypts: hashes, public lists, and data encrypted with a key stored beside it. */
const NOT_SEALED = [
  'agent_token.hash',
  'authentication_token.hash',
  'blob.content_hash',
  'configuration_readme.content',
  'crl_chunk.bytes',
  'intermediate.certificate',
  'state_content.dependencies',
  'state_content.outputs',
  'state_content.overview',
  'state_content.resources',
  'state_content.summary',
  'token.secret_hash',
];

it('knows of each column of bytes whether it is encrypted: a forgotten one would be lost with its key', async () => {
  const { database, close } = await openTestDatabase('sqlite');
  const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-'));
  await prepareDatabases(
    { access: database, workspaces: database },
    await createKeyring({ file: join(folder, 'keyring.json') }),
  );
  const columns = await database.dynamic<{ name: string }>({
    sql: `SELECT m.name || '.' || p.name AS name FROM sqlite_master m JOIN pragma_table_info(m.name) p
          WHERE m.type = 'table' AND upper(p.type) = 'BLOB'`,
    parameters: [],
  });
  const sealed = sealedDatabases({ access: database, workspaces: database }).flatMap((of) => of.columns);
  const declared = sealed.map(({ table, column }) => `${table}.${column}`);
  expect(columns.map(({ name }) => name).toSorted()).toEqual([...declared, ...NOT_SEALED].toSorted());
  await close();
  await rm(folder, { recursive: true });
});
