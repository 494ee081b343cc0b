import { expect, it } from 'vitest';
import { SinkSpaces } from './sink-spaces.ts';

const MIB = 1_048_576;
const sink = (name: string) => ({ name, metrics: { folder: name } });

it('tells of all sinks but of one whose disk hangs, and looks at that once', async () => {
  const looked: string[] = [];
  const hung = Promise.withResolvers<{ bavail: number; bsize: number }>();
  const spaces = new SinkSpaces([sink('file'), sink('file-2'), { name: 'stdout', metrics: undefined }], (folder) => {
    looked.push(folder);
    return folder === 'file' ? hung.promise : Promise.resolve({ bavail: 12, bsize: MIB });
  });
  expect(await Promise.all([spaces.now(), spaces.low()])).toEqual([
    [{ name: 'file-2', bytes: 12 * MIB }],
    ['file-2: 12 MiB are free'],
  ]);
  await spaces.now();
  expect(looked.filter((folder) => folder === 'file')).toHaveLength(1);
  hung.resolve({ bavail: 500, bsize: MIB });
  await expect.poll(() => spaces.now()).toContainEqual({ name: 'file', bytes: 500 * MIB });
});

it('says nothing of a folder that is gone', async () => {
  expect(await new SinkSpaces([sink('/nowhere/at/all')]).now()).toEqual([]);
});
