import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cluster } from './support/cluster.ts';
import type { Organization } from './support/organization.ts';
import { Setting } from './support/setting.ts';
import { Work } from './support/work.ts';

/** After any failure, acknowledged writes are stored, a lock has one holder, and no client gets a 500. */
describe('three nodes under load', () => {
  let setting: Setting;
  let cluster: Cluster;
  let acme: Organization;

  beforeAll(async () => {
    setting = await Setting.start();
    ({ cluster, acme } = setting);
  });
  afterAll(() => setting?.end());

  it('lose nothing when any one of them is killed', async () => {
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

  it('recover by themselves when the database has crashed', async () => {
    const work = await Work.begin({ cluster, organization: acme }, 'crashed');
    await work.goesOn();
    setting.postgres.stop('immediate');
    await expect.poll(() => Promise.all(cluster.nodes.map((node) => node.isReady()))).toEqual([false, false, false]);
    setting.postgres.start();
    await work.goesOn();
    expect(work.ledger.unclear.get('503')).toBeGreaterThan(0);
    await work.endsWell();
  });

  it('answer while the database is paused, and continue when it does', async () => {
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

  it('get 503 when the database does not answer for long, and continue when it is back', async () => {
    const workspace = await acme.workspace('silent');
    const lock = () => cluster.nodes.map((node) => acme.ask(node, 'POST', `workspaces/${workspace}/actions/lock`, {}));
    const look = () => cluster.nodes.map((node) => node.ask('GET', '/v1/auth/token/lookup-self', cluster.tokens.root));
    setting.postgres.pause();
    try {
      const answers = await Promise.all([...lock(), ...look()]);
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503, 503]);
    } finally {
      setting.postgres.resume();
    }
    await expect.poll(async () => (await Promise.all(look())).map(({ status }) => status)).toEqual([200, 200, 200]);
    // Clients that got no answer may still have written everything.
    const statuses = (await Promise.all(lock())).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
  });
});
