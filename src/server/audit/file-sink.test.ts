import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FileSink } from './file-sink.ts';

function sink() {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'audit.log');
  const told: string[] = [];
  return { path, told, out: new FileSink(path, (loss) => told.push(loss)) };
}

test('a file that was removed is noticed, and its last lines are written once more', async () => {
  const { path, told, out } = sink();
  await out.write(['one\n']);
  rmSync(path);
  let n = 0;
  await expect
    .poll(async () => {
      await out.write([`behind-${n++}\n`]);
      return told;
    })
    .toEqual(['removed']);
  const kept = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  expect(kept).toEqual(['one', ...Array.from({ length: n }, (_, i) => `behind-${i}`)]);
  await out.close();
});

test('a file that was moved away keeps its lines, and a new one is begun', async () => {
  const { path, told, out } = sink();
  await out.write(['one\n']);
  renameSync(path, `${path}.1`);
  let n = 0;
  await expect
    .poll(async () => {
      await out.write([`behind-${n++}\n`]);
      return told;
    })
    .toEqual(['moved']);
  await out.write(['last\n']);
  expect(readFileSync(path, 'utf8')).toBe('last\n');
  expect(readFileSync(`${path}.1`, 'utf8').split('\n').filter(Boolean)).toHaveLength(n + 1);
  await out.close();
});

test('one that was removed just before the end is written once more at the end', async () => {
  const { path, told, out } = sink();
  await out.write(['one\n', 'two\n']);
  rmSync(path);
  await out.close();
  expect([told, readFileSync(path, 'utf8')]).toEqual([['removed'], 'one\ntwo\n']);
});

test('what nobody has taken away is not written twice', async () => {
  const { path, told, out } = sink();
  for (let n = 0; n < 100; n++) await out.write([`${n}\n`]);
  await out.reopen();
  await out.write(['last\n']);
  await out.close();
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(102);
  expect(told).toEqual([]);
});
