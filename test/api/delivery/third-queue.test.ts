import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/lib/errors.ts';
import { type Database, migrate, sql } from '../../../src/storage/index.ts';
import { Delivery, type DeliveryLoop, targetOf } from '../../../src/workspaces/delivery/index.ts';
import { databaseKinds, placeOf, report } from '../../support/databases.ts';
import { type Received, type Receiver, startReceiver } from '../../support/receiver.ts';
import type { TestApi } from '../workspaces/support/api.ts';
import { startNotifying } from '../workspaces/support/notifications.ts';
import { newOrganization } from '../workspaces/support/organization.ts';
import { statuses, statusQueue, statusTables } from './support/statuses.ts';

const NODE = fileURLToPath(new URL('./support/node.ts', import.meta.url));
const POLL = { timeout: 30_000 };
/** Longer than a claim, milliseconds. */
const LEASE = 61_000;

const insertRepository = sql<{ id: string; organization: string; url: string; target: string }>(
  `INSERT INTO repository (id, organization_id, url, target, queued, claimed_until, failures)
   SELECT :id, o.id, :url, :target, 0, 0, 0 FROM organization o WHERE o.name = :organization`,
);
const spoil = sql<{ id: string }>("UPDATE commit_status SET content = '{' WHERE repository_id = :id");
const selectResult = sql<{ id: string }, { result: string | null }>('SELECT result FROM repository WHERE id = :id');

describe.each(databaseKinds)('a queue that only this test declares, on %s', { timeout: 60_000 }, (kind) => {
  let api: TestApi;
  let database: Database;
  let receiver: Receiver;
  let acme: string;
  let loop: DeliveryLoop<unknown>;
  let names = 0;
  /** Number of transactions that fail from now on, as they do while the database is not available. */
  let outages = 0;
  const nodes: ChildProcess[] = [];
  beforeAll(async () => {
    const started = await startNotifying(kind);
    ({ api, receiver } = started);
    acme = started.acme.name;
    ({ database } = api.workspaces);
    await migrate(database, 'statuses', [statusTables]);
    const { delivery } = api.workspaces;
    const queue = statusQueue(delivery.sender('x-signature'), 'own');
    const settle: typeof queue.settle = async (...given) => {
      await queue.settle?.(...given);
      if (outages-- > 0) throw new AppError('unavailable', 'The database is not available.');
    };
    loop = delivery.add({ ...queue, settle });
  });
  afterEach(() => {
    receiver.answer = (_received, response) => void response.end('ok');
    for (const node of nodes.splice(0)) node.kill('SIGKILL');
  });
  afterAll(async () => {
    await receiver.stop();
    await api.close();
  });

  /** Adds a repository whose statuses go to that receiver, and returns its path there. */
  async function newRepository(organization = acme, to = receiver): Promise<string> {
    const path = `/repository-${++names}`;
    const url = to.address + path;
    await database.run(insertRepository, { id: path, organization, url, target: targetOf(url) });
    return path;
  }

  /** Stores statuses in one transaction. Returns whether each was stored. */
  const store = (path: string, ...states: string[]) =>
    database.transaction(async (tx) => {
      const added: boolean[] = [];
      for (const state of states) {
        const message = { id: `${path}-${state}`, rowId: path, content: { commit: 'c0ffee', state } };
        added.push(await statuses.add(tx, { ...message, place: added.length, createdAt: api.now() }));
      }
      return added;
    });
  const deliver = async () => {
    await loop.begin();
    await loop.settled();
  };
  const statesAt = (path: string, from = receiver) => from.at(path).map(({ body }) => body.state);
  const resultOf = async (path: string) => (await database.one(selectResult, { id: path }))?.result;
  const pending = async () =>
    (await api.workspaces.delivery.pending()).find(({ queue }) => queue === 'commit_statuses');

  /** Starts another process that sends from the same database. @param ahead difference of its clock, milliseconds */
  async function startNode(name: string, ahead = 0): Promise<ChildProcess> {
    const args = [...(await placeOf(database, kind)), name, String(api.now() + ahead), receiver.caFile];
    const node = spawn(process.execPath, [NODE, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    nodes.push(node);
    await Promise.race([
      once(node.stdout, 'data'),
      once(node, 'exit').then(() => Promise.reject(new Error('the node ended'))),
    ]);
    return node;
  }

  test('sends a message if its cause is committed, signed and in order, and stores the result with it', async () => {
    const path = await newRepository();
    const undone = database.transaction(async (tx) => {
      const message = { id: 'undone', rowId: path, content: { commit: 'c0ffee', state: 'undone' } };
      await statuses.add(tx, { ...message, place: 0, createdAt: api.now() });
      throw new Error('the cause fails');
    });
    await expect(undone).rejects.toThrow('the cause fails');
    await store(path, 'pending', 'success');
    api.advance(2_000);
    expect(await pending()).toEqual({ queue: 'commit_statuses', pending: 1, oldest: 2 });
    await deliver();
    await deliver();
    expect(statesAt(path)).toEqual(['pending', 'success']);
    const [first] = receiver.at(path);
    expect(first?.headers).toMatchObject({
      authorization: 'Bearer t',
      'x-signature': createHmac('sha512', 'secret')
        .update(first?.bytes ?? '')
        .digest('hex'),
    });
    expect(await resultOf(path)).toBe('delivered 200');
    expect(await pending()).toEqual({ queue: 'commit_statuses', pending: 0, oldest: 0 });
  });

  test('stores the result when the database was not available, and sends nothing twice', async () => {
    const path = await newRepository();
    await store(path, 'one');
    outages = 2;
    await deliver();
    expect(await resultOf(path)).toBe('delivered 200');
    api.advance(LEASE);
    await deliver();
    expect(statesAt(path)).toEqual(['one']);
  });

  test('backs off after a failure, keeps the order, and drops a message after its last attempt', async () => {
    const path = await newRepository();
    receiver.answer = ({ body }, response) => void response.writeHead(body.state === 'one' ? 503 : 200).end();
    await store(path, 'one', 'two');
    await deliver();
    await deliver();
    expect(statesAt(path), 'not before its time').toEqual(['one']);
    expect(await resultOf(path)).toBe('failed 503');
    api.advance(15_000);
    await deliver();
    api.advance(15_000);
    await deliver();
    expect(statesAt(path), 'the second pause is longer').toEqual(['one', 'one']);
    api.advance(30_000);
    await deliver();
    expect(statesAt(path)).toEqual(['one', 'one', 'one']);
    expect(await resultOf(path)).toBe('given_up 503');
    api.advance(135_000);
    await deliver();
    expect(statesAt(path).slice(3)).toEqual(['two']);
    expect(await resultOf(path)).toBe('delivered 200');
  });

  test('drops new messages above the limit, old ones, and those of a removed row', async () => {
    const [full, old, removed] = [await newRepository(), await newRepository(), await newRepository()];
    const eleven = Array.from({ length: 11 }, (_, index) => `${index}`);
    expect((await store(full, ...eleven)).indexOf(false)).toBe(10);
    await deliver();
    expect(statesAt(full)).toEqual(eleven.slice(0, 10));
    await store(old, 'old');
    await store(removed, 'removed');
    await database.transaction((tx) => statuses.clear(tx, removed));
    api.advance(3_600_001);
    await store(old, 'new');
    await deliver();
    expect(statesAt(old)).toEqual(['new']);
    expect(receiver.at(removed)).toEqual([]);
    expect((await pending())?.pending).toBe(0);
  });

  test('messages that cannot be read delay no other, and the error is reported', async () => {
    const elsewhere = await startReceiver();
    const broken: string[] = [];
    // More than the node sends at once.
    for (let i = 0; i < 9; i++) broken.push(await newRepository(acme, elsewhere));
    for (const path of broken) {
      await store(path, 'broken');
      await database.run(spoil, { id: path });
    }
    api.advance(1);
    const next = await newRepository();
    await store(next, 'next');
    await expect(loop.begin()).rejects.toThrow('JSON');
    await loop.settled();
    expect(statesAt(next)).toEqual(['next']);
    for (const path of broken) await database.transaction((tx) => statuses.clear(tx, path));
    await elsewhere.stop();
  });

  test('a receiver that does not respond delays no other receiver and no other organization', async () => {
    const [slow, slower] = [await startReceiver(), await startReceiver()];
    const held: ServerResponse[] = [];
    for (const one of [slow, slower]) one.answer = (_received, response) => void held.push(response);
    for (let i = 0; i < 3; i++) await store(await newRepository(acme, slow), 'held');
    const quick = await newRepository();
    await store(quick, 'quick');
    await loop.begin();
    await expect.poll(() => statesAt(quick), POLL).toEqual(['quick']);
    await expect.poll(() => slow.received.length, { ...POLL, message: 'requests to one receiver' }).toBe(2);
    for (let i = 0; i < 3; i++) await store(await newRepository(acme, slower), 'held');
    const [waits, other] = [await newRepository(), await newRepository((await newOrganization(api)).name)];
    await store(waits, 'waits');
    await store(other, 'other');
    await expect.poll(() => loop.begin().then(() => statesAt(other)), POLL).toEqual(['other']);
    await expect.poll(() => held.length, { ...POLL, message: 'requests of one organization' }).toBe(4);
    expect(statesAt(waits)).toEqual([]);
    for (const one of [slow, slower]) one.answer = (_received, response) => void response.end();
    for (const response of held) response.end();
    await loop.settled();
    await deliver();
    expect(statesAt(waits)).toEqual(['waits']);
    expect(slow.received.length + slower.received.length).toBe(6);
    await slow.stop();
    await slower.stop();
  });

  test('two nodes that find the same messages at once send each of them once', async () => {
    const options = { allowedAddresses: ['127.0.0.1'], authorities: [receiver.ca] };
    const other = new Delivery({ database, clock: api.now, report }, options);
    const loops = [loop, other.add(statusQueue(other.sender('x-signature'), 'other'))];
    const paths: string[] = [];
    for (let i = 0; i < 8; i++) paths.push(await newRepository());
    await Promise.all(paths.map((path) => store(path, '1', '2')));
    for (let round = 0; round < 10; round++) {
      await Promise.all(loops.map((one) => one.begin()));
      await Promise.all(loops.map((one) => one.settled()));
    }
    for (const path of paths) expect(statesAt(path)).toEqual(['1', '2']);
  });

  test('two processes send each message once, in the order of its row', async () => {
    await Promise.all([startNode('a'), startNode('b')]);
    const senders = new Set<unknown>();
    const held: (() => void)[] = [];
    // Holds the first responses until both processes send.
    receiver.answer = ({ headers }, response) => {
      held.push(() => response.end());
      if (senders.add(headers['x-node']).size === 2) for (const answer of held.splice(0)) answer();
    };
    const states = ['1', '2', '3', '4', '5'];
    const paths: string[] = [];
    for (let i = 0; i < 8; i++) paths.push(await newRepository());
    await Promise.all(paths.map((path) => store(path, ...states)));
    await expect.poll(async () => (await pending())?.pending, POLL).toBe(0);
    expect([...senders].toSorted()).toEqual(['a', 'b']);
    for (const path of paths) expect(statesAt(path)).toEqual(states);
  });

  test('a message that a killed process had claimed is sent by another when the claim expires', async () => {
    const path = await newRepository();
    receiver.answer = () => {};
    const killed = await startNode('killed');
    await store(path, 'first', 'second');
    await expect.poll(() => statesAt(path), POLL).toEqual(['first']);
    killed.kill('SIGKILL');
    receiver.answer = (_received, response) => void response.end();
    await deliver();
    expect(statesAt(path), 'the claim has not expired').toEqual(['first']);
    await startNode('heir', LEASE);
    await expect.poll(() => statesAt(path), POLL).toEqual(['first', 'first', 'second']);
    const senders = receiver.at(path).map(({ headers }: Received) => headers['x-node']);
    expect(senders).toEqual(['killed', 'heir', 'heir']);
    await expect.poll(() => resultOf(path), POLL).toBe('delivered 200');
  });
});
