import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import { GroupSync } from './group-sync.ts';

/** A disk that syncs when the test releases it. */
let syncs: PromiseWithResolvers<void>[];
let observed: string[];
let reported: unknown[];
let group: GroupSync;

beforeEach(() => {
  syncs = [];
  observed = [];
  reported = [];
  group = new GroupSync(
    () => {
      const sync = Promise.withResolvers<void>();
      syncs.push(sync);
      return sync.promise;
    },
    { syncBegins: () => observed.push('begins'), syncEnds: () => observed.push('ends') },
    (error) => reported.push(error),
  );
});

/** Commits, and records in `done` when the commit is durable. */
function commit(done: string[], name: string): Promise<void> {
  group.committed();
  return group.durable().then(
    () => void done.push(name),
    (error: AppError) => void done.push(`${name} ${error.kind}`),
  );
}

describe('a group sync', () => {
  it('resolves at once if nothing waits', async () => {
    await group.durable();
    expect(syncs).toHaveLength(0);
  });

  it('serves all commits of one turn with one sync', async () => {
    const done: string[] = [];
    const commits = ['a', 'b', 'c'].map((name) => commit(done, name));
    await nextTurn();
    expect(done).toEqual([]);
    syncs[0]?.resolve();
    await Promise.all(commits);
    expect(done).toEqual(['a', 'b', 'c']);
    expect(syncs).toHaveLength(1);
    expect(observed).toEqual(['begins', 'ends']);
  });

  it('makes commits during a sync wait for the next one', async () => {
    const done: string[] = [];
    const first = commit(done, 'first');
    await nextTurn();
    const second = commit(done, 'second');
    syncs[0]?.resolve();
    await first;
    const reader = group.durable().then(() => done.push('reader of the second'));
    await nextTurn();
    expect(done).toEqual(['first']);
    syncs[1]?.resolve();
    await Promise.all([second, reader]);
    expect(done).toEqual(['first', 'second', 'reader of the second']);
    expect(observed).toEqual(['begins', 'ends', 'begins', 'ends']);
  });

  it('makes a pure reader wait for the sync that covers its reads', async () => {
    const done: string[] = [];
    const write = commit(done, 'write');
    await nextTurn();
    const read = group.durable().then(() => done.push('read'));
    await nextTurn();
    expect(done).toEqual([]);
    syncs[0]?.resolve();
    await Promise.all([write, read]);
    expect(syncs).toHaveLength(1);
  });

  it('never syncs again after a failure, and rejects all waiting and new commits', async () => {
    const done: string[] = [];
    const first = commit(done, 'first');
    await nextTurn();
    const second = commit(done, 'second');
    syncs[0]?.reject(new Error('EIO'));
    await Promise.all([first, second]);
    await commit(done, 'third');
    await nextTurn();
    expect(done).toEqual(['first unavailable', 'second unavailable', 'third unavailable']);
    expect(() => group.assertWritable()).toThrow(AppError);
    expect(syncs).toHaveLength(1);
    expect(observed).toEqual(['begins']);
    expect(String(reported)).toContain('the disk failed to store a write');
    expect(reported).toHaveLength(1);
  });

  it('ignores a successful sync after a failure was seen elsewhere', async () => {
    const done: string[] = [];
    const waiting = commit(done, 'commit');
    await nextTurn();
    group.fail(new Error('a checkpoint failed'));
    syncs[0]?.resolve();
    await waiting;
    expect(done).toEqual(['commit unavailable']);
    expect(observed).toEqual(['begins']);
  });
});
