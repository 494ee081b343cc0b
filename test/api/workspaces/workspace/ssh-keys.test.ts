import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { newPrivateKey, privateKey } from '../../../support/samples/private-key.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { issuesOf, namesOf, newOrganization, type TestOrganization } from '../support/organization.ts';

const SECRET = newPrivateKey();
/** A part of the key that appears in no response. */
const [, PART = ''] = SECRET.split('\n');
const selectValues = sql<Record<string, never>, { value: Uint8Array }>('SELECT value FROM ssh_key');

describe.each(databaseKinds)('SSH keys on %s (facts §6.6)', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const body = (attributes: object) => ({ data: { type: 'ssh-keys', attributes } });
  const path = () => `/organizations/${acme.name}/ssh-keys`;
  const create = async (name: string) => {
    const made = await acme.owner.call('POST', path(), body({ name, value: SECRET }));
    expect(made.status, made.text).toBe(201);
    return made.body.data.id as string;
  };
  const assign = (id: string, given: unknown, caller: Pick<typeof acme.owner, 'call'> = acme.owner) =>
    caller.call('PATCH', `/workspaces/${id}/relationships/ssh-key`, given);

  test('a key is created, shown, listed, renamed and deleted; its value is never returned', async () => {
    const made = await acme.owner.call('POST', path(), body({ name: 'first', value: SECRET }));
    const { id } = made.body.data;
    expect(made.body.data).toEqual({
      id: expect.stringMatching(/^sshkey-[1-9A-Za-z]{16}$/),
      type: 'ssh-keys',
      attributes: { name: 'first' },
      links: { self: `/api/v2/ssh-keys/${id}` },
    });
    const shown = await acme.owner.call('GET', `/ssh-keys/${id}`);
    expect(shown.body.data).toEqual(made.body.data);
    const listed = await acme.owner.call('GET', path());
    expect(listed.body.data).toContainEqual(made.body.data);
    const renamed = await acme.owner.call('PATCH', `/ssh-keys/${id}`, body({ name: 'second' }));
    expect(renamed.body.data.attributes.name).toBe('second');
    for (const { text } of [made, shown, listed, renamed]) expect(text).not.toContain(PART);
    expect(await api.workspaces.workspace.sshKeys.value(id)).toBe(SECRET);
    await acme.owner.call('PATCH', `/ssh-keys/${id}`, body({ value: privateKey }));
    expect(await api.workspaces.workspace.sshKeys.value(id)).toBe(privateKey);
    expect((await acme.owner.call('DELETE', `/ssh-keys/${id}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) {
      expect((await acme.owner.call(method, `/ssh-keys/${id}`)).status).toBe(404);
    }
  });

  test('the stored key is encrypted', async () => {
    await create('sealed');
    const rows = await api.workspaces.database.all(selectValues, {});
    for (const { value } of rows) expect(Buffer.from(value).toString('latin1')).not.toContain(PART);
  });

  test('a key without a name or a value is refused, and a refusal repeats neither', async () => {
    expect(issuesOf(await acme.owner.call('POST', path(), body({ name: ' ', value: '' })))).toEqual([
      "/data/attributes/name: Name can't be blank",
      "/data/attributes/value: Value can't be blank",
    ]);
    const missing = await acme.owner.call('POST', path(), body({ value: SECRET }));
    expect(missing.status).toBe(422);
    expect(missing.text).not.toContain(PART);
    expect((await acme.owner.call('POST', path(), body({ name: 'n', value: 'x'.repeat(70_000) }))).status).toBe(422);
  });

  test.each([
    ['a public key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ me@example.com', 'Value is a public key'],
    ['nonsense', 'abc', 'Value is not a private key'],
    ['a key that is cut off', SECRET.slice(0, 60), 'Value is damaged or incomplete'],
    ['an encrypted key', SECRET.replaceAll('PRIVATE', 'ENCRYPTED PRIVATE'), 'Value has a passphrase'],
  ])('%s is refused at once, with the reason', async (_, value, reason) => {
    const id = await create('stays');
    for (const [method, to] of [
      ['POST', path()],
      ['PATCH', `/ssh-keys/${id}`],
    ] as const) {
      const refused = await acme.owner.call(method, to, body({ name: 'refused', value }));
      expect(refused.status).toBe(422);
      expect(issuesOf(refused)).toEqual([expect.stringContaining(`/data/attributes/value: ${reason}`)]);
    }
    expect((await acme.owner.call('GET', `/ssh-keys/${id}`)).body.data.attributes.name).toBe('stays');
    expect(await api.workspaces.workspace.sshKeys.value(id)).toBe(SECRET);
  });

  test.each([
    ['line ends of Windows', (key: string) => key.replaceAll('\n', '\r\n')],
    ['no last line end', (key: string) => key.trimEnd()],
    ['white space around it', (key: string) => `\n \t${key.replaceAll('\n', '\n  ')}`],
  ])('a key with %s is stored as SSH reads it', async (_, form) => {
    const made = await acme.owner.call('POST', path(), body({ name: 'repaired', value: form(SECRET) }));
    expect(made.status, made.text).toBe(201);
    expect(await api.workspaces.workspace.sshKeys.value(made.body.data.id)).toBe(SECRET);
    await acme.owner.call('PATCH', `/ssh-keys/${made.body.data.id}`, body({ value: form(privateKey) }));
    expect(await api.workspaces.workspace.sshKeys.value(made.body.data.id)).toBe(privateKey);
  });

  test('§4.8: all three forms of a body assign, null removes, and all show it (trap 2)', async () => {
    const [id, key] = [await acme.workspace('keyed'), await create('assigned')];
    for (const given of [
      { data: { type: 'workspaces', attributes: { id: key } } },
      { data: { type: 'ssh-keys', id: key } },
    ]) {
      const assigned = await assign(id, given);
      expect(assigned.status, assigned.text).toBe(200);
      expect(assigned.body.data.relationships['ssh-key']).toEqual({
        data: { type: 'ssh-keys', id: key },
        links: { related: `/api/v2/ssh-keys/${key}` },
      });
      expect((await acme.owner.call('GET', `/workspaces/${id}`)).body).toEqual(assigned.body);
      const none =
        given.data.type === 'ssh-keys' ? { data: null } : { data: { type: 'workspaces', attributes: { id: null } } };
      const taken = await assign(id, none);
      expect(taken.body.data.relationships['ssh-key']).toEqual({ data: null });
    }
    for (const given of [
      {},
      { data: { type: 'workspaces' } },
      { data: { type: 'ssh-keys' } },
      { data: { type: 'x' } },
    ]) {
      expect((await assign(id, given)).status, JSON.stringify(given)).toBe(422);
    }
  });

  test('§4.8: an unknown key, or one of another organization, is not found', async () => {
    const id = await acme.workspace('unkeyed');
    const other = await newOrganization(api);
    const foreign = await other.owner.call(
      'POST',
      `/organizations/${other.name}/ssh-keys`,
      body({ name: 'f', value: privateKey }),
    );
    for (const key of ['sshkey-none', foreign.body.data.id]) {
      expect((await assign(id, { data: { type: 'workspaces', attributes: { id: key } } })).status).toBe(404);
    }
  });

  test('a deleted key is assigned to no workspace', async () => {
    const [id, key] = [await acme.workspace('loses'), await create('lost')];
    await assign(id, { data: { type: 'ssh-keys', id: key } });
    await acme.owner.call('DELETE', `/ssh-keys/${key}`);
    const shown = await acme.owner.call('GET', `/workspaces/${id}`);
    expect(shown.body.data.relationships['ssh-key']).toEqual({ data: null });
  });

  test('keys are managed by users who manage VCS settings; an administrator of a workspace assigns them', async () => {
    const [id, key] = [await acme.workspace('guarded'), await create('guarded')];
    const vcs = await acme.machine('vcs', { 'manage-vcs-settings': true });
    const admin = await acme.machine('admin', { 'manage-workspaces': true });
    expect(namesOf(await vcs.call('GET', path()))).toContain('guarded');
    expect((await admin.call('GET', path())).status).toBe(404);
    expect((await admin.call('GET', `/ssh-keys/${key}`)).status).toBe(404);
    expect((await admin.call('DELETE', `/ssh-keys/${key}`)).status).toBe(404);
    const given = { data: { type: 'ssh-keys', id: key } };
    expect((await assign(id, given, vcs)).status).toBe(404);
    expect((await assign(id, given, admin)).status).toBe(200);
  });
});
