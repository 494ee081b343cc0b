import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cluster } from './support/cluster.ts';
import type { Organization } from './support/organization.ts';
import { Setting } from './support/setting.ts';
import { Work } from './support/work.ts';

/** Whatever dies: what was acknowledged is there, nobody else holds a lock that is held, and no client sees a 500. */
describe('three nodes under load', () => {
  let setting: Setting;
  let cluster: Cluster;
  let acme: Organization;

  beforeAll(async () => {
    setting = await Setting.start();
    ({ cluster, acme } = setting);
  });
  afterAll(() => setting?.end());

  it('lose nothing when one of them is killed, whichever', async () => {
    const work = await Work.begin({ cluster, organization: acme }, 'killed');
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
    const work = await Work.begin({ cluster, organization: acme }, 'crashed');
    await work.goesOn();
    setting.postgres.stop('immediate');
    await expect.poll(() => Promise.all(cluster.nodes.map((node) => node.isReady()))).toEqual([false, false, false]);
    setting.postgres.start();
    await work.goesOn();
    expect(work.ledger.unclear.get('503')).toBeGreaterThan(0);
    await work.endsWell();
  });

  it('answer when the database stands still, and go on with it', async () => {
    const work = await Work.begin({ cluster, organization: acme }, 'still');
    await work.goesOn();
    setting.postgres.pause();
    try {
      await expect.poll(() => cluster.node(1).isReady()).toBe(false);
      await sleep(1000);
    } finally {
      setting.postgres.resume();
    }
    await work.goesOn();
    await work.endsWell();
  });
});
