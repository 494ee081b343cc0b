import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { RunningServer } from '../../support/machine/running-server.ts';
import type { BackupInstallation } from '../support/backup-installation.ts';

const ORGANIZATION = '/api/v2/organizations/acme';
/** Larger than a chunk of the cipher, so that there are several chunks. */
const PADDING = 'x'.repeat(140_000);

export const stateText = (serial: number) =>
  JSON.stringify({
    version: 4,
    serial,
    lineage: 'l',
    outputs: { a: { value: PADDING, type: 'string' } },
    resources: [],
  });

const document = (type: string, attributes: object) => ({ data: { type, attributes } });

/** A server with one of each kind of data that a backup keeps: logins, encrypted values, large blobs. */
export async function fill(
  installation: BackupInstallation,
  node: RunningServer,
): Promise<{ readonly workspace: string }> {
  const { root, user } = installation.tokens;
  const ask = async (token: string, method: string, path: string, body: unknown) => {
    const answer = await node.call(method, path, { token, body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  const role = { certificate: installation.clients.pem, token_policies: 'readers' };
  await ask(root, 'POST', '/v1/auth/cert/certs/machines', role);
  await ask(root, 'PUT', '/v1/sys/policies/acl/readers', { policy: 'path "a" { capabilities = ["read"] }' });
  await ask(user, 'POST', '/api/v2/organizations', document('organizations', { name: 'acme', email: 'a@example.com' }));
  const made = await ask(user, 'POST', `${ORGANIZATION}/workspaces`, document('workspaces', { name: 'prod' }));
  const workspace: string = made.data.id;
  const variable = { key: 'region', value: 'eu-central-1', category: 'terraform' };
  await ask(user, 'POST', `/api/v2/workspaces/${workspace}/vars`, document('vars', variable));
  await storeState(installation, node, workspace, 1);
  return { workspace };
}

/** Id of the state version. */
export async function storeState(
  { tokens }: BackupInstallation,
  node: RunningServer,
  workspace: string,
  serial: number,
): Promise<string> {
  const path = `/api/v2/workspaces/${workspace}`;
  const token = tokens.user;
  const text = stateText(serial);
  const [md5, state] = [createHash('md5').update(text).digest('hex'), Buffer.from(text).toString('base64')];
  expect((await node.call('POST', `${path}/actions/lock`, { token })).status).toBe(200);
  const body = document('state-versions', { serial, lineage: 'l', md5, state });
  const stored = await node.call('POST', `${path}/state-versions`, { token, body });
  expect(stored.status, stored.text).toBe(201);
  expect((await node.call('POST', `${path}/actions/unlock`, { token })).status).toBe(200);
  return stored.body.data.id;
}

/** Checks that all data is there and can be decrypted. */
export async function expectAll(
  installation: BackupInstallation,
  node: RunningServer,
  workspace: string,
  serial = 1,
): Promise<void> {
  const { root, user: token } = installation.tokens;
  const login = await node.call('POST', '/v1/auth/cert/login', { certificate: installation.client });
  expect([login.status, login.body.auth?.token_policies]).toEqual([200, ['default', 'readers']]);
  expect((await node.call('GET', '/v1/auth/token/lookup-self', { token: root })).status).toBe(200);
  const variables = await node.call('GET', `/api/v2/workspaces/${workspace}/vars`, { token });
  expect(variables.body.data[0].attributes).toMatchObject({ key: 'region', value: 'eu-central-1' });
  const shown = await node.call('GET', `/api/v2/workspaces/${workspace}/current-state-version`, { token });
  const { pathname, search } = new URL(shown.body.data.attributes['hosted-state-download-url']);
  const downloaded = await node.call('GET', pathname + search);
  expect(downloaded.text === stateText(serial)).toBe(true);
}
