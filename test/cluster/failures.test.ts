import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresServer } from '../support/postgres/server.ts';
import { Cluster } from './support/cluster.ts';
import { Organization } from './support/organization.ts';
import { Work } from './support/work.ts';

/** Whatever dies: what was acknowledged is there, nobody else holds a lock that is held, and no client sees a 500. */
describe('three nodes under load', () => {
  let postgres: PostgresServer;
  let cluster: Cluster;
  let acme: Organization;

  beforeAll(async () => {
    postgres = await PostgresServer.start('fsync=off');
    cluster = await Cluster.start(postgres.url);
    acme = await Organization.create(cluster);
  });
  afterAll(async () => {
    await cluster.remove();
    postgres.remove();
  });

  it('lose nothing when one of them is killed, whichever', async () => {
    const work = await Work.begin(cluster, acme, 'killed');
    for (const victim of cluster.nodes) {
      await work.goesOn();
      await victim.kill();
      await work.goesOn(cluster.nodes.filter((node) => node !== victim));
      await victim.start();
    }
    await work.goesOn();
    await work.endsWell();
  });

  it('come back by themselves when the database has crashed', async () => {
    const work = await Work.begin(cluster, acme, 'crashed');
    await work.goesOn();
    postgres.stop('immediate');
    await expect.poll(() => Promise.all(cluster.nodes.map((node) => node.isReady()))).toEqual([false, false, false]);
    postgres.start();
    await work.goesOn();
    expect(work.ledger.unclear.get('503')).toBeGreaterThan(0);
    await work.endsWell();
  });

  it('answer when the database stands still, and go on with it', async () => {
    const work = await Work.begin(cluster, acme, 'still');
    await work.goesOn();
    postgres.pause();
    try {
      await expect.poll(() => cluster.node(1).isReady()).toBe(false);
      await sleep(1000);
    } finally {
      postgres.resume();
    }
    await work.goesOn();
    await work.endsWell();
  });
});
