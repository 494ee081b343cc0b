import {
  closeSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { QueuedSink } from './audit-sink.ts';
import { FileSink } from './file-sink.ts';

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'audit.log');
}

function fileSink(path: string) {
  const told: (string | undefined)[] = [];
  let failed = 0;
  const sink = new QueuedSink({
    name: 'file',
    type: 'file',
    sink: new FileSink(path),
    changed: ({ failure }) => told.push(failure),
    failed: () => {
      failed++;
    },
  });
  onTestFinished(() => sink.close());
  return { sink, told, failed: () => failed };
}

const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n');

test('lines are kept in order, in a file for its owner alone, behind what was there', async () => {
  const path = place();
  for (let round = 0; round < 2; round++) {
    const { sink } = fileSink(path);
    const taken = Array.from({ length: 1_000 }, (_, i) => sink.write([`${round}-${i}a\n`, `${round}-${i}b\n`]));
    expect(new Set(await Promise.all(taken))).toEqual(new Set([true]));
    await sink.close();
  }
  const expected = [0, 1].flatMap((round) =>
    Array.from({ length: 1_000 }, (_, i) => [`${round}-${i}a`, `${round}-${i}b`]).flat(),
  );
  expect(linesOf(path)).toEqual([...expected, '']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a full disk accepts nothing, is reported once, and recovers', async () => {
  const path = place();
  symlinkSync('/dev/full', path);
  const { sink, told, failed } = fileSink(path);
  for (let i = 0; i < 3; i++) expect(await sink.write(['lost\n'])).toBe(false);
  expect([told, failed(), sink.failure, sink.isProven]).toEqual([['ENOSPC'], 3, 'ENOSPC', false]);
  rmSync(path);
  expect(await sink.write(['kept\n'])).toBe(true);
  expect([told, failed(), sink.failure, sink.isProven]).toEqual([['ENOSPC', undefined], 3, undefined, true]);
  expect(linesOf(path)).toEqual(['kept', '']);
});

test('a descriptor that was closed behind its back costs the lines of that write', async () => {
  const path = place();
  const { sink } = fileSink(path);
  expect(await sink.write(['one\n'])).toBe(true);
  const descriptor = readdirSync('/proc/self/fd').find((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false;
    }
  });
  closeSync(Number(descriptor));
  expect(await sink.write(['lost\n'])).toBe(false);
  expect(sink.failure).toBe('EBADF');
  expect(await sink.write(['two\n'])).toBe(true);
  expect(linesOf(path)).toEqual(['one', 'two', '']);
});

test('a moved file stays in use until a reload creates a new one', async () => {
  const path = place();
  const { sink } = fileSink(path);
  await sink.write(['one\n']);
  renameSync(path, `${path}.1`);
  await sink.write(['two\n']);
  sink.reopen();
  await sink.write(['three\n']);
  expect([linesOf(`${path}.1`), linesOf(path)]).toEqual([
    ['one', 'two', ''],
    ['three', ''],
  ]);
});

test('a folder that is gone is a failure with a reason, until it is back', async () => {
  const path = place();
  const below = join(path, 'audit.log');
  writeFileSync(path, 'a file where a folder should be');
  const { sink } = fileSink(below);
  expect(await sink.write(['lost\n'])).toBe(false);
  expect(sink.failure).toBe('ENOTDIR');
});

test('what waits is bounded', async () => {
  const { sink } = fileSink(place());
  const line = `${'x'.repeat(1_048_576)}\n`;
  const taken = await Promise.all(Array.from({ length: 10 }, () => sink.write([line])));
  expect(taken).toEqual([...Array(7).fill(true), ...Array(3).fill(false)]);
  expect(await sink.write([line])).toBe(true);
});
