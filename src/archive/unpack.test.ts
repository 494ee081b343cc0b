import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { Header, type HeaderData, Pax } from 'tar';
import { describe, expect, test } from 'vitest';
import { checkedArchive } from './check.ts';
import { packFiles } from './pack-files.ts';
import { ArchiveProblem } from './problem.ts';
import { unpack } from './unpack.ts';

const never = new AbortController().signal;
const BOUNDS = {
  ...{ packedBytes: 100_000, bytes: 1_000_000, entries: 10, depth: 5 },
  ...{ mayLeadOut: false, advice: 'Send a tar.gz archive' },
};
type Bytes = AsyncIterable<Uint8Array>;

/** Builds an archive with entries that no tool would write. `pax` is an extended header before the entry. */
function archive(...entries: (HeaderData & { text?: string; pax?: HeaderData })[]): Buffer {
  const parts = entries.flatMap(({ text = '', pax, ...data }) => {
    const header = new Header({ mode: 0o644, size: text.length, type: 'File', ...data });
    header.encode();
    const extended = pax === undefined ? [] : [new Pax(pax).encode()];
    return [
      ...extended,
      header.block ?? Buffer.alloc(0),
      Buffer.from(text),
      Buffer.alloc((512 - (text.length % 512)) % 512),
    ];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]));
}

async function unpacked(bytes: Bytes, bounds = BOUNDS, signal = never): Promise<string> {
  const outer = mkdtempSync(join(tmpdir(), 'unpack-'));
  const into = join(outer, 'in');
  mkdirSync(into);
  try {
    await unpack(bytes, into, bounds, signal);
    return into;
  } finally {
    expect(readdirSync(outer), 'nothing next to the folder').toEqual(['in']);
  }
}

test('files, folders and links that stay inside', async () => {
  const into = await unpacked(
    bytesOf(
      archive(
        { path: './', type: 'Directory' },
        { path: './a/main.tf', text: 'x = 1', mode: 0o755 },
        { path: 'a/b/up', type: 'SymbolicLink', linkpath: '../main.tf' },
        { path: 'a/hard', type: 'Link', linkpath: 'a/main.tf' },
        { path: 'a/twice', text: 'first' },
        { path: 'a/twice', text: 'second' },
        { path: 'a/b/up', text: 'no link any more' },
      ),
    ),
  );
  expect(readFileSync(join(into, 'a/main.tf'), 'utf8')).toBe('x = 1');
  expect(lstatSync(join(into, 'a/main.tf')).mode & 0o777).toBe(0o755);
  expect(readFileSync(join(into, 'a/hard'), 'utf8')).toBe('x = 1');
  expect(readFileSync(join(into, 'a/twice'), 'utf8')).toBe('second');
  expect(readFileSync(join(into, 'a/b/up'), 'utf8')).toBe('no link any more');
});

test('long names and many folders', async () => {
  const name = `${'folder-with-a-long-name/'.repeat(12)}main.tf`;
  const into = await unpacked(bytesOf(packFiles([{ name, content: 'x' }])), { ...BOUNDS, entries: 13, depth: 13 });
  expect(readFileSync(join(into, name), 'utf8')).toBe('x');
});

describe('is refused with a reason', () => {
  const linkTo = (linkpath: string) => ({ path: 'l', type: 'SymbolicLink' as const, linkpath });
  test.each<[string, Buffer, RegExp]>([
    ['an absolute name', archive({ path: '/etc/x', text: 'x' }), /"\/etc\/x" is an absolute name/],
    ['a name that leads out of the folder', archive({ path: 'a/../../x', text: 'x' }), /(points|is) outside of it/],
    ['an absolute link', archive(linkTo('/etc/passwd')), /the link "l" points outside of it, to "\/etc\/passwd"/],
    ['a link that leads out of the folder', archive(linkTo('a/../../x')), /(points|is) outside of it/],
    [
      'links that lead out of the folder together',
      archive(
        { path: 'd/e/s', type: 'SymbolicLink', linkpath: '../..' },
        { path: 'd/e/m', type: 'SymbolicLink', linkpath: 's/../..' },
      ),
      /the link "d\/e\/m" points outside/,
    ],
    ['a file behind a link', archive(linkTo('d'), { path: 'l/x', text: 'x' }), /"l\/x" is behind a link/],
    ['a folder that is a link', archive(linkTo('d'), { path: 'l', type: 'Directory' }), /a link and a folder/],
    [
      'a hard link to a file outside',
      archive({ path: 'h', type: 'Link', linkpath: '../x' }),
      /(points|is) outside of it/,
    ],
    [
      'a hard link to a missing file',
      archive({ path: 'h', type: 'Link', linkpath: 'x' }),
      /not an earlier file of the archive/,
    ],
    ['a hard link to a link', archive(linkTo('d'), { path: 'h', type: 'Link', linkpath: 'l' }), /link to a link/],
    [
      'a hard link to a folder',
      archive({ path: 'd', type: 'Directory' }, { path: 'h', type: 'Link', linkpath: 'd' }),
      /not an earlier file/,
    ],
    ['an absolute hard link', archive({ path: 'h', type: 'Link', linkpath: '/etc/passwd' }), /is an absolute name/],
    ['an absolute name in an extended header', archive({ path: 'a', pax: { path: '/etc/x' } }), /is an absolute name/],
    [
      'a name in an extended header that leads out',
      archive({ path: 'a', pax: { path: 'b/../../x' } }),
      /is outside of it/,
    ],
    [
      'a link in an extended header that leads out',
      archive({ ...linkTo('inside'), pax: { linkpath: '../../etc' } }),
      /the link "l" points outside of it/,
    ],
    ['a link that is replaced by a folder', archive(linkTo('.'), { path: 'l/d', type: 'Directory' }), /behind a link/],
    ['a link to nowhere', archive({ ...linkTo('x'), pax: { linkpath: '\0' } }), /points outside of it|not a complete/],
    ['a long part of a name', archive({ path: 'a', pax: { path: 'n'.repeat(256) } }), /a part of more than 255 bytes/],
    ['a long name', archive({ path: 'a', pax: { path: 'name/'.repeat(300) } }), /a name of more than 1024 characters/],
    ['many folders in one another', archive({ path: 'a/b/c/d/e/f' }), /"a\/b\/c\/d\/e\/f" is more than 5 levels deep/],
    ['a device', archive({ path: 'd', type: 'CharacterDevice', devmaj: 1, devmin: 3 }), /neither a file/],
    ['a pipe', archive({ path: 'p', type: 'FIFO' }), /neither a file, a folder nor a link/],
    ['too many files', archive(...Array.from({ length: 11 }, (_, n) => ({ path: `${n}` }))), /more than 10 files/],
    ['a bomb', gzipSync(Buffer.alloc(20_000_000)), /unpacks to more than 1000000 bytes|not a complete/],
    ['a file that replaces the root', archive({ path: '.', text: 'x' }), /root is not a folder/],
    [
      'a file with a huge declared size',
      archive({ path: 'x', size: 8_000_000_000, text: '' }),
      /unpacks to more than 1000000/,
    ],
    ['a name of one megabyte', gzipSync(longName(1_500_000)), /cannot be read|characters/],
    [
      'a file inside a file',
      archive({ path: 'a', text: 'x' }, { path: 'a/b', text: 'x' }),
      /is in "a", which is a file/,
    ],
    ['text', Buffer.from('resource "x" "y" {}'), /it is not a tar\.gz archive\. Send a tar\.gz archive/],
    ['nothing', Buffer.alloc(0), /it is empty/],
    [
      'half an archive',
      archive({ path: 'x', text: 'x'.repeat(9000) }).subarray(0, 60),
      /not a complete tar\.gz archive/,
    ],
    ['a tar without gzip', gzipSync(Buffer.alloc(5000, 'x')), /not a complete tar\.gz archive/],
  ])('%s', async (_, bytes, reason) => {
    const refused = unpacked(bytesOf(bytes));
    await expect(refused).rejects.toThrow(ArchiveProblem);
    await expect(refused).rejects.toThrow(reason);
    await expect(checked(bytesOf(bytes)), 'the check refuses it too').rejects.toThrow(reason);
  });

  test('a stream that never ends', async () => {
    await expect(unpacked(endless(gzipSync(Buffer.alloc(0))))).rejects.toThrow(/larger than 100000 bytes/);
    const header = Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]), Buffer.alloc(1000, 'x')]);
    await expect(unpacked(endless(header, Buffer.alloc(1000, 'x')))).rejects.toThrow(/larger than 100000 bytes/);
  });

  test('a stream that stalls, when the job is stopped', async () => {
    const stop = new AbortController();
    const stalled = async function* (): Bytes {
      yield archive({ path: 'x', text: 'x' }).subarray(0, 20);
      stop.abort(new Error('stopped'));
      await new Promise(() => {});
    };
    await expect(unpacked(stalled(), BOUNDS, stop.signal)).rejects.toThrow('stopped');
  });
});

test('links may lead out if the bounds say so, and nothing is written through them', async () => {
  const bounds = { ...BOUNDS, mayLeadOut: true };
  const link = { path: 'l', type: 'SymbolicLink' as const, linkpath: '/nonexistent' };
  const into = await unpacked(bytesOf(archive(link)), bounds);
  expect(readlinkSync(join(into, 'l'))).toBe('/nonexistent');
  await expect(unpacked(bytesOf(archive(link, { path: 'l/x', text: 'x' })), bounds)).rejects.toThrow('behind a link');
  expect(existsSync('/nonexistent')).toBe(false);
});

test('an archive that may be unpacked passes the check unchanged', async () => {
  const bytes = packFiles([{ name: 'a/main.tf', content: 'x = 1' }]);
  expect(await checked(bytesOf(bytes))).toEqual(bytes);
});

async function checked(bytes: Bytes): Promise<Buffer> {
  return await buffer(checkedArchive(bytes, BOUNDS));
}

async function* bytesOf(bytes: Uint8Array): Bytes {
  yield bytes;
}

function longName(length: number): Buffer {
  const header = new Header({ path: '././@LongLink', size: length, type: 'NextFileHasLongPath', mode: 0o644 });
  header.encode();
  const file = new Header({ path: 'x', size: 0, type: 'File', mode: 0o644 });
  file.encode();
  const name = Buffer.alloc(Math.ceil(length / 512) * 512, 'n');
  return Buffer.concat([header.block ?? Buffer.alloc(0), name, file.block ?? Buffer.alloc(0), Buffer.alloc(1024)]);
}

async function* endless(...pieces: Buffer[]): Bytes {
  for (let n = 0; ; n++) yield pieces[Math.min(n, pieces.length - 1)] ?? Buffer.alloc(0);
}
