import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { archive } from '../../test/support/samples/archive.ts';
import { findFile } from './find-file.ts';

const BOUNDS = {
  ...{ packedBytes: 1_000_000, bytes: 1_000_000, entries: 100, depth: 10 },
  ...{ mayLeadOut: false, advice: 'Send another.' },
};
const read = async (files: Readonly<Record<string, string>>, names: string[], maxBytes = 1000) => {
  const found = await findFile(Readable.from([archive(files)]), names, BOUNDS, maxBytes);
  return found && Buffer.from(found).toString();
};

describe('a file in an archive', () => {
  test('is the first of the names, wherever it stands', async () => {
    const files = { 'README.md': 'root', 'infra/README.md': 'infra', 'x.tf': '' };
    expect(await read(files, ['infra/README.md', 'README.md'])).toBe('infra');
    expect(await read(files, ['README.md', 'infra/README.md'])).toBe('root');
    expect(await read(files, ['apps/README.md', 'README.md'])).toBe('root');
    expect(await read({ './README.md': 'dot' }, ['README.md'])).toBe('dot');
    expect(await read(files, ['readme.md'])).toBeUndefined();
  });

  test('is read up to its bound, and only that', async () => {
    expect(await read({ 'README.md': 'x'.repeat(900), 'a.tf': 'y' }, ['README.md'], 10)).toBe('x'.repeat(10));
    expect(await read({ 'README.md': '' }, ['README.md'])).toBe('');
  });

  test('is not looked for in an archive that cannot be unpacked', async () => {
    await expect(read({ '../README.md': 'out' }, ['README.md'])).rejects.toThrow('outside of it');
    await expect(findFile(Readable.from([Buffer.from('no archive')]), ['a'], BOUNDS, 10)).rejects.toThrow(
      'not a tar.gz',
    );
  });
});
