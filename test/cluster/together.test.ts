import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRoot } from '../support/pki.ts';
import type { Cluster } from './support/cluster.ts';
import type { Node } from './support/node.ts';
import type { Organization } from './support/organization.ts';
import { Setting } from './support/setting.ts';

const LOCKS = 30;

/** A change on one of three nodes is in force on the others with the next request. */
describe('three nodes on one PostgreSQL', () => {
  let setting: Setting;
  let cluster: Cluster;
  let acme: Organization;
  const ca = createRoot({ subject: 'Client CA' });
  const device = ca.issue({ subject: 'device' });

  beforeAll(async () => {
    setting = await Setting.start();
    ({ cluster, acme } = setting);
  });
  afterAll(() => setting?.end());

  /** Sends a request to each node. */
  const each = <T>(ask: (node: Node) => Promise<T>): Promise<T[]> => Promise.all(cluster.nodes.map(ask));
  const root = (node: Node, method: string, path: string, body?: unknown) =>
    node.ask(method, `/v1/${path}`, cluster.tokens.root, body);
  const login = (node: Node, role: string) =>
    node.call('POST', '/v1/auth/cert/login', { certificate: device, body: { name: role } });
  const loginStatus = (role: string) => each(async (node) => (await login(node, role)).status);

  it('give a lock to one of many concurrent clients', async () => {
    const workspace = await acme.workspace('contended');
    for (let round = 0; round < 3; round++) {
      const asked = Array.from({ length: LOCKS }, (_, n) =>
        acme.ask(cluster.node(1 + (n % 3)), 'POST', `workspaces/${workspace}/actions/lock`, {}),
      );
      const statuses = (await Promise.all(asked)).map(({ status }) => status).toSorted();
      expect(statuses).toEqual([200, ...Array.from({ length: LOCKS - 1 }, () => 409)]);
      const node = cluster.node(1 + (round % 3));
      expect((await acme.ask(node, 'POST', `workspaces/${workspace}/actions/unlock`, {})).status).toBe(200);
    }
  });

  it('refuse a token of the access API that was revoked on one of them', async () => {
    for (const revoking of cluster.nodes) {
      const made = await root(cluster.node(1), 'POST', 'auth/token/create', { ttl: '1h' });
      const token = made.body.auth.client_token;
      const lookUp = () => each(async (node) => (await node.ask('GET', '/v1/auth/token/lookup-self', token)).status);
      expect(await lookUp()).toEqual([200, 200, 200]);
      expect((await root(revoking, 'POST', 'auth/token/revoke', { token })).status).toBe(204);
      expect(await lookUp()).toEqual([403, 403, 403]);
    }
  });

  it('refuse a token of the workspace API that was revoked on one of them', async () => {
    const workspace = await acme.workspace('revoked');
    const team = await acme.team('leavers', workspace, 'read');
    const show = () =>
      each(async (node) => (await node.ask('GET', `/api/v2/workspaces/${workspace}`, team.token)).status);
    expect(await show()).toEqual([200, 200, 200]);
    const revoked = await acme.ask(cluster.node(2), 'DELETE', `teams/${team.id}/authentication-token`);
    expect(revoked.status).toBe(204);
    expect(await show()).toEqual([401, 401, 401]);
  });

  it('accept logins to a role that was written on one of them, until it is deleted', async () => {
    const role = 'auth/cert/certs/written';
    expect(await loginStatus('written')).toEqual([400, 400, 400]);
    expect((await root(cluster.node(3), 'POST', role, { certificate: ca.pem })).status).toBe(204);
    expect(await loginStatus('written')).toEqual([200, 200, 200]);
    expect((await root(cluster.node(1), 'DELETE', role)).status).toBe(204);
    expect(await loginStatus('written')).toEqual([400, 400, 400]);
  });

  it('apply a CRL that was set on one of them', async () => {
    await root(cluster.node(1), 'POST', 'auth/cert/certs/listed', { certificate: ca.pem });
    expect(await loginStatus('listed')).toEqual([200, 200, 200]);
    const crl = ca.crl({ revoked: [device.serial] }).pem;
    expect((await root(cluster.node(2), 'POST', 'auth/cert/crls/list', { crl })).status).toBe(204);
    expect(await loginStatus('listed')).toEqual([400, 400, 400]);
    expect((await root(cluster.node(3), 'DELETE', 'auth/cert/crls/list')).status).toBe(204);
    expect(await loginStatus('listed')).toEqual([200, 200, 200]);
  });

  it('apply a policy that was changed on one of them', async () => {
    const write = (node: Node, capability: string) =>
      root(node, 'POST', 'sys/policies/acl/roles', {
        policy: `path "auth/cert/certs/*" { capabilities = ["${capability}"] }`,
      });
    expect((await write(cluster.node(1), 'read')).status).toBe(204);
    await root(cluster.node(1), 'POST', 'auth/cert/certs/seen', { certificate: ca.pem });
    const made = await root(cluster.node(1), 'POST', 'auth/token/create', { policies: ['roles'] });
    const read = () =>
      each(async (node) => (await node.ask('GET', '/v1/auth/cert/certs/seen', made.body.auth.client_token)).status);
    expect(await read()).toEqual([200, 200, 200]);
    expect((await write(cluster.node(3), 'deny')).status).toBe(204);
    expect(await read()).toEqual([403, 403, 403]);
    expect((await write(cluster.node(2), 'read')).status).toBe(204);
    expect(await read()).toEqual([200, 200, 200]);
  });

  it('apply a team permission that was changed on one of them', async () => {
    const workspace = await acme.workspace('permitted');
    const team = await acme.team('readers', workspace, 'read');
    const lock = async () => {
      const statuses: number[] = [];
      for (const node of cluster.nodes) {
        const act = (action: string) =>
          node.ask('POST', `/api/v2/workspaces/${workspace}/actions/${action}`, team.token);
        statuses.push((await act('lock')).status);
        await act('unlock');
      }
      return statuses;
    };
    const grant = (node: Node, access: string) =>
      acme.ask(node, 'PATCH', `team-workspaces/${team.access}`, {
        data: { type: 'team-workspaces', attributes: { access } },
      });
    expect(await lock()).toEqual([404, 404, 404]);
    expect((await grant(cluster.node(2), 'write')).status).toBe(200);
    expect(await lock()).toEqual([200, 200, 200]);
    expect((await grant(cluster.node(3), 'read')).status).toBe(200);
    expect(await lock()).toEqual([404, 404, 404]);
  });
});
