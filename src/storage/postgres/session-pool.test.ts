import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postgresUrl } from '../../../test/support/databases.ts';
import { SessionPool } from './session-pool.ts';

const backend = { text: 'SELECT pg_backend_pid() AS id', values: [] };
const sleep = { text: 'SELECT pg_sleep(10)', values: [] };
const idOf = ({ rows }: { readonly rows: unknown[] }) => (rows[0] as { id: number }).id;

describe.skipIf(postgresUrl === undefined)('the connections to a server', () => {
  let pool: SessionPool;
  beforeEach(() => {
    pool = new SessionPool(postgresUrl as string, 3, (error) => expect.fail(String(error)));
  });
  afterEach(() => pool.end());

  const read = () => pool.share(async (client) => idOf(await client.query(backend)), 'brief');
  const together = async (reads: number) => new Set(await Promise.all(Array.from({ length: reads }, read)));

  it('are shared by reads of one turn of the event loop, up to a limit', async () => {
    const both = await Promise.all([pool.connect(), pool.connect()]);
    for (const client of both) client.release();
    expect((await together(8)).size).toBe(1);
    expect((await together(9)).size).toBe(2);
  });

  it('a long read blocks no other read, not even one that starts with it', async () => {
    await read();
    const slow = pool.share((client) => client.query(sleep), 'long').catch(() => 'cut');
    const quick: number[] = [];
    for (let round = 0; round < 20; round++) quick.push(...(await together(3)));
    expect(quick.length).toBeGreaterThanOrEqual(20);
    const other = await pool.connect();
    await other.query({
      text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = $1`,
      values: [sleep.text],
    });
    other.release();
    expect(await slow).toBe('cut');
  });

  it('can be taken exclusively, and go to the next waiting caller when they are released', async () => {
    const taken = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    const ids = await Promise.all(taken.map(async (client) => idOf(await client.query(backend))));
    expect(new Set(ids).size).toBe(3);
    const waiting = [read(), read(), pool.connect()] as const;
    taken[0]?.release();
    expect(await Promise.all(waiting.slice(0, 2))).toEqual([ids[0], ids[0]]);
    const next = await waiting[2];
    expect(idOf(await next.query(backend))).toBe(ids[0]);
    for (const client of [next, ...taken.slice(1)]) client.release();
  });

  it('have metrics, with the number of waits', async () => {
    const taken = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    expect(pool.metrics()).toMatchObject({ most: 3, open: 3, inUse: 3, waiting: 0 });
    const before = pool.metrics();
    const next = pool.connect();
    expect(pool.metrics().waiting).toBe(1);
    for (const client of taken) client.release();
    (await next).release();
    const { waits, waited, ...after } = pool.metrics();
    expect(after).toMatchObject({ open: 3, inUse: 0, waiting: 0, timeouts: 0 });
    expect(waits).toBe(before.waits + 1);
    expect(waited).toBeGreaterThan(before.waited);
  });

  it('are closed if their state is unknown', async () => {
    const doubtful = await pool.connect();
    const id = idOf(await doubtful.query(backend));
    doubtful.release(true);
    expect(await read()).not.toBe(id);
  });

  it('are closed when nothing uses them any more', async () => {
    const client = await pool.connect();
    const ended = pool.end();
    await expect(pool.connect()).rejects.toThrow('closed');
    expect(idOf(await client.query(backend))).toBeGreaterThan(0);
    client.release();
    await ended;
  });
});
