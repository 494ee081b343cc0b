import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRoot } from '../support/pki.ts';
import { Balancer } from './support/balancer.ts';
import type { Cluster } from './support/cluster.ts';
import { Node } from './support/node.ts';
import type { Organization } from './support/organization.ts';
import { Setting } from './support/setting.ts';
import { Work } from './support/work.ts';

/**
 * Replaces one node after the other, as docs/guides/first-server.md describes, behind a load balancer with readiness
 * checks.
 */
describe('a rolling restart of three nodes under load', () => {
  const opened = new AsyncDisposableStack();
  let cluster: Cluster;
  let acme: Organization;
  let front: Node;

  beforeAll(async () => {
    const setting = opened.adopt(await Setting.start({ more: 'limits: { lame_duck: 3s }\n' }), (all) => all.end());
    ({ cluster, acme } = setting);
    const balance = async (kind: 'tls' | 'plain') => {
      const backends = cluster.nodes.map(({ options }) => ({
        ...options,
        port: options[kind],
        checked: options.plain,
      }));
      return opened.adopt(await Balancer.start('GET /healthz/ready', backends), (started) => started.stop()).port;
    };
    const [tls, plain] = [await balance('tls'), await balance('plain')];
    front = new Node({ ...cluster.node(1).options, name: 'balancer', tls, plain });
  });
  afterAll(() => opened.disposeAsync());

  it('starts with certificate logins, which the balancer passes through', async () => {
    const ca = createRoot({ subject: 'Client CA' });
    const device = ca.issue({ subject: 'device' });
    const role = { certificate: ca.pem };
    expect((await front.ask('POST', '/v1/auth/cert/certs/web', cluster.tokens.root, role)).status).toBe(204);
    const login = () => front.call('POST', '/v1/auth/cert/login', { certificate: device, body: { name: 'web' } });
    for (let n = 0; n < cluster.nodes.length; n++) expect((await login()).status).toBe(200);
  });

  it('fails no request', async () => {
    const work = await Work.begin({ cluster, organization: acme, nodes: [front] }, 'rolled');
    await work.goesOn();
    const before = cluster.nodes.map(({ pid }) => pid);
    for (const node of cluster.nodes) {
      await node.stop();
      await node.start();
      await work.goesOn();
    }
    for (const [index, { pid }] of cluster.nodes.entries()) expect(pid).not.toBe(before[index]);
    await work.endsWell();
    // A connection may close between two requests; no answer is an error.
    expect([...work.ledger.unclear.keys()].filter((code) => code !== 'ECONNRESET')).toEqual([]);
  });
});
