import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { GIT_BOUNDS } from '../../src/git/bounds.ts';
import type { GitErrorKind } from '../../src/git/index.ts';
import type { Misbehaviour } from '../support/git-server.ts';
import {
  commands,
  commitOf,
  deltaSize,
  idOf,
  type PackedObject,
  packedObject,
  packet,
  packOf,
  packResponse,
  treeOf,
  writeForever,
} from './support/packs.ts';
import { type Remotes, startRemotes } from './support/remotes.ts';

/** Limits of threads, low enough for a test. */
const LIMITS = {
  ...{ heapMb: 256, answerMs: 120_000, jobMs: 300_000, idleMs: 60_000, waiting: 10 },
  pace: { silenceMs: 30_000, graceMs: 30_000, bytesPerSecond: 1_000 },
};
/** Memory that a hostile response may take in this process, in addition to a thread and the limits of a pack. */
const MOST_MEMORY = 400_000_000;

let remotes: Remotes;
let number = 0;
beforeAll(async () => {
  remotes = await startRemotes(LIMITS);
});
afterAll(() => remotes.stop());
afterEach(() => {
  remotes.server.misbehave = undefined;
});

const empty = treeOf([]);
const plain = commitOf(idOf('tree', empty));
const blobOf = (text: string): PackedObject => ({ type: 'blob', content: Buffer.from(text) });
const [tree, commit] = [{ type: 'tree', content: empty } as const, { type: 'commit', content: plain.content } as const];

/** Opens a repository of its own, so that nothing is remembered of another one. */
function openHostile(misbehave: Misbehaviour, bounds = {}) {
  remotes.server.misbehave = misbehave;
  const url = `${remotes.server.address}/hostile-${++number}.git`;
  return remotes.open({ url }, { bounds: { ...GIT_BOUNDS, ...bounds } });
}

/** Opens a repository that sends this pack. */
const openPack = (pack: Uint8Array, bounds = {}) =>
  openHostile(
    commands((response) => response.end(packResponse(pack))),
    bounds,
  );

async function expectRefused(work: Promise<unknown>, kind: GitErrorKind, message: string): Promise<void> {
  await expect(work).rejects.toMatchObject({ name: 'GitError', kind, message: expect.stringContaining(message) });
  expect(remotes.reported).toEqual([]);
}

/** Returns by how much the memory of this process grows at most, bytes. */
async function memoryOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const looking = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  try {
    await work();
  } finally {
    clearInterval(looking);
  }
  return Math.max(most, process.memoryUsage.rss()) - before;
}

describe('a server that is none', () => {
  const start =
    (body: string | Uint8Array): Misbehaviour =>
    (request, response) => {
      request.resume();
      response.end(body);
    };

  it.each([
    ['a web page', '<!DOCTYPE html><html><body>Log in</body></html>', 'unsupported', 'web page'],
    ['dumb HTTP', `${'a'.repeat(40)}\trefs/heads/main\n`, 'unsupported', 'dumb HTTP'],
    [
      'protocol version 0',
      Buffer.concat([packet('# service=git-upload-pack\n'), Buffer.from('0000')]),
      'unsupported',
      'version 2',
    ],
    ['nothing', '', 'unsupported', 'version 2'],
    ['garbage', Buffer.alloc(10_000_000, 0xa5), 'invalid', 'something else than packets'],
    ['gzip without a header', gzipSync('x'), 'invalid', 'something else than packets'],
    ['an error', packet('ERR Repository not found\u0007\n'), 'gone', '"Repository not found"'],
  ] as const)('is refused: %s', async (_name, body, kind, message) => {
    await expectRefused(openHostile(start(body)).refs(['refs/']), kind, message);
    await expectRefused(openHostile(start(body)).commit(plain.id), kind, message);
  });

  it('is refused with SHA-256', async () => {
    const repository = await remotes.server.createRepository('sha256.git', { format: 'sha256' });
    await repository.commit({ a: '1' });
    await expectRefused(remotes.open(repository).refs(['refs/']), 'unsupported', 'sha256');
  });

  it('is refused with endless capabilities', async () => {
    const endless: Misbehaviour = (_request, response) => {
      response.write(packet('version 2\n'));
      writeForever(response, packet('x'.repeat(1_000)));
    };
    await expectRefused(openHostile(endless).refs(['refs/']), 'limit', 'more than 65536 bytes');
  });
});

describe('a hostile list of refs', () => {
  it.each([
    ['a web page', '<html>', 'invalid', 'web page'],
    ['garbage', Buffer.alloc(10_000_000, 0x5a), 'invalid', 'something else than packets'],
    ['other lines', packet('x y z\n'), 'invalid', 'cannot be read'],
    ['empty packets', '0004'.repeat(100_000), 'invalid', 'cannot be read'],
    ['empty sections', '0001'.repeat(100_000), 'invalid', 'cannot be read'],
    ['a short list without an end', packet(`${'a'.repeat(40)} refs/heads/a\n`), 'unreachable', 'ended too early'],
  ] as const)('is refused: %s', async (_name, body, kind, message) => {
    const remote = openHostile(commands((response) => response.end(body)));
    await expectRefused(remote.refs(['refs/']), kind, message);
  });

  it('is refused above 100,000 refs, in little memory', async () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => packet(`${'a'.repeat(40)} refs/heads/branch-${at}\n`));
    const chunk = Buffer.concat(lines);
    const remote = openHostile(commands((response) => writeForever(response, chunk)));
    const memory = await memoryOf(() => expectRefused(remote.refs(['refs/']), 'limit', 'more than 100000 refs'));
    expect(memory).toBeLessThan(MOST_MEMORY);
  });
});

describe('a hostile pack', () => {
  const whole = packOf([commit, tree]);

  it('is read if it is not hostile', async () => {
    expect(await openPack(whole).folders(plain.id)).toEqual([]);
    expect((await openPack(whole).commit(plain.id)).id).toBe(plain.id);
  });

  const response = packResponse(whole);
  it.each([
    ['cut off within a packet', response.subarray(0, response.length - 30), 'unreachable', 'ended too early'],
    ['without an end', response.subarray(0, -4), 'unreachable', 'ended too early'],
    ['half a pack in whole packets', packResponse(whole.subarray(0, 40)), 'invalid', 'cannot be read'],
    ['no pack', Buffer.from('0000'), 'invalid', 'no pack'],
    ['garbage in packets', packResponse(Buffer.alloc(100_000, 1)), 'invalid', 'cannot be read'],
    [
      'an error in the side band',
      Buffer.concat([packet('packfile\n'), packet('\u0003out of memory\n')]),
      'unreachable',
      'out of memory',
    ],
    ['an error packet', packet('ERR access denied\n'), 'refused', 'access denied'],
  ] as const)('is refused: %s', async (_name, body, kind, message) => {
    const remote = openHostile(commands((answer) => answer.end(body)));
    await expectRefused(remote.changedFiles(plain.id, 'b'.repeat(40)), kind, message);
  });

  const copyAll = (size: number) => Buffer.from([...deltaSize(size), ...deltaSize(size), 0x90, size]);
  const base = Buffer.from('0123456789');
  /** Deltas, each based on the one before it. */
  const chainOf = (length: number) => {
    const delta: PackedObject = { type: 'offset-delta', content: copyAll(10), base: 0 };
    const objects: PackedObject[] = [{ type: 'blob', content: base }];
    let distance = packedObject({ type: 'blob', content: base }).length;
    for (let at = 0; at < length; at++) {
      objects.push({ ...delta, base: distance });
      distance = packedObject({ ...delta, base: distance }).length;
    }
    return packOf([...objects, commit, tree]);
  };

  it.each([
    ['wrong ids', packOf([blobOf('x')]), 'invalid', 'did not send the commit'],
    ['a missing tree', packOf([commit]), 'invalid', 'did not send the folder'],
    ['4 billion objects', packOf([commit], 0xffffffff), 'limit', 'more than 1000000 objects'],
    ['a million objects that are not there', packOf([commit], 1_000_000), 'invalid', 'cannot be read'],
    ['an object of 4 GiB', packOf([{ ...blobOf('x'), size: 2 ** 32 }]), 'limit', 'more than 67108864 bytes'],
    ['an object of 2^60 bytes', packOf([{ ...blobOf('x'), size: 2 ** 52 }]), 'invalid', 'cannot be read'],
    [
      'a bomb in a small object',
      packOf([{ type: 'blob', content: Buffer.alloc(50_000_000), size: 10 }]),
      'invalid',
      'cannot be read',
    ],
    ['a short object', packOf([{ ...blobOf('x'), size: 10 }]), 'invalid', 'cannot be read'],
    [
      'a delta that makes 4 GiB of 20 bytes',
      packOf([
        { type: 'blob', content: base },
        {
          type: 'id-delta',
          content: Buffer.from([...deltaSize(10), ...deltaSize(2 ** 32), 0x90, 10]),
          base: idOf('blob', base),
        },
      ]),
      'limit',
      'more than 67108864 bytes',
    ],
    [
      'a delta that copies behind its base',
      packOf([
        { type: 'blob', content: base },
        {
          type: 'id-delta',
          content: Buffer.from([...deltaSize(10), ...deltaSize(99), 0x90, 99]),
          base: idOf('blob', base),
        },
      ]),
      'invalid',
      'cannot be read',
    ],
    [
      'a delta that writes too little',
      packOf([
        { type: 'blob', content: base },
        {
          type: 'id-delta',
          content: Buffer.from([...deltaSize(10), ...deltaSize(9), 0x90, 5]),
          base: idOf('blob', base),
        },
      ]),
      'invalid',
      'cannot be read',
    ],
    [
      'a delta of itself',
      packOf([{ type: 'offset-delta', content: copyAll(10), base: 0 }]),
      'invalid',
      'cannot be read',
    ],
    [
      'a base before the pack',
      packOf([{ type: 'offset-delta', content: copyAll(10), base: 9_999 }]),
      'invalid',
      'cannot be read',
    ],
    [
      'deltas whose bases are missing',
      packOf([1, 2, 3].map((at) => ({ type: 'id-delta', content: copyAll(10), base: `${at}`.repeat(40) }))),
      'invalid',
      'cannot be read',
    ],
    ['a chain of 51 deltas', chainOf(51), 'limit', 'more than 50 deltas'],
  ] as const)('is refused in little memory: %s', async (_name, pack, kind, message) => {
    const memory = await memoryOf(() => expectRefused(openPack(pack).folders(plain.id), kind, message));
    expect(memory).toBeLessThan(MOST_MEMORY);
  });

  it('may have a chain of 50 deltas, and bases behind their deltas', async () => {
    expect(await openPack(chainOf(50)).folders(plain.id)).toEqual([]);
    const late = packOf([
      { type: 'id-delta', content: copyAll(10), base: idOf('blob', base) },
      ...[{ type: 'blob', content: base } as const, commit, tree],
    ]);
    expect(await openPack(late).folders(plain.id)).toEqual([]);
  });

  it('is refused if it unpacks to too much', async () => {
    const zeros = Array.from({ length: 60 }, () => ({ type: 'blob', content: Buffer.alloc(2_000_000) }) as const);
    const remote = openPack(packOf(zeros), { inflatedBytes: 100_000_000 });
    await expectRefused(remote.folders(plain.id), 'limit', 'more than 100000000 bytes when it is unpacked');
  });

  it.each([
    ['data', packet(Buffer.concat([Buffer.from([1]), Buffer.alloc(60_000)])), 'a pack of more than 1000000 bytes'],
    ['progress', packet(Buffer.concat([Buffer.from([2]), Buffer.alloc(60_000)])), 'in one response'],
    ['sections', Buffer.from('0001'.repeat(10_000)), 'in one response'],
  ])('is refused if it has no end: %s', async (_name, chunk, message) => {
    const remote = openHostile(
      commands((answer) => {
        answer.write(packet('packfile\n'));
        writeForever(answer, chunk);
      }),
      { packBytes: 1_000_000 },
    );
    const memory = await memoryOf(() => expectRefused(remote.folders(plain.id), 'limit', message));
    expect(memory).toBeLessThan(MOST_MEMORY);
  });
});

describe('a hostile tree', () => {
  /** Returns a commit whose tree is nested, and its pack. */
  function nested(levels: number, entries: number) {
    const objects: PackedObject[] = [{ type: 'tree', content: empty }];
    let id = idOf('tree', empty);
    for (let level = 0; level < levels; level++) {
      const below = id;
      const content = treeOf(Array.from({ length: entries }, (_, at) => ['40000', `d${at}`, below] as const));
      objects.push({ type: 'tree', content });
      id = idOf('tree', content);
    }
    const top = commitOf(id);
    return { id: top.id, pack: packOf([{ type: 'commit', content: top.content }, ...objects]) };
  }

  it('of 20,000 levels is refused', async () => {
    const { id, pack } = nested(20_000, 1);
    await expectRefused(openPack(pack).folders(id), 'limit', 'more than 100 nested folders');
  });

  it('that has a folder at a billion places is refused', async () => {
    const { id, pack } = nested(9, 10);
    expect(pack.length).toBeLessThan(10_000);
    const work = async () => {
      await expectRefused(openPack(pack, { paths: 100_000 }).folders(id), 'limit', 'more than 100000 folders');
      const archive = openPack(pack, { paths: 100_000 }).archive(id, { submodules: false });
      await expectRefused(read(archive), 'limit', 'more than 100000 folders');
    };
    expect(await memoryOf(work)).toBeLessThan(MOST_MEMORY);
  });

  const file = idOf('blob', Buffer.from('x'));
  it.each([
    [
      'two entries of one name',
      treeOf([
        ['100644', 'a', file],
        ['40000', 'a', idOf('tree', empty)],
      ]),
    ],
    ['a name with a slash', treeOf([['100644', 'a/b', file]])],
    ['an empty name', treeOf([['100644', '', file]])],
    ['an unknown mode', treeOf([['60000', 'a', file]])],
    ['a mode that is no number', treeOf([['10064x', 'a', file]])],
    ['half an entry', treeOf([['100644', 'a', file]]).subarray(0, 20)],
  ])('is refused: %s', async (_name, content) => {
    const top = commitOf(idOf('tree', content));
    const pack = packOf([{ type: 'commit', content: top.content }, { type: 'tree', content }, blobOf('x'), tree]);
    await expectRefused(openPack(pack).folders(top.id), 'invalid', 'tree that cannot be read');
  });
});

async function read(archive: Promise<{ readonly bytes: AsyncIterable<Uint8Array> }>): Promise<void> {
  for await (const chunk of (await archive).bytes) expect(chunk.length).toBeGreaterThan(0);
}
