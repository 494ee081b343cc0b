import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cluster } from './support/cluster.ts';
import type { Node } from './support/node.ts';
import type { Organization } from './support/organization.ts';
import { Setting } from './support/setting.ts';
import { Work } from './support/work.ts';

const VARIABLES = 40;
const LONG = { timeout: 60_000 };
/** Records a database connection that encrypts a variable again. */
const NOTES = `
  CREATE TABLE resealed (variable text, node text);
  CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO resealed VALUES (NEW.id, current_setting('application_name')); RETURN NEW;
  END $$;
  CREATE TRIGGER note AFTER UPDATE ON variable FOR EACH ROW EXECUTE FUNCTION note()`;
const BLOCKED = "SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'";

/** A node is paused in the middle of a background task, for longer than its leader lease. */
describe('a node that was paused', () => {
  let setting: Setting;
  let cluster: Cluster;
  let acme: Organization;

  beforeAll(async () => {
    setting = await Setting.start();
    ({ cluster, acme } = setting);
  });
  afterAll(async () => {
    for (const node of cluster?.nodes ?? []) node.resume();
    await setting?.end();
  });

  const lease = async () => {
    const [found] = await cluster.query<{ holder: string; term: string }>('SELECT holder, term FROM background_lease');
    const pid = Number(found?.holder.split(' ').at(-1));
    return { holder: cluster.nodes.find((node) => node.pid === pid) as Node, term: Number(found?.term) };
  };

  it('sees that another node has taken over, and stops writing', async () => {
    const before = await lease();
    const others = cluster.nodes.filter((node) => node !== before.holder);
    const workspace = await acme.workspace('sealed');
    for (let n = 0; n < VARIABLES; n++)
      await acme.make(`workspaces/${workspace}/vars`, 'vars', { key: `v${n}`, value: 'x', category: 'env' });
    await cluster.query(NOTES);
    const rows = await cluster.query<{ id: string }>('SELECT id FROM variable ORDER BY id');
    const half = VARIABLES / 2;
    const middle = rows[half]?.id ?? '';
    const resealedBy = async (node: Node) =>
      (await cluster.query<{ variable: string }>('SELECT variable FROM resealed WHERE node = $1', [node.options.name]))
        .length;

    // The node is blocked after half of the variables, and paused there.
    const letMiddleGo = await holdUp(middle);
    expect((await cluster.command('keyring', 'rotate', '--seals-in', '8s').ended()).code).toBe(0);
    await expect.poll(() => isHeldUp(before.holder), LONG).toBe(true);
    const inFlight = await Work.begin({ cluster, organization: acme }, 'in-flight');
    await inFlight.goesOn(cluster.nodes, 1);
    before.holder.pause();
    await letMiddleGo();

    // The database ends its transaction. Another node takes over the lease, and is blocked in turn.
    const letItGo = await holdUp(middle);
    await expect.poll(async () => (await lease()).term, LONG).toBeGreaterThan(before.term);
    const after = await lease();
    expect(others).toContain(after.holder);
    await expect.poll(() => isHeldUp(after.holder), LONG).toBe(true);

    // The first node comes back with half of the variables to encrypt, and encrypts none.
    expect(await resealedBy(before.holder)).toBe(half);
    before.holder.resume();
    await expect.poll(() => before.holder.logged('keyring').length, LONG).toBeGreaterThan(0);
    await inFlight.goesOn();
    expect(await resealedBy(before.holder)).toBe(half);
    await letItGo();
    const all = () =>
      cluster.query('SELECT 1 FROM resealed JOIN variable ON id = variable WHERE workspace_id = $1', [workspace]);
    await expect.poll(async () => (await all()).length, LONG).toBe(VARIABLES);
    await inFlight.endsWell();
    // Each variable was encrypted once.
    expect(await all()).toHaveLength(VARIABLES);
    expect(await resealedBy(before.holder)).toBe(half);
    expect((await lease()).term).toBe(after.term);
  });

  /**
   * Locks the variable, so that no other transaction can change it.
   * @returns a function that releases the lock
   */
  async function holdUp(variable: string): Promise<() => Promise<void>> {
    const client = new Client({ connectionString: setting.postgres.url });
    client.on('error', () => {});
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM lockkeeper.variable WHERE id = $1 FOR UPDATE', [variable]);
    return () => client.end();
  }

  async function isHeldUp({ options }: Node): Promise<boolean> {
    return (await cluster.query(BLOCKED, [options.name])).length > 0;
  }
});
