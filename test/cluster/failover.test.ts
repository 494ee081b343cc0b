import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { translate } from '../../src/storage/postgres/errors.ts';
import { Cluster } from './support/cluster.ts';
import { Organization } from './support/organization.ts';
import { Replicated } from './support/replicated.ts';
import { Work } from './support/work.ts';

/** The leader of a replicated PostgreSQL dies, and a standby takes its place. */
describe('nodes whose database fails over', () => {
  const opened = new AsyncDisposableStack();
  let replicated: Replicated;
  let cluster: Cluster;
  let organization: Organization;

  beforeAll(async () => {
    replicated = opened.adopt(await Replicated.start(), (all) => all.remove());
    cluster = opened.adopt(await Cluster.start(replicated.url, { nodes: 2 }), (started) => started.remove());
    organization = await Organization.create(cluster);
  });
  afterAll(() => opened.disposeAsync());

  it('continue after a switchover, and lose nothing', async () => {
    await survive('switched', 'switchover', () => replicated.switchOver());
  });

  it('do not start on a standby, which may not have the latest revocations', async () => {
    const { code, stderr } = await cluster
      .command('serve', '--set', `storage.url=${await replicated.standbyUrl()}`)
      .ended();
    expect(stderr).toContain('the server is a standby');
    expect(code).not.toBe(0);
  });

  it('handle the errors that a standby returns for their transactions', async () => {
    const client = new Client({ connectionString: await replicated.standbyUrl() });
    await client.connect();
    await client.query("SET default_transaction_isolation = 'serializable'").catch(() => {});
    const said = await client.query('SELECT 1').catch((error: unknown) => error);
    await client.query("SET default_transaction_isolation = 'repeatable read'");
    const other = await client.query('SELECT DISTINCT 1 FROM pg_class FOR UPDATE').catch((error: unknown) => error);
    await client.end();
    expect([said, other]).toMatchObject([{ code: '0A000' }, { code: '0A000' }]);
    expect(translate(said)).toMatchObject({ kind: 'unavailable' });
    expect(translate(other)).toBe(other);
  });

  it("answer 503 from the leader's death until a standby leads, recover by themselves, and lose nothing", async () => {
    const { unclear } = await survive('died', 'failover', () => replicated.killLeader());
    expect(unclear.get('503')).toBeGreaterThan(0);
  });

  async function survive(name: string, what: string, happens: () => Promise<void>) {
    const work = await Work.begin({ cluster, organization }, name);
    await work.goesOn();
    await happens();
    await work.goesOn();
    await work.endsWell();
    process.stderr.write(`${what}: ${(work.ledger.longestPause / 1000).toFixed(1)} s without an acknowledged write\n`);
    return work.ledger;
  }
});
