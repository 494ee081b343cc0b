import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Balancer } from './support/balancer.ts';
import type { Cluster } from './support/cluster.ts';
import { Node } from './support/node.ts';
import type { Organization } from './support/organization.ts';
import { Setting } from './support/setting.ts';
import { Work } from './support/work.ts';

/** One node after the other, as docs/guides/first-server.md says, behind a load balancer that asks whether they are ready. */
describe('a rolling restart of three nodes under load', () => {
  const opened = new AsyncDisposableStack();
  let cluster: Cluster;
  let acme: Organization;
  let front: Node;

  beforeAll(async () => {
    const setting = opened.adopt(await Setting.start({ more: 'limits: { lame_duck: 3s }\n' }), (all) => all.end());
    ({ cluster, acme } = setting);
    const backends = cluster.nodes.map(({ options: { name, plain } }) => ({ name, port: plain, checked: plain }));
    const balancer = opened.adopt(await Balancer.start('GET /healthz/ready', backends), (started) => started.stop());
    front = new Node({ ...cluster.node(1).options, name: 'balancer', plain: balancer.port });
  });
  afterAll(() => opened.disposeAsync());

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
    // A connection may end between two requests; no answer says that anything went wrong.
    expect([...work.ledger.unclear.keys()].filter((code) => code !== 'ECONNRESET')).toEqual([]);
  });
});
