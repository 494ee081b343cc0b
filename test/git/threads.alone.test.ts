import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Misbehaviour } from '../support/git-server.ts';
import { ADVERTISEMENT, commands, commitOf, idOf, packet, packOf, packResponse, treeOf } from './support/packs.ts';
import { type Remotes, startRemotes } from './support/remotes.ts';

/** Limits of threads, low enough for a test. */
const LIMITS = {
  ...{ heapMb: 256, answerMs: 120_000, jobMs: 300_000, idleMs: 60_000, waiting: 10 },
  pace: { silenceMs: 30_000, graceMs: 30_000, bytesPerSecond: 1_000 },
};

const plain = commitOf(idOf('tree', treeOf([])));
let remotes: Remotes;
let number = 0;
beforeAll(async () => {
  remotes = await startRemotes(LIMITS);
});
afterAll(() => remotes.stop());

describe('a slow or broken thread', () => {
  it('ends a server that sends too slowly, or stops sending', async () => {
    const own = await startRemotes({ ...LIMITS, pace: { silenceMs: 1_000, graceMs: 300, bytesPerSecond: 1_000 } });
    const drip: Misbehaviour = (request, response) => {
      request.resume();
      if (request.method === 'GET') response.end(ADVERTISEMENT);
      // The length of a long packet, whose content comes byte by byte.
      else response.write('fff0');
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    };
    own.server.misbehave = drip;
    const slow = { kind: 'unreachable', message: 'The Git server responds too slowly.' };
    await expect(own.open({ url: `${own.server.address}/a.git` }).commit(plain.id)).rejects.toMatchObject(slow);
    await expect(own.open({ url: `${own.server.address}/a.git` }).refs(['refs/'])).rejects.toMatchObject(slow);
    own.server.misbehave = (request) => void request.resume();
    await expect(own.open({ url: `${own.server.address}/b.git` }).refs(['refs/'])).rejects.toMatchObject(slow);
    await own.stop();
  });

  it('does not keep other owners waiting', async () => {
    const repository = await remotes.server.createRepository('honest.git');
    const before = await repository.commit({ a: '1' });
    const after = await repository.commit({ b: '1' });
    const held: ServerResponse[] = [];
    remotes.server.misbehave = (request, response, next) => {
      if (!request.url?.includes('hostile')) return next();
      if (request.method === 'GET') return void response.end(ADVERTISEMENT);
      // Never ends.
      held.push(response);
      response.write(packet('packfile\n'));
    };
    const attacks = Array.from({ length: 4 }, () => {
      const url = `${remotes.server.address}/hostile-${++number}.git`;
      return remotes
        .open({ url }, { owner: 'org-hostile' })
        .commit(plain.id)
        .catch((error: Error) => error);
    });
    await expect.poll(() => held).toHaveLength(1);
    for (let round = 0; round < 3; round++) {
      const changed = await remotes.open(repository, { owner: 'org-honest' }).changedFiles(before, after);
      expect(changed).toEqual(['b']);
    }
    // The other attacks wait for the first one.
    expect(held).toHaveLength(1);
    remotes.server.misbehave = commands((response) => response.destroy());
    held[0]?.destroy();
    for (const error of await Promise.all(attacks)) expect(error).toMatchObject({ kind: 'unreachable' });
  });

  it('that uses up its memory, or takes too long, ends only its own job', async () => {
    const own = await startRemotes({ ...LIMITS, heapMb: 16 });
    const repository = await own.server.createRepository('small.git');
    const id = await repository.commit({ a: '1' });
    const file = idOf('blob', Buffer.from('x'));
    const names = Array.from({ length: 200_000 }, (_, at) => ['100644', `${at}`.padStart(60, 'n'), file] as const);
    const content = treeOf(names);
    const top = commitOf(idOf('tree', content));
    const pack = packOf([
      { type: 'commit', content: top.content },
      { type: 'tree', content },
    ]);
    own.server.misbehave = (request, response, next) => {
      if (!request.url?.includes('large')) next();
      else commands((answer) => answer.end(packResponse(pack)))(request, response, next);
    };
    const [large, small] = await Promise.allSettled([
      own.open({ url: `${own.server.address}/large.git` }).folders(top.id),
      own.open(repository, { owner: 'org-2' }).commit(id),
    ]);
    expect(large).toMatchObject({ reason: { kind: 'limit', message: expect.stringContaining('too much memory') } });
    expect(small).toMatchObject({ value: { id } });
    expect(own.reported).toHaveLength(1);
    expect((await own.open(repository).commit(id)).id).toBe(id);
    await own.stop();
    const short = await startRemotes({ ...LIMITS, answerMs: 1 });
    const other = await short.server.createRepository('other.git');
    const tooLong = { kind: 'limit', message: expect.stringContaining('too long') };
    await expect(short.open(other).commit(await other.commit())).rejects.toMatchObject(tooLong);
    await short.stop();
  });

  it('fails jobs when the server stops, and refuses more than may wait', async () => {
    const own = await startRemotes({ ...LIMITS, waiting: 2 });
    own.server.misbehave = commands((response) => response.write('0'));
    const open = () => own.open({ url: `${own.server.address}/${++number}.git` }).commit(plain.id);
    const jobs = Array.from({ length: 6 }, () => open().catch((error: Error) => error.message));
    await expect.poll(() => own.server.requests.length).toBeGreaterThanOrEqual(7);
    await sleep(0);
    own.threads.stop();
    const messages = await Promise.all(jobs);
    expect(messages.filter((message) => String(message).includes('Too many repositories'))).toHaveLength(3);
    expect(messages.filter((message) => String(message).includes('The server stops.'))).toHaveLength(3);
    await own.stop();
  });
});
