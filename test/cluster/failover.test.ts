import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cluster } from './support/cluster.ts';
import { Organization } from './support/organization.ts';
import { Replicated } from './support/replicated.ts';
import { Work } from './support/work.ts';

/** The leader of a replicated PostgreSQL dies, and a standby takes its place. */
describe('nodes whose database fails over', () => {
  const opened = new AsyncDisposableStack();
  let replicated: Replicated;
  let cluster: Cluster;

  beforeAll(async () => {
    replicated = opened.adopt(await Replicated.start(), (all) => all.remove());
    cluster = opened.adopt(await Cluster.start(replicated.url, { nodes: 2 }), (started) => started.remove());
  });
  afterAll(() => opened.disposeAsync());

  it('answer 503 until a standby leads, go on by themselves, and have lost nothing', async () => {
    const organization = await Organization.create(cluster);
    const work = await Work.begin({ cluster, organization }, 'failover');
    await work.goesOn();
    await replicated.killLeader();
    await work.goesOn();
    expect(work.ledger.unclear.get('503')).toBeGreaterThan(0);
    await work.endsWell();
    const seconds = (work.ledger.longestPause / 1000).toFixed(1);
    process.stderr.write(`failover: ${seconds} s without an acknowledged write\n`);
  });
});
